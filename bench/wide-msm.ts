import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFirefox, requireFirefox } from '../scripts/lib/firefox.mjs';
import { root } from '../scripts/lib/run.mjs';
import { serveFolder } from '../scripts/lib/static-server.mjs';
import { CURVES, type CurveId } from '../sdk/curves/index.js';
import { checkWith } from './cpu/check.js';
import { benchCircuit } from './cpu/setup/circuits.js';
import { launchChromium } from './lib/chromium.js';
import { expectEqual } from './lib/kernel.js';
import { median } from './lib/measure.js';
import { consecutiveMultiples, expectedFactor, makeScalars, multipleBytes } from './lib/points.js';
import { numbersOption, textOption } from './lib/report.js';
import { FORMS, type Form, multiplyInPage, proveInPage } from './wide-msm/page.js';

/**
 * Times MSMs in G1 and Groth16 proofs by the points modules with wide arithmetic and with lanes (`-wide`, `-fma`), each
 * by a prover of the built package in the same page, in turns: Chromium with the flag for wide arithmetic, Firefox with
 * the preference. Milliseconds of wall time, the median of each page's median, and the median ratio. Results are
 * checked.
 *
 * Options: `--browsers chromium,firefox` (without it Chromium alone), `--curves bn254,bls12-381`, `--sizes 14,16`
 * (logarithms of the numbers of points), `--threads 1`, `--pages 3`, `--runs 15`, `--proofs 1` (also a proof of 2^14
 * constraints), `--json FILE`.
 */
const browsers = (textOption('--browsers') ?? 'chromium').split(',');
const curves = (textOption('--curves') ?? 'bn254,bls12-381').split(',') as CurveId[];
const sizes = numbersOption('--sizes', [14, 16]);
const [threads, pages, runs, proofs] = [
  numbersOption('--threads', [1]),
  numbersOption('--pages', [3]),
  numbersOption('--runs', [15]),
  numbersOption('--proofs', [1]),
].map(([value]) => value!) as [number, number, number, number];
const FIRST = 3n ** 150n;

/** A page of either driver. */
interface BenchPage {
  evaluate<Request, Result>(run: (request: Request) => Promise<Result>, request: Request): Promise<Result>;
  close(): Promise<void>;
}
interface BenchBrowser {
  readonly name: string;
  open(url: string): Promise<BenchPage>;
  close(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'wide-msm-'));
const files = new Map<string, string>();
const server = await serveFolder(join(root, 'dist'), {
  isolated: true,
  instead: async (path) => files.get(path),
});
files.set('/', publish('page.html', '<!doctype html><title>wide</title>'));
const rows: unknown[] = [];
for (const wanted of browsers) {
  const browser = wanted === 'firefox' ? await openFirefox() : await openChromium();
  console.log(`${browser.name}, ${new Date().toISOString().slice(0, 10)}, ${threads} threads, ${pages} pages`);
  for (const curve of curves) for (const log of sizes) await timeMsm(browser, curve, log);
  if (proofs > 0) await timeProof(browser);
  await browser.close();
}
const json = textOption('--json');
if (json !== undefined) writeFileSync(json, `${JSON.stringify(rows, undefined, 1)}\n`);
await server.close();
rmSync(folder, { recursive: true });
process.exit(0);

async function timeMsm(browser: BenchBrowser, id: CurveId, log: number): Promise<void> {
  const curve = CURVES[id];
  const points = consecutiveMultiples(curve, 2 ** log, FIRST);
  const scalars = makeScalars(curve, 2 ** log, 'uniform');
  files.set('/points', publish('points', points.bytes));
  files.set('/scalars', publish('scalars', scalars));
  const expected = multipleBytes(curve, expectedFactor(curve, points, scalars));
  const times: Record<Form, number[]>[] = [];
  for (let i = 0; i < pages; i++) {
    const page = await browser.open(server.url);
    const result = await page.evaluate(multiplyInPage, {
      ...{ curve: id, threads, runs },
      ...{ points: 'points', scalars: 'scalars' },
    });
    await page.close();
    for (const form of FORMS) expectEqual(new Uint8Array(result[form].point), expected, `${id} ${form}`);
    times.push({ fma: [...result.fma.ms], wide: [...result.wide.ms] });
  }
  report(browser, `MSM ${id} 2^${log}`, times);
}

async function timeProof(browser: BenchBrowser): Promise<void> {
  const circuit = await benchCircuit('chain14');
  files.set('/zkey', circuit.zkey);
  files.set('/witness', circuit.witness);
  const times: Record<Form, number[]>[] = [];
  for (let i = 0; i < pages; i++) {
    const page = await browser.open(server.url);
    const result = await page.evaluate(proveInPage, { threads, runs, zkey: 'zkey', witness: 'witness' });
    await page.close();
    for (const form of FORMS) await checkWith(circuit.verificationKey)(result[form]);
    times.push({ fma: [...result.fma.ms], wide: [...result.wide.ms] });
  }
  report(browser, 'proof bn254 2^14', times);
}

function report(browser: BenchBrowser, name: string, times: readonly Record<Form, number[]>[]): void {
  const of = (form: Form): number[] => times.map((page) => median(page[form]));
  const least = (form: Form): number => Math.min(...times.flatMap((page) => page[form]));
  const ratio = median(times.map((page) => median(page.wide) / median(page.fma)));
  rows.push({ browser: browser.name, name, threads, ratio, times });
  const cells = FORMS.map((form) => `${form} ${median(of(form)).toFixed(1)} (least ${least(form).toFixed(1)})`);
  console.log(`  ${name.padEnd(20)} ${cells.join('  ')}  ratio ${ratio.toFixed(3)}`);
}

function publish(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function openChromium(): Promise<BenchBrowser> {
  const browser = await launchChromium('--js-flags=--wasm-wide-arithmetic');
  return {
    name: `Chromium ${browser.version()}`,
    open: async (url) => {
      const page = await browser.newPage();
      await page.goto(url);
      return page as BenchPage;
    },
    close: () => browser.close(),
  };
}

async function openFirefox(): Promise<BenchBrowser> {
  const preferences = { 'javascript.options.wasm_wide_arithmetic': true, 'privacy.reduceTimerPrecision': false };
  const browser = await launchFirefox(await requireFirefox(), { preferences, protocolTimeout: 600_000 });
  return {
    name: await browser.version(),
    open: async (url) => {
      const page = await browser.newPage();
      await page.goto(url);
      return page as unknown as BenchPage;
    },
    close: () => browser.close(),
  };
}
