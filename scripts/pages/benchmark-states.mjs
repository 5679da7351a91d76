import { openExample } from '../lib/example-driver.mjs';
import { expect } from '../lib/trials.mjs';
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

  // Keys of the other proof systems, with snarkjs beside Pippin: both contestants verify their proofs.
  for (const protocol of ['plonk', 'fflonk']) {
    const { page: other } = await openExample(
      context,
      `${server.url}?upto=12&only=one,snarkjs&protocol=${protocol}&autorun=1`,
    );
    await other.waitForSelector('html[data-state="verified"]', { state: 'attached' });
    const run = JSON.parse((await other.textContent('#report')) ?? '');
    expect(
      run.protocol === protocol && run.results.length === 4 && run.skipped.length === 0,
      `two sizes of ${protocol} by two contestants`,
    );
    yield { name: protocol, page: other };
    await other.close();
  }

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
