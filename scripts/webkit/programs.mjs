import { readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, installCommand, installDebianPackages } from '../lib/debian.mjs';
import { SetupError } from '../lib/run.mjs';

/** Folders below which Debian and others keep the programs of WebKitGTK that are not on the path. */
const LIBRARIES = ['/usr/lib', '/usr/libexec', '/usr/local/lib', '/usr/local/libexec'];
const PACKAGES = ['webkit2gtk-driver', 'xvfb'];

/**
 * What drives and shows WebKitGTK: its WebDriver, its small browser, and a display without a screen. On Debian they are
 * installed for root.
 *
 * @returns {Promise<{ driver: string, browser: string, display: string }>} paths
 */
export async function requireWebKit() {
  if (process.platform !== 'linux') throw new SetupError('WebKitGTK runs on Linux: test:webkit cannot run here');
  if (missing(findPrograms()).length > 0 && canInstall()) await installDebianPackages(PACKAGES);
  const { driver, browser, display } = findPrograms();
  if (driver === undefined || browser === undefined || display === undefined) {
    const names = missing({ driver, browser, display }).join(', no ');
    throw new SetupError(
      `No ${names} found, and only root on Debian can have this installed here. On Debian: ${installCommand(PACKAGES)}`,
    );
  }
  return { driver, browser, display };
}

function findPrograms() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = (/** @type {string} */ name) => folders.map((folder) => join(folder, name)).find(isFile);
  return { driver: onPath('WebKitWebDriver'), browser: findMiniBrowser(), display: onPath('Xvfb') };
}

/** Debian: /usr/lib/<architecture>/webkit2gtk-4.1/MiniBrowser; others leave out the architecture. */
function findMiniBrowser() {
  const folders = LIBRARIES.flatMap((folder) => [folder, ...foldersIn(folder, /-linux-gnu/)]);
  return folders
    .flatMap((folder) => foldersIn(folder, /^webkit(2gtk|gtk)-/))
    .map((folder) => join(folder, 'MiniBrowser'))
    .find(isFile);
}

/** @param {string} folder @param {RegExp} name */
function foldersIn(folder, name) {
  try {
    return readdirSync(folder)
      .filter((entry) => name.test(entry))
      .map((entry) => join(folder, entry));
  } catch {
    return [];
  }
}

/** @param {{ driver?: string, browser?: string, display?: string }} found */
function missing({ driver, browser, display }) {
  const named = { WebKitWebDriver: driver, 'MiniBrowser of WebKitGTK': browser, Xvfb: display };
  return Object.entries(named).flatMap(([name, path]) => (path === undefined ? [name] : []));
}

/** @param {string} path */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
