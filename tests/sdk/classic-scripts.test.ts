import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium, plainFlags } from '../../scripts/lib/chromium.mjs';
import { launchBrowser } from '../../scripts/lib/example-driver.mjs';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import type * as Sdk from '../../sdk/index.js';
import { example } from '../support/example.js';
import { root } from '../support/root.js';

/** The classic scripts in headless Chromium: in a page of a site, in a page that is a file, and in a service worker. */

const PAGE = '<!doctype html><title>A wallet</title><script src="./pippin/classic/pippin.js"></script>';
const SERVICE_WORKER = `
  importScripts('/pippin/classic/pippin.js');
  onmessage = async ({ data, ports: [port] }) => {
    try {
      port.postMessage({ verified: await (${prove})(Pippin, data.options, data.files) });
    } catch (error) {
      port.postMessage({ error: String(error), hint: error.hint });
    }
  };
`;

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let server: Awaited<ReturnType<typeof serveFolder>>;
let site: string;
let files: Files;
let page: Page;

beforeAll(async () => {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error('expected a Chromium; `npm run setup` finds or installs one');
  site = await mkdtemp(join(tmpdir(), 'pippin-classic-'));
  await writeFile(join(site, 'index.html'), PAGE);
  await writeFile(join(site, 'sw.js'), SERVICE_WORKER);
  await cp(join(root, 'dist', 'classic'), join(site, 'pippin', 'classic'), { recursive: true });
  for (const name of ['bn254', 'bn254-fma', 'bn254-simd', 'bn254-scalars', 'bn254-scalars-fma']) {
    await cp(join(root, 'dist', `${name}.wasm`), join(site, 'pippin', `${name}.wasm`));
  }
  const base64 = async (path: string): Promise<string> => (await readFile(path)).toString('base64');
  files = {
    zkey: await base64(example.zkeyPath),
    circuit: await base64(example.wasmPath),
    points: await base64(join(root, 'dist', 'bn254.wasm')),
    scalars: await base64(join(root, 'dist', 'bn254-scalars.wasm')),
    inputs: example.inputs,
  };
  server = await serveFolder(site);
  browser = await launchBrowser(chromium, plainFlags());
  page = await browser.context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await rm(site, { recursive: true, force: true });
});

interface Files {
  readonly zkey: string;
  readonly circuit: string;
  /** The WASM of the kernel: for pages that cannot fetch it. */
  readonly points: string;
  readonly scalars: string;
  readonly inputs: Sdk.CircuitInputs;
}

interface Options extends Sdk.ProverOptions {
  readonly giveKernel?: boolean;
}

/** Runs in the page: whether a proof is made that verifies. It uses nothing from around it. */
async function prove(pippin: typeof Sdk, { giveKernel, ...options }: Options, given: Files): Promise<boolean> {
  const bytes = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const compile = (base64: string) => WebAssembly.compile(bytes(base64));
  const wasm = { bn254: await compile(given.points), 'bn254-scalars': await compile(given.scalars) };
  const kernel = giveKernel ? { assets: { wasm } } : {};
  const prover = await pippin.createProver({ backend: 'wasm', ...options, ...kernel });
  const key = await prover.groth16.loadKey(bytes(given.zkey));
  const { proof, publicSignals } = await prover.groth16.fullProve(key, given.inputs, bytes(given.circuit));
  const isRight = await prover.groth16.verify(key.verificationKey, publicSignals, proof);
  await prover.dispose();
  return isRight;
}

/** The result of `prove` in the page that is open, or the code of its error. */
function proveInPage(options: Options): Promise<boolean | string> {
  return page.evaluate(`(${prove})(Pippin, ${JSON.stringify(options)}, ${JSON.stringify(files)})
    .catch((error) => error.code ?? String(error))`);
}

test('a page without modules proves on workers', async () => {
  await page.goto(server.url);
  let workers = 0;
  page.on('worker', () => workers++);
  expect(await proveInPage({ threads: 2 })).toBe(true);
  expect(workers).toBe(4);
});

test('a page that is a file has no workers, and proves without them where it is given the WASM', async () => {
  await page.goto(pathToFileURL(join(site, 'index.html')).href);
  expect(await proveInPage({ threads: 2 })).toBe('WORKER_FAILED');
  expect(await proveInPage({ threads: 0 })).toBe('IO_FAILED');
  expect(await proveInPage({ threads: 0, giveKernel: true })).toBe(true);
});

test('a service worker proves without workers', async () => {
  await page.goto(server.url);
  const options: Options = { threads: 0, cache: false, assets: '/pippin/' };
  const answer = await page.evaluate(
    async (message: object) => {
      await navigator.serviceWorker.register('/sw.js');
      const { active } = await navigator.serviceWorker.ready;
      const { port1, port2 } = new MessageChannel();
      return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
        active?.postMessage(message, [port2]);
      });
    },
    { options, files } as object,
  );
  expect(answer).toEqual({ verified: true });
});
