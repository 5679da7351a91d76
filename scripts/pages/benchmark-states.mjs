import { serveBenchmarkPage } from '../lib/benchmark-page.mjs';
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
  expect(
    (await memoryShown(page)).every(({ source, bytes }) => source === 'prover' && bytes > 0),
    'the prover’s count',
  );
  await page.click('.phases summary');
  yield { name: 'done', page };

  const isolated = await serveBenchmarkPage({ isolated: true });
  const { page: apart } = await openExample(context, `${isolated.url}?upto=12&only=one&autorun=1`);
  await apart.waitForSelector('html[data-state="verified"]', { state: 'attached' });
  const told = await memoryShown(apart);
  console.log(`        benchmark: memory of an isolated page ${JSON.stringify(told)}`);
  expect(told.length === 2 && told.every(({ bytes }) => bytes > 0), 'a figure of memory for each result');
  yield { name: 'isolated', page: apart };
  await apart.close();
  await isolated.close();

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

/**
 * The memory of each result, which stands in the page's table and in its JSON.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{ source: string, bytes: number }[]>}
 */
async function memoryShown(page) {
  const { results } = JSON.parse((await page.textContent('#report')) ?? '');
  const rows = await page.locator('.memory tbody tr').count();
  expect(rows === results.length, `a row of memory for each of ${results.length} results, got ${rows}`);
  return results.map((/** @type {any} */ { memory }) => memory);
}
