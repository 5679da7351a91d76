import { openExample, waitForReport } from '../lib/example-driver.mjs';

/**
 * The example page in each of its main states.
 *
 * @typedef {{ name: string, page: import('playwright-core').Page }} Shown
 */

const BACKEND = 'backend=wasm&threads=1';

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {Awaited<ReturnType<typeof import('./held-server.mjs').serveHeld>>} server
 * @returns {AsyncGenerator<Shown>}
 */
export async function* exampleStates(context, server) {
  const key = server.hold(/\.pzkey$/);
  const { page } = await openExample(context, `${server.url}?${BACKEND}`);
  await key.asked;
  yield { name: 'starting', page };

  key.release();
  await waitForReport(page, ['ready']);
  yield { name: 'ready', page };

  await page.fill('#recipient', '0x12');
  await page.click('#prove');
  yield { name: 'wrong-recipient', page };

  await page.fill('#recipient', `0x${'b0'.repeat(20)}`);
  const witness = server.hold(/\/note-[^/]*\.wasm$/);
  await page.click('#prove');
  await witness.asked;
  yield { name: 'proving', page };

  witness.release();
  await waitForReport(page, ['verified']);
  await page.click('.phases summary');
  yield { name: 'verified', page };

  const wrongKey = await server.replace(/\.pzkey$/, '<!doctype html><title>Not found</title>');
  await page.click('#forget');
  await page.waitForSelector('html[data-state="failed"]', { state: 'attached' });
  await page.click('#failure summary');
  yield { name: 'wrong-key', page };
  wrongKey.restore();
  await page.close();
}
