import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { wtns } from 'snarkjs';
import { exampleFolder } from '../lib/example.mjs';
import { eventually, expect } from '../lib/trials.mjs';
import { buildFixture } from './build-fixture.mjs';

const KEY = join(exampleFolder, 'key');

/**
 * Calls over the ports of a real Chromium: bytes, several callers that begin at once, an abort, callers that go, and a
 * document that closes.
 *
 * @param {import('../lib/trials.mjs').Trials} trials
 * @param {{ chromium: string, chromiumFlags: string[] }} machine
 */
export async function tryRealPorts(trials, { chromium, chromiumFlags }) {
  console.log('Ports of Chromium');
  const folder = mkdtempSync(join(tmpdir(), 'pippin-ports-'));
  await buildFixture('chromium', folder);
  const browser = await puppeteer.launch({
    executablePath: chromium,
    headless: true,
    pipe: true,
    enableExtensions: [folder],
    args: chromiumFlags,
    protocolTimeout: 600_000,
  });
  try {
    const target = await browser.waitForTarget((each) => each.url().endsWith('/background.js'));
    const worker = await target.worker();
    const { host } = new URL(target.url());
    const open = async () => {
      const page = await browser.newPage();
      await page.goto(`chrome-extension://${host}/page.html`);
      await eventually('the page to be ready', () => page.evaluate(() => 'prover' in globalThis));
      return page;
    };
    const documents = () => browser.targets().filter((each) => each.url().endsWith('/offscreen.html')).length;
    const [a, b] = [await open(), await open()];

    await trials.run('three callers at once open one document, ten times', async () => {
      const start = `prover.capabilities().then(({ threads }) => threads, ({ code, message }) => code + ': ' + message)`;
      for (let time = 0; time < 10; time++) {
        const threads = await Promise.all([a, b, worker].map((context) => context?.evaluate(start)));
        const all = threads.every((each) => typeof each === 'number');
        expect(all, `answers, got ${threads}`);
        expect(documents() === 1, `one document, got ${documents()}`);
        await a.evaluate(() => chrome.offscreen.closeDocument());
        await eventually('the document to close', () => documents() === 0);
      }
    });
    await trials.run('a witness arrives as bytes, and its proof holds', async () => {
      const witness = { type: 'mem' };
      await wtns.calculate(JSON.parse(readFileSync(join(KEY, 'input.json'), 'utf8')), join(KEY, 'note.wasm'), witness);
      const base64 = Buffer.from(Reflect.get(witness, 'data')).toString('base64');
      const holds = await a.evaluate(`(async () => {
        const key = await prover.groth16.loadKey('note.zkey');
        const { proof, publicSignals } = await prover.groth16.prove(key, Uint8Array.from(atob('${base64}'), (c) => c.charCodeAt(0)));
        return prover.groth16.verify(key.verificationKey, publicSignals, proof);
      })()`);
      expect(holds === true, `a proof that holds, got ${holds}`);
    });
    await trials.run('47 MiB arrive, and one byte more is refused before it is sent', async () => {
      const send = (/** @type {number} */ bytes) =>
        a.evaluate(`(async () => {
          const key = await prover.groth16.loadKey('note.zkey');
          return prover.groth16.prove(key, new Uint8Array(${bytes})).catch(({ code, message }) => code + ': ' + message);
        })()`);
      const most = 47 * 2 ** 20;
      const [fits, tooLong] = [String(await send(most)), String(await send(most + 1))];
      expect(fits.startsWith('MALFORMED_FILE'), `what is no witness, got ${fits}`);
      expect(tooLong.startsWith('INVALID_LENGTH'), `a witness that is too long, got ${tooLong}`);
    });
    await trials.run('an aborted proof ends at once, and the next one works', async () => {
      const outcome = await b.evaluate(`(async () => {
        const key = await prover.groth16.loadKey('note.zkey');
        const inputs = await (await fetch('input.json')).json();
        const controller = new AbortController();
        let told = 0;
        const onProgress = () => { told++; controller.abort(); };
        const { signal } = controller;
        const code = await prover.groth16.fullProve(key, inputs, 'note.wasm', { signal, onProgress }).catch((error) => error.code);
        const { publicSignals } = await prover.groth16.fullProve(key, inputs, 'note.wasm');
        return [code, told, publicSignals.length].join();
      })()`);
      expect(outcome === 'ABORTED,1,3', `ABORTED after one event, got ${outcome}`);
    });
    await trials.run('a page that is closed leaves its proof with an id to another', async () => {
      const page = await open();
      await page.evaluate(`(async () => {
        const key = await prover.groth16.loadKey('note.zkey');
        const inputs = await (await fetch('input.json')).json();
        void prover.groth16.fullProve(key, inputs, 'note.wasm', { id: 'left' });
        for (let known = []; known.length === 0; ) known = await prover.proofs();
      })()`);
      await page.close();
      const signals = await worker?.evaluate(
        `prover.result('left').then((result) => result.publicSignals.length, String)`,
      );
      expect(signals === 3, `the result, got ${signals}`);
    });
    await trials.run('the idle document closes itself, and the next call opens it again with its key', async () => {
      await eventually('the document to close', () => documents() === 0);
      const inputs = `await (await fetch('input.json')).json()`;
      await a.evaluate(`(async () => { globalThis.key = await prover.groth16.loadKey('note.zkey'); })()`);
      await eventually('the document to close', () => documents() === 0);
      const signals = await a.evaluate(
        `(async () => (await prover.groth16.fullProve(key, ${inputs}, 'note.wasm')).publicSignals.length)()`,
      );
      expect(signals === 3, `a proof, got ${signals}`);
    });
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
