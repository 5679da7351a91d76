import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { buildFixture, FIXTURE_ID } from './extension/build-fixture.mjs';
import { exampleFolder } from './lib/example.mjs';
import { hasBackground, launchFirefox, openExtensionPage, requireFirefox } from './lib/firefox.mjs';
import { root, runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { serveFolder } from './lib/static-server.mjs';
import { formatTable } from './lib/table.mjs';
import { eventually } from './lib/trials.mjs';

/**
 * `npm run test:firefox-starts [-- --rounds N] [-- --only page|background|worker]`: counts how often a prover starts in
 * headless Firefox, where a worker that starts workers at times stands still for ever (docs/architecture.md, facts).
 * Each round is a new page, or a background page of an extension that Firefox has ended before, or, only where it is
 * named, a worker of a new page; it succeeds with a verified proof. Ends with 1 if a round failed.
 */

/** Milliseconds after which a start counts as failed: several times what the slowest took on two busy cores. */
const LATE_MS = 60_000;
/**
 * Milliseconds after which Firefox ends a background page that does nothing: more than a call takes here, because the
 * server's heartbeat expects Firefox's own 30 s.
 */
const IDLE_MS = 10_000;
const FIXTURE_HOST = '22222222-3333-4444-8555-666666666666';

/** @typedef {import('puppeteer-core').Browser} Browser */
/** @typedef {import('puppeteer-core').Page} Page */
/** @typedef {{ title: string, round(browser: Browser): Promise<number> }} Place */

await runMain(async () => {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '150' }, only: { type: 'string' } } });
  const rounds = Number(values.rounds);
  await setUp({ vulkan: false });
  const firefox = await requireFirefox();
  await build();
  const extension = mkdtempSync(join(tmpdir(), 'pippin-firefox-'));
  await buildFixture('firefox', extension);
  const server = await serveFolder(join(root, 'scripts', 'firefox-starts'), { instead: fileOf });
  const browser = await launchFirefox(firefox, {
    hosts: { [FIXTURE_ID]: FIXTURE_HOST },
    idleMs: IDLE_MS,
    protocolTimeout: 2 * LATE_MS,
  });
  try {
    await browser.installExtension(extension);
    const url = `${server.url}start.html`;
    /** @type {Record<string, Place>} */
    const places = {
      page: { title: 'a page', round: (opened) => inPage(opened, url, 'startHere()') },
      background: { title: 'a background page of an extension', round: inBackground },
      worker: { title: 'a worker of a page', round: (opened) => inPage(opened, url, 'startInWorker()') },
    };
    let failed = 0;
    const rows = [['prover started by', 'rounds', 'failed', 'median ms', 'slowest ms']];
    for (const [name, place] of Object.entries(places)) {
      if (values.only === undefined ? name === 'worker' : name !== values.only) continue;
      const outcome = await count(browser, place, rounds);
      failed += outcome.failed;
      rows.push([place.title, `${rounds}`, `${outcome.failed}`, ...outcome.times.map((ms) => ms.toFixed(0))]);
    }
    console.log(formatTable(rows));
    return failed > 0 ? 1 : 0;
  } finally {
    await browser.close();
    await server.close();
    rmSync(extension, { recursive: true, force: true });
  }
});

/** The built package and the example's key, beside the page. @param {string} path */
async function fileOf(path) {
  const [, folder, file = ''] = /^\/(dist|key)\/([\w.-]+)$/.exec(path) ?? [];
  if (folder === 'dist') return join(root, 'dist', file);
  return folder === 'key' ? join(exampleFolder, 'key', file) : undefined;
}

/** @param {Browser} browser @param {Place} place @param {number} rounds */
async function count(browser, { title, round }, rounds) {
  const took = [];
  let failed = 0;
  for (let i = 1; i <= rounds; i++) {
    try {
      took.push(await round(browser));
    } catch (error) {
      failed++;
      console.error(`${title}, round ${i}:`, error);
    }
    if (i % 25 === 0) console.log(`${title}: ${i} of ${rounds}, ${failed} failed`);
  }
  took.sort((a, b) => a - b);
  return { failed, times: [took[took.length >> 1] ?? Number.NaN, took.at(-1) ?? Number.NaN] };
}

/** @param {Browser} browser @param {string} url @param {string} start */
async function inPage(browser, url, start) {
  const page = await browser.newPage();
  try {
    await page.goto(url);
    await eventually('the page to be ready', () => page.evaluate(() => 'startInWorker' in globalThis));
    return /** @type {number} */ (await page.evaluate(timed(start)));
  } finally {
    await page.close();
  }
}

/**
 * A page of an extension has the background page prove, which Firefox starts for this call, and waits until Firefox has
 * ended it again.
 *
 * @param {Browser} browser
 */
async function inBackground(browser) {
  const page = await openExtensionPage(browser, FIXTURE_HOST, 'page.html', (opened) =>
    opened.evaluate(() => 'prover' in globalThis),
  );
  try {
    const proof = `(async () => {
      const began = performance.now();
      const key = await prover.groth16.loadKey('note.zkey');
      const inputs = await (await fetch('input.json')).json();
      await prover.groth16.fullProve(key, inputs, 'note.wasm');
      return performance.now() - began;
    })()`;
    const took = /** @type {number} */ (await page.evaluate(timed(proof)));
    await eventually('the background page to end', async () => !(await hasBackground(page)));
    return took;
  } finally {
    await page.close();
  }
}

/** An expression of a page that rejects when it takes too long. @param {string} expression */
function timed(expression) {
  return `Promise.race([${expression}, new Promise((_, reject) => {
    setTimeout(() => reject(new Error('expected a proof within ${LATE_MS} ms, got none')), ${LATE_MS});
  })])`;
}
