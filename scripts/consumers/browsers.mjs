import { findChromium, plainFlags } from '../lib/chromium.mjs';
import { canInstall, installCommand, installDebianPackages } from '../lib/debian.mjs';
import { launchBrowser } from '../lib/example-driver.mjs';
import { answers, SetupError } from '../lib/run.mjs';

const LIMIT_MS = 2 * 60_000;
const LOOK_MS = 100;

/**
 * @typedef {object} Browser
 * @property {(url: string, clicks?: boolean) => Promise<any>} visit opens the page, clicks its button if it begins by
 * that, waits for its result and closes it
 * @property {() => Promise<unknown>} close
 * @property {string | undefined} version of a browser that is a consumer itself
 */

/** @returns {Promise<Browser>} */
export async function openChromium() {
  const chromium = findChromium();
  if (chromium === undefined) throw new SetupError('expected a Chromium; `npm run setup` finds or installs one');
  const { context, close } = await launchBrowser(chromium, plainFlags());
  return { close, version: undefined, visit: async (url, clicks) => visit(await context.newPage(), url, clicks) };
}

/** Firefox, driven by WebDriver BiDi. @returns {Promise<Browser>} */
export async function openFirefox() {
  if (!answers('firefox-esr')) {
    if (!canInstall()) throw new SetupError(`no firefox-esr found; install it: ${installCommand(['firefox-esr'])}`);
    await installDebianPackages(['firefox-esr']);
  }
  const { default: puppeteer } = await import('puppeteer-core');
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
  });
  const [, version] = (await browser.version()).split('/');
  return {
    close: () => browser.close(),
    version,
    visit: async (url, clicks) => visit(await browser.newPage(), url, clicks),
  };
}

/** How long the document of an extension may write to its cache before it is closed. */
const WRITING_MS = 1000;

/**
 * Chromium with an extension. Its page is visited by its path, and then the document that proves is closed, so that the
 * next visit finds the key in the cache or not at all.
 *
 * @param {string} folder the extension, unpacked
 * @returns {Promise<Browser>}
 */
export async function openExtension(folder) {
  const chromium = findChromium();
  if (chromium === undefined) throw new SetupError('expected a Chromium; `npm run setup` finds or installs one');
  const { default: puppeteer } = await import('puppeteer-core');
  const browser = await puppeteer.launch({
    executablePath: chromium,
    headless: true,
    pipe: true,
    enableExtensions: true,
    args: [...plainFlags()],
  });
  const id = await browser.installExtension(folder);
  const visitPage = async (/** @type {string} */ path, /** @type {boolean | undefined} */ clicks) => {
    const page = await browser.newPage();
    return visit(page, `chrome-extension://${id}/${path}`, clicks, async () => {
      await new Promise((resolve) => setTimeout(resolve, WRITING_MS));
      await page.evaluate(() => chrome.offscreen.closeDocument());
    });
  };
  return { close: () => browser.close(), version: undefined, visit: visitPage };
}

/**
 * The result that the page shows. What the page complains of is added to a failure.
 *
 * @param {import('playwright-core').Page | import('puppeteer-core').Page} page
 * @param {string} url
 * @param {boolean} [clicks]
 * @param {() => Promise<void>} [beforeClose]
 */
async function visit(page, url, clicks = false, beforeClose = async () => undefined) {
  const complaints = /** @type {string[]} */ ([]);
  // Firefox asks for an icon whatever the page says.
  const complain = (/** @type {string} */ text) => text.includes('/favicon.ico') || complaints.push(text);
  const listening = /** @type {import('playwright-core').Page} */ (page);
  listening.on('console', (message) => {
    if (message.type() === 'error') complain(message.text());
  });
  listening.on('pageerror', (error) => complain(error.message));
  try {
    await listening.goto(url);
    if (clicks) await listening.click('button');
    const end = Date.now() + LIMIT_MS;
    for (;;) {
      const text = await readResult(listening);
      if (text) {
        await beforeClose();
        return { ...JSON.parse(text), complaints };
      }
      if (Date.now() > end) throw new Error(`expected a result of the page, got none:\n${complaints.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    await page.close();
  }
}

/** @param {import('playwright-core').Page} page */
async function readResult(page) {
  try {
    return await page.evaluate(() => document.querySelector('#result')?.textContent);
  } catch (error) {
    // A development server reloads the page when it has found what to prepare.
    if (/context was destroyed|navigation|navigating/i.test(String(error))) return undefined;
    throw error;
  }
}
