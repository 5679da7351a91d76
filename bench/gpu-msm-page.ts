import { pointForm } from '../sdk/bases/prepared.js';
import { CURVES, type CurveId } from '../sdk/curves/index.js';
import { GpuMsm } from '../sdk/executors/gpu/msm/gpu-msm.js';
import { openDevice } from '../sdk/executors/gpu/runtime/device.js';
import { BufferUsage, MapMode } from '../sdk/executors/gpu/runtime/flags.js';
import { createKernel } from '../sdk/executors/workers/kernel/kernel.js';
import { median } from './lib/measure.js';
import { consecutiveMultiples, expectedFactor, makeScalars, multipleBytes } from './lib/points.js';

/** What `gpu-msm-browser` asks the page to measure: `runs` multi-scalar multiplications of 2^log points. */
export interface PageRequest {
  readonly curve: CurveId;
  readonly log: number;
  readonly runs: number;
}

/** Wall milliseconds of each run (`times`), and whether all results were right. */
export interface PageTimes {
  readonly times: number[];
  /** Median wall milliseconds for the GPU to copy 4096 bytes and for the CPU to read them: the overhead of any call. */
  readonly roundTrip: number;
  readonly right: boolean;
  readonly adapter: string;
}

/** The number of different points. It takes long to make them, so a larger multiplication repeats them. */
const DISTINCT_POINTS = 2 ** 14;

/**
 * Times a multiplication from uniform scalars to the affine result; its bases are on the GPU and its pipelines are
 * compiled.
 */
async function measure({ curve, log, runs }: PageRequest): Promise<PageTimes> {
  const gpu = await openDevice(navigator.gpu);
  const msm = await GpuMsm.create(gpu, curve, 'g1');
  const compile = (name: string) => WebAssembly.compileStreaming(fetch(`${name}.wasm`));
  const kernel = await createKernel(curve, {
    points: await compile(curve),
    scalars: await compile(`${curve}-scalars`),
  });
  const form = pointForm(curve, 'g1');
  const count = 2 ** log;
  const distinct = Math.min(count, DISTINCT_POINTS);
  const points = consecutiveMultiples(CURVES[curve], distinct, 3n ** 150n);
  const part = await kernel.prepareBases({
    group: 'g1',
    form,
    encoding: 'canonical',
    points: points.bytes,
  });
  const all = new Uint8Array((count / distinct) * part.points.length);
  for (let at = 0; at < all.length; at += part.points.length) all.set(part.points, at);
  const bases = await msm.load({ curve, group: 'g1', form, count, ...part, kept: count, points: all });
  const scalars = makeScalars(CURVES[curve], count, 'uniform');
  const expected = multipleBytes(CURVES[curve], expectedFactor(CURVES[curve], points, scalars, distinct)).join();
  const times: number[] = [];
  let right = true;
  // Three runs come first and are not timed: they compile, allocate memory, and learn how fast the device is.
  for (let run = -3; run < runs; run++) {
    const start = performance.now();
    const parts = await msm.multiply(bases, scalars);
    if (parts.kind !== 'windows') throw new Error('expected window sums');
    const result = await kernel.reduceWindows({ group: 'g1', form, sums: parts.sums, windowBits: parts.windowBits });
    if (run >= 0) times.push(performance.now() - start);
    right &&= result.join() === expected;
  }
  const roundTrip = await timeRoundTrip(gpu.device);
  const { vendor, architecture, description } = gpu.info;
  msm.destroy();
  await gpu.destroy();
  return { times, right, roundTrip, adapter: `${vendor} ${architecture} ${description}`.trim() };
}

async function timeRoundTrip(device: GPUDevice): Promise<number> {
  const source = device.createBuffer({ size: 4096, usage: BufferUsage.STORAGE | BufferUsage.COPY_SRC });
  const target = device.createBuffer({ size: 4096, usage: BufferUsage.MAP_READ | BufferUsage.COPY_DST });
  const times: number[] = [];
  for (let run = 0; run < 20; run++) {
    const start = performance.now();
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, 0, target, 0, 4096);
    device.queue.submit([encoder.finish()]);
    await target.mapAsync(MapMode.READ);
    target.getMappedRange();
    times.push(performance.now() - start);
    target.unmap();
  }
  return median(times);
}

self.addEventListener('message', async ({ data }: MessageEvent<PageRequest>) => {
  self.postMessage(await measure(data).catch((error: unknown) => ({ failed: String(error) })));
});
