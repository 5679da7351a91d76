import { openExample } from '../lib/example-driver.mjs';
import { ownCircuitStates } from './own-circuit-states.mjs';

/**
 * The benchmark page in each of its main states.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {Awaited<ReturnType<typeof import('./held-server.mjs').serveHeld>>} server
 * @returns {AsyncGenerator<{ name: string, page: import('playwright-core').Page }>}
 */
export async function* benchmarkStates(context, server) {
  const kernels = server.hold(/\/kernel-[^/]*\.js$/);
  const { page } = await openExample(context, `${server.url}?upto=12&only=one`);
  const reached = (/** @type {string} */ state) =>
    page.waitForSelector(`html[data-state="${state}"]`, { state: 'attached' });
  await reached('ready');
  yield { name: 'start', page };

  await page.click('#start');
  await kernels.asked;
  yield { name: 'running', page };

  kernels.release();
  await page.waitForSelector('.size');
  await page.click('#stop');
  await reached('cancelled');
  yield { name: 'stopped', page };

  await page.click('#start');
  await reached('verified');
  await page.click('.phases summary');
  yield { name: 'done', page };

  await page.uncheck('input[value="one"]');
  await page.click('#start');
  await reached('failed');
  yield { name: 'nothing-chosen', page };

  // As after the browser has ended the page in the middle of a proof.
  await page.evaluate(() => {
    const run = JSON.parse(localStorage.getItem('pippin-benchmark') ?? '{}');
    localStorage.setItem('pippin-benchmark', JSON.stringify({ ...run, unfinished: { log: 16, contestant: 'one' } }));
  });
  const multiples = await server.replace(/\/multiples\.worker-[^/]*\.js$/);
  await page.reload();
  await reached('ready');
  yield { name: 'next-visit', page };

  await page.click('#start');
  await reached('failed');
  multiples.restore();
  yield { name: 'failed', page };
  await page.close();

  yield* ownCircuitStates(context, server.url);
}
