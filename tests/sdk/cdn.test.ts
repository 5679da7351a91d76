import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import type * as Sdk from '../../sdk/index.js';
import { inputJson, MAKING_TIMEOUT, testCircuit } from '../support/circuits.js';
import { root } from '../support/root.js';
import { sharedBrowser } from '../support/shared-browser.js';

/**
 * Pages of one origin that load the package from another, as from a CDN, in headless Chromium: two ports are two
 * origins.
 */

let browser: Awaited<ReturnType<typeof sharedBrowser>>;
let cdn: Awaited<ReturnType<typeof serveFolder>>;
let wallet: Server;
let page: Page;
let files: { zkey: string; circuit: string; inputs: Sdk.CircuitInputs };
/** What the page is served with. */
let policy: string;
let body: string;

beforeAll(async () => {
  const { zkey, wasm, inputs } = await testCircuit('chain');
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  files = { zkey: base64(zkey), circuit: base64(wasm), inputs: JSON.parse(inputJson(inputs)) };
  cdn = await serveFolder(join(root, 'dist'), { headers: { 'Access-Control-Allow-Origin': '*' } });
  wallet = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy }).end(body);
  });
  await new Promise<void>((resolve) => wallet.listen(0, '127.0.0.1', resolve));
  browser = await sharedBrowser();
}, MAKING_TIMEOUT);
afterEach(() => page?.close());
afterAll(async () => {
  await browser?.close();
  await cdn?.close();
  wallet?.close();
  wallet?.closeAllConnections();
});

const IMPORTED = `globalThis.Pippin = await import(new URL('index.js', CDN))`;

/**
 * The policy of a page that loads the package from the CDN: what docs/cdn.md says, with or without workers from blob:
 * URLs.
 */
function policyOf(workers: string, more = ''): string {
  const origin = cdn.url.slice(0, -1);
  return `default-src 'none'; script-src 'nonce-wallet' 'wasm-unsafe-eval' ${origin}; worker-src ${workers}; connect-src ${origin}; ${more}`;
}

/** Where workers may come from: their start scripts, and the modules that these import. */
function workers(): string {
  return `blob: ${cdn.url.slice(0, -1)}`;
}

/** Opens a page that takes the package as a module or as a script. */
async function open(way: 'import' | 'script', served: string): Promise<void> {
  policy = served;
  const text = IMPORTED.replace('CDN', JSON.stringify(cdn.url));
  const script =
    way === 'import'
      ? `<script nonce="wallet" type="module">${text}</script>`
      : `<script nonce="wallet" src="${cdn.url}classic/pippin.js"></script>`;
  body = `<!doctype html><link rel="icon" href="data:,"><title>A wallet</title>${script}`;
  page = await browser.context.newPage();
  await page.goto(`http://localhost:${(wallet.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => 'Pippin' in globalThis);
}

/** Runs in the page: whether a proof is made that verifies. It uses nothing from around it. */
async function prove(pippin: typeof Sdk, options: Sdk.ProverOptions, given: typeof files): Promise<boolean> {
  const bytes = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const prover = await pippin.createProver({ backend: 'wasm', ...options });
  const key = await prover.groth16.loadKey(bytes(given.zkey));
  const { proof, publicSignals } = await prover.groth16.fullProve(key, given.inputs, bytes(given.circuit));
  const isRight = await prover.groth16.verify(key.verificationKey, publicSignals, proof);
  await prover.dispose();
  return isRight;
}

/** The result of `prove` in the page that is open, or its error. */
function proveInPage(options: Sdk.ProverOptions): Promise<boolean | { code: string; message: string; hint: string }> {
  return page.evaluate(`(${prove})(Pippin, ${JSON.stringify(options)}, ${JSON.stringify(files)})
    .catch(({ code, message, hint }) => ({ code, message, hint }))`);
}

test.each(['import', 'script'] as const)('a page that loads the package by %s proves on workers', async (way) => {
  await open(way, policyOf(workers()));
  const started: string[] = [];
  page.on('worker', (worker) => started.push(worker.url()));
  expect(await proveInPage({ threads: 2 })).toBe(true);
  // A coordinator, a witness worker and two kernels.
  expect(started).toHaveLength(4);
  for (const url of started) expect(url).toMatch(/^blob:/);
});

test.each(['import', 'script'] as const)(
  'where the policy of a page that loads it by %s forbids blob: workers, the error names both ways out, and threads: 0 proves',
  async (way) => {
    await open(way, policyOf("'self'"));
    const refused = (await proveInPage({ threads: 2 })) as { code: string; message: string; hint: string };
    expect(refused.code).toBe('WORKER_FAILED');
    expect(refused.message).toContain(`${cdn.url}${way === 'import' ? 'coordinator.js' : 'classic/pippin.js'}`);
    expect(refused.hint).toMatch(/blob: and that origin in worker-src.*ProverOptions\.assets.*threads: 0/);
    expect(await proveInPage({ threads: 0 })).toBe(true);
  },
);

test('Trusted Types are kept, in the page and in its workers', async () => {
  await open('import', policyOf(workers(), "require-trusted-types-for 'script'; trusted-types pippin-prover"));
  expect(await proveInPage({ threads: 1 })).toBe(true);
});

test.each(['import', 'script'] as const)('a folder of another origin is taken as assets, by %s', async (way) => {
  await open(way, policyOf(workers()));
  expect(await proveInPage({ threads: 1, assets: cdn.url })).toBe(true);
});

test('the entry for tools that read no exports proves from another origin', async () => {
  await open('import', policyOf(workers()));
  await page.evaluate(`import(${JSON.stringify(`${cdn.url}without-exports.js`)}).then((all) => { Pippin = all; })`);
  expect(await proveInPage({ threads: 1 })).toBe(true);
});
