import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveFolder } from '../scripts/lib/static-server.mjs';
import { CURVES, type CurveId, hasGpuKernels } from '../sdk/curves/index.js';
import type { PageRequest, PageTimes } from './gpu-msm-page.js';
import { launchChromium } from './lib/chromium.js';
import { median } from './lib/measure.js';
import { numbersOption } from './lib/report.js';

/**
 * Measures multi-scalar multiplications on the GPU in headless Chromium, in a worker of a page: milliseconds of wall
 * time from scalars on the CPU to the affine result. The environment variable CHROMIUM names the browser, and
 * CHROMIUM_GPU_FLAGS the flags, separated by spaces, with which it uses the GPU. Without them the browser and the flags
 * of the tests are used; these choose the software adapter on a machine without a GPU. Options: `--sizes 16,18,20`
 * (logarithms of the numbers of points), `--runs 7`, `--json FILE`.
 */
const sizes = numbersOption('--sizes', process.env.CHROMIUM_GPU_FLAGS === undefined ? [8] : [16, 18, 20, 22]);
const runs = numbersOption('--runs', [7])[0]!;
const server = await serveFolder(fileURLToPath(new URL('./page', import.meta.url)), { isolated: true });
const browser = await launchChromium();
const page = await browser.newPage();
await page.goto(server.url);
console.log(`WebGPU MSM in Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}`);
const rows: unknown[] = [];
for (const curve of (Object.keys(CURVES) as CurveId[]).filter(hasGpuKernels)) {
  for (const log of sizes) {
    const result = await page.evaluate(inWorker, { curve, log, runs });
    if ('failed' in result || !result.right) throw new Error(`${curve} 2^${log}: ${JSON.stringify(result)}`);
    const { times, roundTrip, adapter } = result;
    rows.push({ curve, log, times, roundTrip, adapter });
    const [middle, least, most] = [median(times), Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(2));
    console.log(
      `${curve.padEnd(13)} 2^${log}  median ${middle} ms, min ${least}, max ${most}, reading back 4 KiB ${roundTrip.toFixed(2)} ms  (${adapter})`,
    );
  }
}
const at = process.argv.indexOf('--json');
if (at >= 0) writeFileSync(process.argv[at + 1]!, `${JSON.stringify(rows)}\n`);
await browser.close();
await server.close();

/** Runs in the page, and lets a worker do the measuring. */
function inWorker(request: PageRequest): Promise<PageTimes | { failed: string }> {
  return new Promise((resolve) => {
    const worker = new Worker('worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = ({ message }) => resolve({ failed: message });
    worker.postMessage(request);
  });
}
