import puppeteer from 'puppeteer-core';
import { eventually, expect } from '../lib/trials.mjs';
import { extensionDist } from '../lib/wallet-extension.mjs';
import { checkSpend, walletPage } from './wallet-page.mjs';

/**
 * The example wallet in Chromium, with all that may end while it proves. @param {import('../lib/trials.mjs').Trials}
 * trials @param {{ chromium: string, chromiumFlags: string[] }} machine
 */
export async function tryChromium(trials, { chromium, chromiumFlags }) {
  console.log('Chromium');
  const browser = await puppeteer.launch({
    executablePath: chromium,
    headless: true,
    pipe: true,
    enableExtensions: [extensionDist('chromium')],
    args: chromiumFlags,
    protocolTimeout: 600_000,
  });
  try {
    const wallet = await loadWallet(browser);
    await trials.run('the popup proves, and storage holds no secret', () => firstSpend(wallet));
    await trials.run('the ring rises with its figure, with a key that is loaded and without', () => risingRing(wallet));
    await trials.run('the service worker is ended in mid-proof: the document wakes it', () => endedWorker(wallet));
    await trials.run('the service worker is ended in mid-proof, and a popup follows on', () => wokenByPopup(wallet));
    await trials.run('the popup is closed and opened again in mid-proof', () => reopenedPopup(wallet));
    await trials.run('two popups at once make one proof, and either cancels it', () => twoPopups(wallet));
    await trials.run('the offscreen document is closed in mid-proof: a sentence, then again', () =>
      closedDocument(wallet),
    );
    await trials.run('the extension is reloaded in mid-proof, and proves again', () => reloaded(wallet));
    await trials.run('nothing was complained of', async () =>
      expect(wallet.complaints.length === 0, `no complaints, got ${wallet.complaints.join('\n')}`),
    );
  } finally {
    await browser.close();
  }
}

/** @typedef {Awaited<ReturnType<typeof loadWallet>>} Wallet */

/** @param {import('puppeteer-core').Browser} browser */
async function loadWallet(browser) {
  await enterDeveloperMode(browser);
  const isWorker = (/** @type {import('puppeteer-core').Target} */ target) =>
    target.type() === 'service_worker' && target.url().endsWith('/background.js');
  const isDocument = (/** @type {import('puppeteer-core').Target} */ target) =>
    target.url().endsWith('/offscreen.html');
  const first = await browser.waitForTarget(isWorker);
  const origin = `chrome-extension://${new URL(first.url()).host}`;
  /** @type {string[]} */
  const complaints = [];
  const watch = (/** @type {import('puppeteer-core').Page} */ page) => {
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
    });
    return walletPage(page);
  };
  return {
    browser,
    complaints,
    /** The popup in a tab, which stays open when it loses the focus. */
    openTab: async () => {
      const page = await browser.newPage();
      const popup = watch(page);
      await page.goto(`${origin}/popup.html`);
      await eventually('the popup to be drawn', popup.state);
      return popup;
    },
    /** The popup itself. */
    openPopup: async () => {
      // The browser's window may not be ready for it yet.
      const target = await eventually('the popup to open', async () => {
        const worker = await (await browser.waitForTarget(isWorker)).worker();
        await worker?.evaluate(() => chrome.action.openPopup().catch(() => undefined));
        return browser.targets().find((each) => each.url() === `${origin}/popup.html`);
      });
      const popup = watch(await target.asPage());
      await eventually('the popup to be drawn', popup.state);
      return popup;
    },
    hasWorker: () => browser.targets().some(isWorker),
    endWorker: async () => {
      const target = await browser.waitForTarget(isWorker);
      await (await target.worker())?.close();
      await eventually('the service worker to end', () => !browser.targets().includes(target));
    },
    hasDocument: () => browser.targets().some(isDocument),
    document: async () => (await browser.waitForTarget(isDocument)).asPage(),
  };
}

/**
 * Without it Chromium disables an unpacked extension that is reloaded. @param {import('puppeteer-core').Browser}
 * browser
 */
async function enterDeveloperMode(browser) {
  const page = await browser.newPage();
  await page.goto('chrome://extensions');
  await page.evaluate(() =>
    Reflect.get(chrome, 'developerPrivate').updateProfileConfiguration({ inDeveloperMode: true }),
  );
  await page.close();
}

/**
 * Holds the proofs of the document back: its messages to the workers wait until the function that is returned is
 * called.
 *
 * @param {Wallet} wallet
 */
async function holdProofs(wallet) {
  const page = await wallet.document();
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    /** @type {(() => void)[]} */
    const held = [];
    Worker.prototype.postMessage = function (/** @type {any[]} */ ...args) {
      held.push(() => Reflect.apply(postMessage, this, args));
    };
    Object.assign(globalThis, {
      held,
      release: () => {
        Worker.prototype.postMessage = postMessage;
        for (const send of held) send();
      },
    });
  });
  return {
    /** Fulfilled when a proof waits. */
    reached: () =>
      eventually('a proof under way', () => page.evaluate(() => Reflect.get(globalThis, 'held').length > 0)),
    release: () => page.evaluate(() => Reflect.get(globalThis, 'release')()),
  };
}

/** @param {Wallet} wallet */
async function firstSpend(wallet) {
  expect(!wallet.hasDocument(), 'no document before it is needed');
  const popup = await wallet.openPopup();
  await popup.spend(0);
  await popup.until('proved');
  await checkSpend(await popup.stored(), 0);
  const stored = await popup.page.evaluate(async () => ({
    local: await chrome.storage.local.get(),
    sync: await chrome.storage.sync.get(),
    session: Object.keys(await chrome.storage.session.get()),
  }));
  expect(
    JSON.stringify(stored) === '{"local":{},"sync":{},"session":["spend"]}',
    `one record, got ${JSON.stringify(stored)}`,
  );
  await popup.click('again');
  await popup.until('choosing');
  await popup.page.close();
}

/** @param {Wallet} wallet */
async function risingRing(wallet) {
  const popup = await wallet.openTab();
  for (const isLoaded of [true, false]) {
    if (!isLoaded) await popup.page.evaluate(() => chrome.offscreen.closeDocument());
    await popup.watchRing();
    await popup.spend(0);
    await popup.until('proved');
    const watched = await popup.watchedRing();
    const figures = watched.map(([figure]) => figure);
    const rises = figures.every((figure, i) => i === 0 || figure >= (figures[i - 1] ?? 0));
    expect(rises && figures.at(-1) === 100 && figures.length > 5, `figures that rise to 100, got ${figures}`);
    expect(
      watched.every(([figure, ring]) => figure === ring),
      `a ring as far as its figure, got ${watched.join('; ')}`,
    );
    await popup.click('again');
    await popup.until('choosing');
  }
  await popup.page.close();
}

/** @param {Wallet} wallet */
async function endedWorker(wallet) {
  const hold = await holdProofs(wallet);
  const popup = await wallet.openTab();
  await popup.spend(1);
  await hold.reached();
  // Nothing is left that could wake it, but the document.
  await popup.page.close();
  await wallet.endWorker();
  expect(!wallet.hasWorker(), 'no service worker');
  await hold.release();
  await eventually('the service worker to be woken', wallet.hasWorker);
  const again = await wallet.openTab();
  await again.until('proved');
  await checkSpend(await again.stored(), 1);
  await again.click('again');
  await again.until('choosing');
  await again.page.close();
}

/** @param {Wallet} wallet */
async function wokenByPopup(wallet) {
  const hold = await holdProofs(wallet);
  const popup = await wallet.openTab();
  await popup.spend(0);
  await hold.reached();
  await wallet.endWorker();
  const other = await wallet.openTab();
  expect((await other.state()) === 'proving', 'a proof under way');
  await eventually('the service worker to be woken', wallet.hasWorker);
  await hold.release();
  await Promise.all([popup.until('proved'), other.until('proved')]);
  await checkSpend(await other.stored());
  await popup.click('again');
  await other.until('choosing');
  await Promise.all([popup.page.close(), other.page.close()]);
}

/** @param {Wallet} wallet */
async function reopenedPopup(wallet) {
  const hold = await holdProofs(wallet);
  const popup = await wallet.openPopup();
  await popup.spend(2);
  await hold.reached();
  await popup.page.close();
  const again = await wallet.openPopup();
  expect((await again.state()) === 'proving', 'the proof under way in the new popup');
  await hold.release();
  await again.until('proved');
  await checkSpend(await again.stored(), 2);
  await again.click('again');
  await again.until('choosing');
  await again.page.close();
}

/** @param {Wallet} wallet */
async function twoPopups(wallet) {
  const hold = await holdProofs(wallet);
  const [a, b] = [await wallet.openTab(), await wallet.openTab()];
  await Promise.all([a.spend(0), b.spend(1)]);
  await Promise.all([a.until('proving'), b.until('proving')]);
  await hold.reached();
  const ids = await Promise.all([a, b].map(async (popup) => (await popup.stored()).id));
  expect(ids[0] === ids[1], 'one spend');
  await b.click('cancel');
  await Promise.all([a.until('cancelled'), b.until('cancelled')]);
  await hold.release();
  await a.click('again');
  await b.until('choosing');
  await Promise.all([a.page.close(), b.page.close()]);
}

/** @param {Wallet} wallet */
async function closedDocument(wallet) {
  const hold = await holdProofs(wallet);
  const popup = await wallet.openTab();
  await popup.spend(0);
  await hold.reached();
  await popup.page.evaluate(() => chrome.offscreen.closeDocument());
  await popup.until('failed');
  expect((await popup.text())?.includes('The browser stopped the proof'), `a sentence, got ${await popup.text()}`);
  expect((await popup.stored()).code === 'PROVER_LOST', 'the code PROVER_LOST');
  await popup.click('again');
  await popup.until('choosing');
  await popup.spend(0);
  await popup.until('proved');
  await checkSpend(await popup.stored());
  await popup.click('again');
  await popup.until('choosing');
  await popup.page.close();
}

/** @param {Wallet} wallet */
async function reloaded(wallet) {
  const hold = await holdProofs(wallet);
  const popup = await wallet.openTab();
  await popup.spend(0);
  await hold.reached();
  // Chromium closes the pages of an extension that is reloaded.
  await popup.page.evaluate(() => setTimeout(() => chrome.runtime.reload()));
  await eventually('the document to close', () => !wallet.hasDocument());
  const again = await eventually('the wallet to open', () => wallet.openTab().catch(() => undefined));
  await again.until('choosing');
  await again.spend(0);
  await again.until('proved');
  await checkSpend(await again.stored());
  await again.page.close();
}
