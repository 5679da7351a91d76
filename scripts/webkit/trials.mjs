import { join } from 'node:path';
import { serveBenchmarkPage } from '../lib/benchmark-page.mjs';
import { exampleDist, exampleFolder } from '../lib/example.mjs';
import { waitForReport } from '../lib/example-driver.mjs';
import { root } from '../lib/run.mjs';
import { serveFolder } from '../lib/static-server.mjs';
import { eventually, expect } from '../lib/trials.mjs';
import { openApp } from './app.mjs';

/**
 * What is tried in Safari's engine. Each trial gets a browser, gives a row of the table, and fails by throwing.
 * `verifier` verifies proofs in Node.
 *
 * @typedef {object} Place
 * @property {import('./web-driver.mjs').WebDriverSession} session
 * @property {Awaited<ReturnType<typeof import('../webview/check.mjs').makeVerifier>>} verifier
 *
 * @typedef {object} Row times are in milliseconds
 * @property {number} threads
 * @property {number} first from nothing to a first proof
 * @property {number} later a proof with the key loaded
 * @property {number} [fromCache] loading the key at a later visit, from IndexedDB
 * @property {number} [abort] from asking for the end of a proof until it has ended
 *
 * @typedef {{ name: string, run: (place: Place) => Promise<Row> }} Trial
 */

/**
 * The most that a proof may go on after it was asked to end, and the attempts, since the machine may be busy, in
 * milliseconds.
 */
const MOST_ABORT_MS = 500;
const ABORTS = 3;

const PROOF_MS = 5 * 60_000;

/** @type {readonly Trial[]} */
export const TRIALS = [
  { name: 'example page', run: (place) => tryExample(place, '') },
  { name: 'example page, one worker', run: (place) => tryExample(place, '&threads=1') },
  { name: 'benchmark page, 2^12', run: tryBenchmark },
  { name: 'snarkjs alias', run: tryAlias },
  { name: 'page for webviews', run: tryWebview },
];

/**
 * A first visit, another proof, one that is cancelled, and a later visit. @param {Place} place @param {string}
 * parameters
 */
async function tryExample({ session, verifier }, parameters) {
  const server = await serveFolder(exampleDist);
  const url = `${server.url}?backend=wasm${parameters}&autorun=1`;
  const proofOf = async (/** @type {any} */ report) => {
    expect(report.proof.verified, 'the page to verify its proof');
    await verifier.holds({ type: 'result', ...report.proof });
    return report.proof.ms;
  };
  try {
    await session.goto(url);
    const cold = await waitForReport(session, ['verified']);
    expect(cold.start.cached === false, 'a first visit to prepare the key');
    expect(cold.capabilities.cache === 'indexeddb', 'a cache in IndexedDB');
    const first = cold.start.openMs + cold.start.keyMs + (await proofOf(cold));

    const proveAgain = async (/** @type {readonly string[]} */ states, meanwhile = async () => {}) => {
      await session.click('#prove');
      await meanwhile();
      return waitForReport(session, states);
    };
    const later = await proofOf(await proveAgain(['verified']));

    let abort = Number.POSITIVE_INFINITY;
    for (let i = 0; i < ABORTS && abort > MOST_ABORT_MS; i++) {
      const { cancelMs } = await proveAgain(['cancelled'], async () => {
        await eventually('a witness', () =>
          session.evaluate(() => document.querySelector('.bar.phase-witness') !== null),
        );
        await session.click('#cancel');
      });
      abort = Math.min(abort, cancelMs);
    }
    expect(abort <= MOST_ABORT_MS, `a cancelled proof to end within ${MOST_ABORT_MS} ms, got ${Math.round(abort)} ms`);
    await proofOf(await proveAgain(['verified']));

    await session.goto(url);
    const warm = await waitForReport(session, ['verified']);
    expect(warm.start.cached === true, 'a later visit to read the key from IndexedDB');
    await proofOf(warm);
    return { threads: cold.capabilities.threads, first, later, fromCache: warm.start.keyMs, abort };
  } finally {
    await server.close();
  }
}

/** The page measures two sizes on all workers and on one, and verifies every proof itself. @param {Place} place */
async function tryBenchmark({ session }) {
  const server = await serveBenchmarkPage();
  try {
    await session.goto(`${server.url}?upto=12&only=workers,one&autorun=1`);
    const { results, skipped } = await waitForReport(session, ['verified']);
    const done = results.map((/** @type {any} */ { log, contestant }) => `${contestant} ${log}`).join(', ');
    expect(done === 'workers 10, one 10, workers 12, one 12', `all sizes on all executors, got ${done}`);
    expect(skipped.length === 0, `nothing to be left out, got ${JSON.stringify(skipped)}`);
    const { executor, openMs, loadMs, firstMs, laterMs } = results[2];
    const later = laterMs.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b)[laterMs.length >> 1];
    return { threads: Number.parseInt(executor, 10), first: openMs + loadMs + firstMs, later };
  } finally {
    await server.close();
  }
}

/** A page without a bundler that calls snarkjs' functions. @param {Place} place */
async function tryAlias({ session, verifier }) {
  const page = join(root, 'scripts', 'webkit', 'alias-page');
  const server = await serveFolder(page, {
    instead: async (path) => {
      if (path.startsWith('/dist/')) return join(root, path);
      return path.startsWith('/key/') ? join(exampleFolder, path) : undefined;
    },
  });
  try {
    await session.goto(server.url);
    const text = await eventually(
      'the page to show a result',
      () => session.evaluate(() => document.querySelector('#result')?.textContent),
      PROOF_MS,
    );
    const { error, proofs } = JSON.parse(text);
    expect(error === undefined, `no error, got ${error}`);
    for (const proof of proofs) {
      expect(proof.holds && !proof.holdsChanged, 'its proofs to hold, and to hold for their public signals alone');
      await verifier.holds({ type: 'result', ...proof });
    }
    const threads = await session.evaluate(() => navigator.hardwareConcurrency);
    return { threads, first: proofs[0].ms, later: proofs[1].ms };
  } finally {
    await server.close();
  }
}

/** The page in an app that has WKWebView's message handler. @param {Place} place */
async function tryWebview({ session, verifier }) {
  const { app, close } = await openApp(session);
  try {
    const { threads = 0 } = await app.load();
    const prove = async (/** @type {string} */ id) => {
      const began = performance.now();
      await app.prove(id);
      await verifier.holds(await app.end(id));
      return performance.now() - began;
    };
    const first = await prove('first');
    const later = await prove('later');
    await app.prove('stopped');
    await app.underWay('stopped');
    const began = performance.now();
    await app.send({ type: 'cancel', id: 'stopped' });
    const { type, code } = await app.end('stopped');
    const abort = performance.now() - began;
    expect(type === 'failed' && code === 'ABORTED', `a cancelled proof to end as ABORTED, got ${type} ${code}`);
    expect(abort <= 2 * MOST_ABORT_MS, `it to end within ${2 * MOST_ABORT_MS} ms, got ${Math.round(abort)} ms`);
    await prove('after');
    return { threads, first, later, abort };
  } finally {
    await close();
  }
}
