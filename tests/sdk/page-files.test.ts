import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import type * as Sdk from '../../sdk/index.js';
import { circuitFile, inputJson, MAKING_TIMEOUT, testCircuit } from '../support/circuits.js';
import { root } from '../support/root.js';
import { sharedBrowser } from '../support/shared-browser.js';

/**
 * The built package in headless Chromium, as sites have it whose bundler does not know the form by which the package finds its files: they are
 * copied to a folder of their own. Under a strict policy.
 */

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

let browser: Awaited<ReturnType<typeof sharedBrowser>>;
let server: Awaited<ReturnType<typeof serveFolder>>;
let site: string;

beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), 'pippin-page-files-'));
  await mkdir(join(site, 'app'));
  await writeFile(
    join(site, 'app', 'index.html'),
    '<!doctype html><script src="./load.js"></script><title>A wallet</title>',
  );
  // In a string, because Vitest replaces `import()` in code.
  await writeFile(join(site, 'app', 'load.js'), 'globalThis.load = (script) => import(script);');
  const { files } = JSON.parse(await readFile(join(root, 'dist', 'assets.json'), 'utf8'));
  for (const file of files) await cp(join(root, 'dist', file), join(site, 'pippin', file));
  await cp(join(root, 'dist', 'classic'), join(site, 'pippin', 'classic'), { recursive: true });
  await mkdir(join(site, 'key'));
  for (const ending of ['zkey', 'wasm'])
    await cp(await circuitFile(`chain.${ending}`), join(site, 'key', `chain.${ending}`));
  await writeFile(join(site, 'key', 'input.json'), inputJson((await testCircuit('chain')).inputs));
  const bundle = await rolldown({ input: join(root, 'dist', 'index.js') });
  await bundle.write({ dir: join(site, 'app'), entryFileNames: 'wallet.js' });
  await bundle.close();
  server = await serveFolder(site, { headers: { 'Content-Security-Policy': POLICY } });
  browser = await sharedBrowser();
}, MAKING_TIMEOUT);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await rm(site, { recursive: true, force: true });
});

interface PageGlobals {
  load(script: string): Promise<typeof Sdk>;
}

/** Proves in a page at /app/, with the package from `script`. Gives whether the proof verifies, what was loaded from /pippin/, and how many workers there were. */
async function prove(
  script: string,
  options: Sdk.ProverOptions,
): Promise<{ verified: boolean; loaded: string[]; workers: number }> {
  const page = await browser.context.newPage();
  let workers = 0;
  page.on('worker', () => workers++);
  const loaded: string[] = [];
  page.on('request', (request) => {
    const name = /\/pippin\/(.*)$/.exec(request.url())?.[1];
    if (name !== undefined) loaded.push(name);
  });
  try {
    await page.goto(`${server.url}app/`);
    const verified = await page.evaluate(
      async ([from, given]) => {
        const { createProver } = await (globalThis as unknown as PageGlobals).load(from);
        const prover = await createProver({ ...given, backend: 'wasm', cache: false });
        const key = await prover.groth16.loadKey('../key/chain.zkey');
        const inputs = await (await fetch('/key/input.json')).json();
        const { proof, publicSignals } = await prover.groth16.fullProve(key, inputs, '../key/chain.wasm');
        const isRight = await prover.groth16.verify(key.verificationKey, publicSignals, proof);
        await prover.dispose();
        return isRight;
      },
      [script, options] as const,
    );
    return { verified, loaded, workers };
  } finally {
    await page.close();
  }
}

test.each([
  ['assets: a folder', '/app/wallet.js', { assets: '/pippin/' }],
  ['assets: a folder relative to the page', '/app/wallet.js', { assets: { base: '../pippin' } }],
  [
    'assets: single files relative to the page',
    '/app/wallet.js',
    {
      assets: {
        coordinator: '../pippin/coordinator.js',
        kernel: '../pippin/kernel.js',
        witness: '../pippin/witness.js',
        wasm: { bn254: '../pippin/bn254.wasm', 'bn254-scalars': '../pippin/bn254-scalars.wasm' },
      },
    },
  ],
  ['no bundler at all', '/pippin/index.js', {}],
] as const)('%s', async (_, script, options) => {
  const { verified, loaded, workers } = await prove(script, { threads: 2, ...options });
  expect(verified).toBe(true);
  expect(loaded).toEqual(expect.arrayContaining(['coordinator.js', 'kernel.js', 'witness.js']));
  expect(workers).toBe(4);
});

test('the entry for bundlers that read no exports starts the scripts that hold all they need', async () => {
  const { verified, loaded, workers } = await prove('/pippin/without-exports.js', { threads: 2 });
  expect(verified).toBe(true);
  expect(loaded).toEqual(expect.arrayContaining(['pippin', 'kernel', 'witness'].map((name) => `classic/${name}.js`)));
  expect(loaded).not.toContain('coordinator.js');
  expect(workers).toBe(4);
});

test('threads: 0 proves without any worker', async () => {
  const { verified, loaded, workers } = await prove('/app/wallet.js', { threads: 0, assets: '/pippin/' });
  expect(verified).toBe(true);
  // Of the folder only the WASM: the engine came with the page's own bundle.
  const points = expect.stringMatching(/^bn254(-fma|-simd)?\.wasm$/);
  const scalars = expect.stringMatching(/^bn254-scalars(-fma)?\.wasm$/);
  expect(loaded).toEqual(expect.arrayContaining([points, scalars]));
  expect(loaded).toHaveLength(2);
  expect(workers).toBe(0);
});
