import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, installCommand, installDebianPackages } from './debian.mjs';
import { SetupError } from './run.mjs';
import { eventually } from './trials.mjs';

const NAMES = ['firefox-esr', 'firefox'];
/** Milliseconds that the driver waits for a page of an extension. */
const LOAD_MS = 1_000;

/**
 * The Firefox to drive: the one that PIPPIN_FIREFOX names, or one on the path. On Debian it is installed for root where
 * there is none.
 */
export async function requireFirefox() {
  const named = process.env.PIPPIN_FIREFOX;
  if (named) {
    if (!isFile(named)) throw new SetupError(`expected a Firefox at PIPPIN_FIREFOX, got no file at ${named}`);
    return named;
  }
  if (findFirefox() === undefined && canInstall()) await installDebianPackages(['firefox-esr']);
  const found = findFirefox();
  if (found !== undefined) return found;
  const command = installCommand(['firefox-esr']);
  throw new SetupError(
    `No Firefox found. Install it (Debian: \`${command}\`), or name one: PIPPIN_FIREFOX=/path/to/firefox`,
  );
}

function findFirefox() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isFile);
}

/**
 * A headless Firefox whose driver may open pages of extensions.
 *
 * @param {string} executablePath
 * @param {{ hosts?: Record<string, string>, idleMs?: number, preferences?: Record<string, boolean>, env?: Record<string,
 * string>, protocolTimeout: number }} options the hosts of extensions' pages by the extension's id, which Firefox
 * otherwise draws for each profile; the milliseconds after which it ends a background page that does nothing; further
 * preferences; environment variables besides our own; the driver's limit on one call.
 */
export async function launchFirefox(
  executablePath,
  { hosts = {}, idleMs, preferences = {}, env = {}, protocolTimeout },
) {
  // The bundle of a benchmark also runs where there is no driver of Firefox.
  const { launch } = await import('puppeteer-core');
  return launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    args: ['--remote-allow-system-access'],
    env: { ...process.env, ...env },
    extraPrefsFirefox: {
      'extensions.webextensions.uuids': JSON.stringify(hosts),
      ...(idleMs === undefined ? {} : { 'extensions.background.idle.timeout': idleMs }),
      ...preferences,
    },
    protocolTimeout,
  });
}

/**
 * Opens a page of an extension and waits for it.
 *
 * @template T
 * @param {import('puppeteer-core').Browser} browser
 * @param {string} host the host of the extension's pages.
 * @param {string} path
 * @param {(page: import('puppeteer-core').Page) => Promise<T>} isReady
 */
export async function openExtensionPage(browser, host, path, isReady) {
  const page = await browser.newPage();
  // Firefox does not report to the driver that a page of an extension has loaded.
  await page.goto(`moz-extension://${host}/${path}`, { timeout: LOAD_MS }).catch(() => undefined);
  await eventually('the page to be ready', () => isReady(page).catch(() => undefined));
  return page;
}

/** Whether the extension of a page has a background page that runs. @param {import('puppeteer-core').Page} page */
export function hasBackground(page) {
  return page.evaluate(async () => {
    const contexts = await chrome.runtime.getContexts({});
    return contexts.some((context) => String(context.contextType) === 'BACKGROUND');
  });
}

/** @param {string} path */
function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
