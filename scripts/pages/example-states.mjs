import { openExample, waitForReport } from '../lib/example-driver.mjs';

/**
 * The example page in each of its main states.
 *
 * @typedef {{ name: string, page: import('playwright-core').Page }} Shown
 */

const BACKEND = 'backend=wasm&threads=1';

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} url
 * @returns {AsyncGenerator<Shown>}
 */
export async function* exampleStates(context, url) {
  const { page } = await openExample(context, 'about:blank');
  const hold = await holdFiles(page, /\.zkey$/);
  await page.goto(`${url}?${BACKEND}`);
  await hold.asked;
  yield { name: 'starting', page };

  await hold.release();
  await waitForReport(page, ['ready']);
  yield { name: 'ready', page };

  await page.fill('#recipient', '0x12');
  await page.click('#prove');
  yield { name: 'wrong-recipient', page };

  await page.fill('#recipient', `0x${'b0'.repeat(20)}`);
  const witness = await holdFiles(page, /\/note-[^/]*\.wasm$/);
  await page.click('#prove');
  await witness.asked;
  yield { name: 'proving', page };

  await witness.release();
  await waitForReport(page, ['verified']);
  await page.click('.phases summary');
  yield { name: 'verified', page };

  await page.route(/\.zkey$/, (route) => route.fulfill({ body: '<!doctype html><title>Not found</title>' }));
  await page.click('#forget');
  await page.waitForSelector('html[data-state="failed"]', { state: 'attached' });
  await page.click('#failure summary');
  yield { name: 'wrong-key', page };
  await page.close();
}

/**
 * Keeps the files whose addresses match waiting.
 *
 * @param {import('playwright-core').Page} page
 * @param {RegExp} pattern
 */
async function holdFiles(page, pattern) {
  const asked = promiseToKeep();
  const opened = promiseToKeep();
  const sent = promiseToKeep();
  await page.route(pattern, async (route) => {
    asked.keep();
    await opened.promise;
    await route.continue();
    sent.keep();
  });
  return {
    asked: asked.promise,
    release: async () => {
      opened.keep();
      await sent.promise;
      await page.unroute(pattern);
    },
  };
}

function promiseToKeep() {
  /** @type {() => void} */
  let keep = () => {};
  const promise = new Promise((resolve) => {
    keep = () => resolve(undefined);
  });
  return { promise, keep };
}
