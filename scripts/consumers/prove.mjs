import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { snarkjsVerifies } from '../lib/snarkjs-verify.mjs';
import { serveFolder } from '../lib/static-server.mjs';
import { endGroup, keyFolder } from './application.mjs';
import { openChromium, openExtension, openFirefox } from './browsers.mjs';
import { serveStrictly } from './front-server.mjs';

/** Attempts at a proof whose key comes from the cache; it is written beside the first one. */
const LATER_PROOFS = 4;
const START_LIMIT_MS = 2 * 60_000;

/**
 * @typedef {object} Trial
 * @property {number} seconds from the visit, the request or the start of the program until its proof was there
 * @property {number} [laterSeconds] the same, when the key came from the cache; not known of a library that calls
 * snarkjs
 * @property {number} [bytes] that the page downloaded, compressed, the key's files left out; of an extension what is
 * installed
 * @property {string} [version] of the browser, if it is the consumer
 */

/**
 * Lets the application prove until its key comes from the cache, and verifies every proof by snarkjs.
 *
 * @param {import('./application.mjs').Application} application
 * @returns {Promise<Trial>}
 */
export async function prove(application) {
  const folder = await application.build();
  const { consumer } = application;
  const { program, server } = consumer;
  if (program !== undefined) return proveRepeatedly(consumer, async () => JSON.parse(await application.run(program)));
  if (consumer.extension) return proveInExtension(application, /** @type {string} */ (folder));
  if (server === undefined) return proveBehind(application, { folder: /** @type {string} */ (folder) });
  const port = await freePort();
  const child = application.start([...server, String(port)]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  try {
    await untilAnswered(port, child);
    return await proveBehind(application, { port });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${printed}`, { cause: error });
  } finally {
    endGroup(child);
  }
}

/**
 * @param {import('./application.mjs').Application} application
 * @param {{ folder: string } | { port: number }} source
 */
async function proveBehind({ consumer, folder }, source) {
  const cdn = consumer.cdn ? await serveCdn(folder) : undefined;
  const front = await serveStrictly(source, keyFolder, cdn?.url);
  try {
    if (consumer.route !== undefined) {
      const url = new URL(consumer.route, front.url);
      return await proveRepeatedly(consumer, async () => {
        const response = await fetch(url);
        if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`);
        return response.json();
      });
    }
    const browser = await (consumer.browser === 'firefox' ? openFirefox() : openChromium());
    try {
      /** @type {number | undefined} */
      let bytes;
      const trial = await proveRepeatedly(consumer, async () => {
        const result = await browser.visit(front.url, consumer.template !== undefined);
        // What comes from a CDN is not counted.
        if (cdn === undefined) bytes ??= front.downloaded();
        return result;
      });
      return { ...trial, bytes, version: browser.version };
    } finally {
      await browser.close();
    }
  } finally {
    front.close();
    await cdn?.close();
  }
}

/** The package that an application has installed, as a CDN serves it. @param {string} folder */
function serveCdn(folder) {
  const dist = join(folder, 'node_modules', 'pippin-prover', 'dist');
  return serveFolder(dist, { headers: { 'Access-Control-Allow-Origin': '*' } });
}

/**
 * @param {import('./application.mjs').Application} application
 * @param {string} folder
 */
async function proveInExtension({ consumer }, folder) {
  const browser = await openExtension(folder);
  try {
    const trial = await proveRepeatedly(consumer, () => browser.visit('popup.html', true));
    return { ...trial, bytes: packedBytes(folder) };
  } finally {
    await browser.close();
  }
}

/** The bytes of a folder's files, each compressed by gzip, the key's files left out. @param {string} folder */
function packedBytes(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const own = files
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => !path.startsWith(join(folder, 'key')));
  return own.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
}

/**
 * @param {import('./list.mjs').Consumer} consumer
 * @param {() => Promise<any>} once
 */
async function proveRepeatedly({ local }, once) {
  const first = await timed(once);
  if (local !== undefined) {
    // A later proof, too; the results of snarkjs do not tell where the key came from.
    await timed(once);
    return { seconds: first.seconds };
  }
  for (let attempt = 0; attempt < LATER_PROOFS; attempt++) {
    const later = await timed(once);
    if (later.cached) return { seconds: first.seconds, laterSeconds: later.seconds };
  }
  throw new Error(`expected the key from the cache, got none in ${LATER_PROOFS} later proofs`);
}

/** @param {() => Promise<any>} once */
async function timed(once) {
  const began = performance.now();
  const result = await once();
  const seconds = (performance.now() - began) / 1000;
  await expectProof(result);
  return { seconds, cached: result.cached };
}

const verificationKey = JSON.parse(readFileSync(join(keyFolder, 'note.vkey.json'), 'utf8'));

/** @param {any} result what the application gives */
async function expectProof({ proof, publicSignals, verified, error, hint, complaints = [] }) {
  if (error !== undefined) throw new Error([error, hint, ...complaints].filter(Boolean).join('\n'));
  if (verified !== true) throw new Error(`expected a proof that the application verifies, got ${verified}`);
  if (!(await snarkjsVerifies(verificationKey, publicSignals, proof)))
    throw new Error('snarkjs does not verify the proof');
  if (complaints.length > 0) throw new Error(`the page proves, and complains:\n${complaints.join('\n')}`);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/**
 * @param {number} port
 * @param {import('node:child_process').ChildProcess} child
 */
async function untilAnswered(port, child) {
  const end = Date.now() + START_LIMIT_MS;
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (Date.now() > end) throw new Error('the server does not answer');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
