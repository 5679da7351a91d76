import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun, root, SetupError } from './run.mjs';

/** Installs the packages of package-lock.json, unless they lie there already. */
export async function installPackages() {
  if (packagesAreCurrent()) return;
  // Behind a link lie the packages of another tree, which npm would delete.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new SetupError(
      'expected the packages of package-lock.json where the link node_modules leads, got others: run `npm ci` there',
    );
  }
  console.log('Installing packages (npm ci); this takes a minute or two ...');
  // The development packages are what builds and tests, whatever NODE_ENV says.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  if (process.platform === 'win32') await mustRun('cmd.exe', ['/c', 'npm', ...args]);
  else await mustRun('npm', args);
  if (!packagesAreCurrent())
    throw new SetupError('npm ci ended, and node_modules is not what package-lock.json asks for');
}

/**
 * Whether node_modules holds the versions of package-lock.json. npm keeps a list of what it has installed beside the
 * packages; contents are compared, since a fresh checkout gives every file a new date.
 */
function packagesAreCurrent() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    // The root itself is not listed, and packages for other platforms are not installed.
    if (path === '' || entry.optional) return true;
    return installed[path]?.version === entry.version;
  });
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined}
 */
function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
