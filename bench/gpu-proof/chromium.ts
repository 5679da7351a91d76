import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import type { ProveResult } from '../../sdk/api/index.js';
import type * as Sdk from '../../sdk/index.js';
import { launchChromium } from '../lib/chromium.js';
import { type Measurement, summarize } from '../lib/measure.js';
import type { KeyedCircuit } from './circuits.js';
import type { Snarkjs } from './snarkjs.js';

/** What the page tells of its proofs: wall milliseconds of each, and the last one. */
interface PageProofs {
  readonly times: readonly number[];
  readonly last: ProveResult;
}

/**
 * A headless Chromium with a page that has the SDK, as an application's bundler makes it. The environment variable
 * CHROMIUM names the browser, and CHROMIUM_GPU_FLAGS the flags, separated by spaces, with which it uses the GPU;
 * otherwise they are those of the tests.
 */
export class ChromiumLab {
  private constructor(
    private readonly browser: Browser,
    private readonly server: Awaited<ReturnType<typeof serveFolder>>,
    private readonly folder: URL,
  ) {}

  /** @param folder where the page lies; keys are put beside it. */
  static async open(folder: URL): Promise<ChromiumLab> {
    const browser = await launchChromium();
    return new ChromiumLab(browser, await serveFolder(fileURLToPath(folder), { isolated: true }), folder);
  }

  get version(): string {
    return this.browser.version();
  }

  /**
   * Times verified proofs of a loaded key on WebGPU, one after another, in a fresh page. The last one is checked by
   * snarkjs.
   */
  async laterProofs(
    { zkey, witness }: KeyedCircuit,
    snarkjs: Snarkjs,
    runs: number,
  ): Promise<{ readonly measurement: Measurement; readonly last: ProveResult }> {
    const files = { 'key.zkey': zkey, 'witness.wtns': witness };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(new URL(name, this.folder), bytes);
    const page = await this.browser.newPage();
    try {
      await page.goto(this.server.url);
      const { times, last } = await page.evaluate(proveInPage, runs);
      const verificationKey = await snarkjs.exportVerificationKey(zkey);
      if (!(await snarkjs.verify(verificationKey, last.publicSignals, last.proof))) {
        throw new Error('expected a proof that snarkjs accepts, got one that it does not');
      }
      const measurement = summarize(
        'Chromium, webgpu',
        times.map((wall) => ({ wall, cpu: Number.NaN })),
      );
      return { measurement: { ...measurement, cpu: undefined }, last };
    } finally {
      await page.close();
      for (const name of Object.keys(files)) rmSync(new URL(name, this.folder));
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}

/** Runs in the page. It begins with proofs that are not timed, since an idle GPU lowers its clock. */
async function proveInPage(runs: number): Promise<PageProofs> {
  const warmUpMs = 1500;
  const script = new URL('./index.js', document.baseURI).href;
  const { createProver } = (await import(script)) as typeof Sdk;
  const prover = await createProver({ backend: 'webgpu', cache: false });
  const key = await prover.groth16.loadKey(await (await fetch('key.zkey')).blob());
  const witness = new Uint8Array(await (await fetch('witness.wtns')).arrayBuffer());
  const began = performance.now();
  do await prover.groth16.prove(key, witness);
  while (performance.now() - began < warmUpMs);
  const times: number[] = [];
  let last: ProveResult | undefined;
  while (times.length < runs) {
    const start = performance.now();
    last = await prover.groth16.prove(key, witness);
    times.push(performance.now() - start);
  }
  await prover.dispose();
  return { times, last: last! };
}
