import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder } from '../lib/example.mjs';
import { openExample } from '../lib/example-driver.mjs';
import { expect } from '../lib/trials.mjs';
import { dropFiles } from './drop-files.mjs';

/** Later proofs, enough for a drift. */
const REPEATS = 10;

/**
 * The benchmark page with a circuit of the visitor's own: files that are dropped on it, its results, and these again
 * from a shared link.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} url
 * @returns {AsyncGenerator<{ name: string, page: import('playwright-core').Page }>}
 */
export async function* ownCircuitStates(context, url) {
  const { page, complaints } = await openExample(context, `${url}?only=workers,one&repeats=${REPEATS}`);
  const reached = (/** @type {string} */ state) =>
    page.waitForSelector(`html[data-state="${state}"]`, { state: 'attached' });
  const says = async (/** @type {string} */ selector, /** @type {string} */ text) => {
    await page.waitForFunction(
      ([where, what]) => document.querySelector(where)?.textContent?.includes(what),
      [selector, text],
    );
  };
  await reached('ready');
  await page.click('label:has(#subject-own)');
  yield { name: 'own-none', page };

  await dropFiles(page, [
    { name: 'holiday.jpg', bytes: Buffer.from('\xff\xd8\xff\xe0', 'latin1') },
    keyFile('note.zkey'),
  ]);
  await says('#own-fault', 'holiday.jpg is not a file that this page knows');
  await says('#own-missing', 'Still missing: the circuit’s WASM (.wasm), its inputs (input.json).');
  await page.click('#start');
  await reached('failed');
  yield { name: 'own-wrong-file', page };

  const inputs = JSON.parse(readFileSync(join(exampleFolder, 'key', 'input.json'), 'utf8'));
  await dropFiles(page, [keyFile('note.wasm'), inputFile({ ...inputs, amount: '1' })]);
  await says('#own-missing', 'Ready to measure');
  await page.click('#start');
  await reached('failed');
  await says('#sizes', 'WITNESS_REJECTED');
  yield { name: 'own-rejected', page };

  await dropFiles(page, [inputFile(inputs)]);
  await page.click('#start');
  await reached('verified');
  const run = JSON.parse((await page.textContent('#report')) ?? '');
  expect(run.circuit.name === 'note' && run.circuit.domainSize === 8192, 'the example’s circuit');
  expect(
    run.results.every((/** @type {any} */ { laterMs }) => laterMs.length === REPEATS) && run.results.length === 2,
    `${REPEATS} later proofs by two contestants`,
  );
  expect((await page.locator('.drift').count()) === 2, 'a drift of each');
  yield { name: 'own-done', page };

  await page.click('#share');
  const link = page.url();
  await page.close();
  const other = await openExample(context, link);
  const shown = JSON.parse((await other.page.textContent('#report')) ?? '');
  expect(shown.circuit.name === 'note' && shown.results.length === 2, 'the link to hold the results');
  expect((await other.page.locator('.drift').count()) === 2, 'the drift of each from the link');
  yield { name: 'shared', page: other.page };

  await other.page.goto(link.slice(0, -40));
  await other.page.waitForFunction(() => document.querySelector('#notices')?.textContent?.includes('cut off'));
  await other.page.close();
  const wrong = [...complaints, ...other.complaints];
  expect(wrong.length === 0, `no error in the console, got ${wrong.join('; ')}`);
}

/** @param {string} name */
function keyFile(name) {
  return { name, bytes: readFileSync(join(exampleFolder, 'key', name)) };
}

/** @param {object} inputs */
function inputFile(inputs) {
  return { name: 'input.json', bytes: Buffer.from(JSON.stringify(inputs)) };
}
