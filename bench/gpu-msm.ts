import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BasesToLoad, PartialSums } from '../sdk/bases/backend.js';
import { HeldMultiples } from '../sdk/bases/precompute.js';
import { type PreparedBases, pointForm } from '../sdk/bases/prepared.js';
import { maskScalars, ScalarMasks } from '../sdk/bases/scalar-masks.js';
import { hostScalars } from '../sdk/bases/scalar-vector.js';
import { CURVES, type CurveId, type GroupId, hasGpuKernels } from '../sdk/curves/index.js';
import { type DigitSource, GpuMsm } from '../sdk/executors/gpu/msm/gpu-msm.js';
import { type DeviceOptions, openDevice, type Products } from '../sdk/executors/gpu/runtime/device.js';
import { StageTimer } from '../sdk/executors/gpu/runtime/stage-timer.js';
import { checkRows, openPool } from './lib/check-rows.js';
import { g2Multiple } from './lib/g2-points.js';
import { GpuMsmTable } from './lib/gpu-msm-table.js';
import { expectEqual, loadKernel } from './lib/kernel.js';
import { median } from './lib/measure.js';
import { makeOperands, multiplesOf, type Operands, preparePoints } from './lib/operands.js';
import { DISTRIBUTIONS, type Distribution, expectedFactor, makeScalars, multipleBytes } from './lib/points.js';
import { numbersOption } from './lib/report.js';
import { tuningOption } from './lib/tuning.js';
import { warmUp } from './lib/warm-up.js';

/**
 * Measures multi-scalar multiplications on the GPU through Dawn in Node: milliseconds of wall time from scalars on the
 * CPU to the affine result on the CPU. Bases are on the GPU and pipelines are compiled, unless a row says otherwise.
 * The result of every run is checked. The benchmark is bundled into one file, which needs only Node, Dawn and the .wasm
 * files beside it on the machine that it runs on. WEBGPU_PATH names Dawn's entry module if Dawn is not installed as a
 * package.
 *
 * Options: `--sizes 16,18` (logarithms of the numbers of points), `--runs 7`, `--curves bn254`, `--group g2` (on the
 * curves that have it), `--stages` (also measures the GPU time of each stage), `--check random` (also measures what the
 * check of a sum costs, with workers on all cores), `--constant-work` (also measures sums of scalars that the same
 * workers mask before), `--precompute 4` (multiples of each base; 1 if left out), `--products limbs` (or `unrolled`,
 * `karatsuba`, `words`, `bytes`, instead of what suits the device), `--json FILE`, and the tuning of sums as `pippin msm` has it:
 * `--window-bits`, `--large-bucket-factor`, `--chunks`, `--reduction`, `--accumulation`, `--digits`.
 */
// NVIDIA's driver caches compiled kernels on disk. With an empty cache, the first creation of the pipelines compiles
// all of them.
process.env.__GL_SHADER_DISK_CACHE_PATH = mkdtempSync(join(tmpdir(), 'gpu-msm-shaders-'));
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
const instance = create([]);
// This reference keeps Dawn's instance from being garbage-collected, which would end the process.
Object.assign(globalThis, { dawnInstance: instance });

const RUNS = numbersOption('--runs', [7])[0]!;
const { precompute: PRECOMPUTE, ...TUNING } = tuningOption(numbersOption('--precompute', [1])[0]!);
/**
 * Bytes of memory for the device with WebGPU's default limits, which bound the size of each buffer but not the sum of
 * all.
 */
const PLAIN_BUDGET = 4 * 2 ** 30;
const BATCH = { log: 14, size: 16 } as const;

const productsAt = process.argv.indexOf('--products');
const products: DeviceOptions = productsAt < 0 ? {} : { products: process.argv[productsAt + 1] as Products };
const device = await openDevice(instance, products);
const { isSoftware } = device.info;
const sizes = numbersOption('--sizes', isSoftware ? [8] : [14, 16, 18, 20, 22]);
const groupAt = process.argv.indexOf('--group');
const group = groupAt < 0 ? 'g1' : (process.argv[groupAt + 1] as GroupId);
const table = new GpuMsmTable(device.info, group);
const curvesAt = process.argv.indexOf('--curves');
const able = (Object.keys(CURVES) as CurveId[]).filter((id) => hasGpuKernels(id) && CURVES[id][group] !== undefined);
const curves = curvesAt < 0 ? able : process.argv[curvesAt + 1]!.split(',');
for (const curve of curves as CurveId[]) await benchCurve(curve);
table.finish();
process.exit(0);

async function benchCurve(curve: CurveId): Promise<void> {
  const msm = await timePipelines(curve);
  const operands = await makeOperands(curve, group, 2 ** Math.max(...sizes, BATCH.log));
  const plain = await openDevice(instance, { ...products, limits: 'default' });
  const { cutDigits } = operands.kernel;
  const plainMsm = await GpuMsm.create(plain, curve, group, { memoryBudget: PLAIN_BUDGET, cutDigits });
  for (const log of sizes) await benchSize(operands, msm, plainMsm, log);
  if (!isSoftware) await benchBatch(operands, msm);
  msm.destroy();
  await plain.destroy();
}

/**
 * Times the creation of a curve's pipelines with an empty cache, and then again on a second device. Returns the
 * `GpuMsm` of the second.
 */
async function timePipelines(curve: CurveId): Promise<GpuMsm> {
  const kernel = await loadKernel(curve);
  const one = await preparePoints(kernel, curve, group, await multiplesOf(kernel, curve, group, 1, 5n));
  const times: number[] = [];
  for (let i = 0; ; i++) {
    const gpu = await openDevice(instance, products);
    const start = performance.now();
    const msm = await GpuMsm.create(gpu, curve, group, { cutDigits: kernel.cutDigits });
    // The first multiplication waits for all pipelines.
    await msm.multiply(await msm.load(one), makeScalars(CURVES[curve], 1, 'uniform'));
    times.push(performance.now() - start);
    if (i === 1) {
      table.addPipelines(curve, times[0]!, times[1]!);
      return msm;
    }
    await gpu.destroy();
  }
}

/** The bases with as many multiples of each as `--precompute` asks for and memory holds. */
async function withMultiples({ kernel, distinct }: Operands, bases: PreparedBases, msm: GpuMsm): Promise<BasesToLoad> {
  const { curve, form, kept } = bases;
  const { plan } = await msm.planMultiples(kept, kept, PRECOMPUTE, TUNING);
  if (plan === undefined) return bases;
  const points = bases.points.subarray(0, (bases.points.length / kept) * Math.min(kept, distinct));
  const made = (await kernel.multiples({ group, form, points, ...plan }))!;
  const all = new Uint8Array((plan.multiples - 1) * bases.points.length);
  for (let at = 0; at < all.length; at += points.length) {
    const first = Math.floor(at / bases.points.length) * points.length;
    all.set(made.subarray(first, first + points.length), at);
  }
  console.log(`${curve}, ${kept} points: ${plan.multiples} multiples, ${plan.rows} rows of ${plan.windowBits} bits`);
  return { ...bases, multiples: new HeldMultiples('webgpu', plan, all) };
}

async function benchSize(operands: Operands, msm: GpuMsm, plainMsm: GpuMsm, log: number): Promise<void> {
  const { curve, kernel } = operands;
  const count = 2 ** log;
  const prepared = operands.prepared(count);
  const bases = await msm.load(await withMultiples(operands, prepared, msm));
  const scalarsOf = (distribution: Distribution) => makeScalars(CURVES[curve], count, distribution);
  const uniform = scalarsOf('uniform');
  // The GPU was idle while points and multiples were made.
  await warmUp(() => msm.multiply(bases, uniform, TUNING));
  for (const distribution of DISTRIBUTIONS) {
    const scalars = distribution === 'uniform' ? uniform : scalarsOf(distribution);
    const times = await timed(operands, scalars, () => msm.multiply(bases, scalars, TUNING));
    table.addTimes(curve, log, distribution, times);
  }
  table.addMemory(curve, log, msm.memoryBytes, msm.stagingBytes);
  const { scalarBytes } = CURVES[curve];
  const digitSource: DigitSource = (windowBits, from, to) =>
    kernel.cutDigits({ scalars: uniform.subarray(scalarBytes * from, scalarBytes * to), windowBits });
  const given = await timed(operands, uniform, () => msm.multiply(bases, uniform, { ...TUNING, digitSource }));
  table.addTimes(curve, log, 'digits by one WASM', given);
  bases.release();
  const uploading = await timed(operands, uniform, async () => {
    const own = await msm.load(prepared);
    const parts = await msm.multiply(own, uniform, TUNING);
    own.release();
    return parts;
  });
  table.addTimes(curve, log, 'bases uploaded too', uploading);
  const plainBases = await plainMsm.load(prepared);
  await warmUp(() => plainMsm.multiply(plainBases, uniform, TUNING));
  table.addTimes(
    curve,
    log,
    'default limits',
    await timed(operands, uniform, () => plainMsm.multiply(plainBases, uniform, TUNING)),
  );
  plainBases.release();
  if (process.argv.includes('--check')) await checkTimes(operands, uniform, msm, log);
  if (process.argv.includes('--constant-work')) await constantWorkTimes(operands, scalarsOf, msm, log);
  if (process.argv.includes('--stages')) await stageTimes(operands, uniform, log);
}

/** Measures the check of a sum, and its parts that do not give the sum, without a check of their result. */
async function checkTimes(operands: Operands, scalars: Uint8Array, msm: GpuMsm, log: number): Promise<void> {
  const { curve } = operands;
  const pool = await openPool(curve);
  const bases = await withMultiples(operands, operands.prepared(2 ** log), msm);
  for (const { work, run } of await checkRows(msm, pool, bases, scalars)) {
    await warmUp(run);
    const given = (await run()) !== undefined;
    const times = given ? await timed(operands, scalars, async () => (await run())!) : await timedAlone(run);
    table.addTimes(curve, log, work, times);
  }
  await pool.dispose();
}

/** Measures sums of masked scalars, masking included, but without the last subtraction, of a single point. */
async function constantWorkTimes(
  operands: Operands,
  scalarsOf: (distribution: Distribution) => Uint8Array,
  msm: GpuMsm,
  log: number,
): Promise<void> {
  const { curve } = operands;
  const pool = await openPool(curve);
  const drawn = new ScalarMasks(curve, (request, signal) => maskScalars(pool, curve, request, signal)).draw();
  const bases = await msm.load(await withMultiples(operands, operands.prepared(2 ** log), msm));
  for (const distribution of ['uniform', 'circuit'] as const) {
    const scalars = scalarsOf(distribution);
    const run = async () => msm.multiply(bases, await drawn.addTo(scalars, 0, undefined), TUNING);
    await warmUp(run);
    const times = await timed(operands, await drawn.addTo(scalars, 0, undefined), run);
    table.addTimes(curve, log, `constant, ${distribution}`, times);
  }
  bases.release();
  pool.dispose();
}

async function timedAlone(run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times;
}

/** Measures the GPU time of each stage. This slows a multiplication down, so it has a device of its own. */
async function stageTimes(operands: Operands, scalars: Uint8Array, log: number): Promise<void> {
  const { curve } = operands;
  const gpu = await openDevice(instance, products);
  const msm = await GpuMsm.create(gpu, curve, group, {
    stageTimer: StageTimer,
    cutDigits: operands.kernel.cutDigits,
  });
  const bases = await msm.load(await withMultiples(operands, operands.prepared(2 ** log), msm));
  await warmUp(() => msm.multiply(bases, scalars, TUNING));
  table.addStages(curve, log, msm.stageTimes ?? {});
  msm.destroy();
  await gpu.destroy();
}

/** Compares small multiplications over the same bases in one call (a batch) with one call for each. */
async function benchBatch(operands: Operands, msm: GpuMsm): Promise<void> {
  const { curve } = operands;
  const { scalarBytes } = CURVES[curve];
  const count = 2 ** BATCH.log;
  const bases = await msm.load(operands.prepared(count));
  const all = makeScalars(CURVES[curve], BATCH.size * count, 'uniform');
  const each = Array.from({ length: BATCH.size }, (_, i) =>
    all.subarray(i * count * scalarBytes, (i + 1) * count * scalarBytes),
  );
  const expected = await Promise.all(each.map((scalars) => expectedBytes(operands, scalars)));
  const check = async (parts: readonly PartialSums[]): Promise<void> => {
    for (const [i, part] of parts.entries()) expectEqual(await affine(operands, part), expected[i]!, `batch ${i}`);
  };
  const together: number[] = [];
  const apart: number[] = [];
  for (let run = -1; run < RUNS; run++) {
    let start = performance.now();
    const batch = await msm.multiplyBatch(bases, hostScalars(all), BATCH.size, TUNING);
    if (run >= 0) together.push(performance.now() - start);
    await check(batch);
    start = performance.now();
    const parts: PartialSums[] = [];
    for (const scalars of each) parts.push(await msm.multiply(bases, scalars, TUNING));
    if (run >= 0) apart.push(performance.now() - start);
    await check(parts);
  }
  table.addBatch(curve, BATCH.log, BATCH.size, median(together), median(apart));
  bases.release();
}

/**
 * Wall milliseconds of `run` with the reduction on the CPU, `RUNS` times. One more run comes first and is not timed.
 * Checks all results.
 */
async function timed(operands: Operands, scalars: Uint8Array, run: () => Promise<PartialSums>): Promise<number[]> {
  const expected = await expectedBytes(operands, scalars);
  const times: number[] = [];
  for (let i = -1; i < RUNS; i++) {
    const start = performance.now();
    const result = await affine(operands, await run());
    if (i >= 0) times.push(performance.now() - start);
    expectEqual(result, expected, `${operands.curve}, ${scalars.length / CURVES[operands.curve].scalarBytes} points`);
  }
  return times;
}

async function expectedBytes({ curve, kernel, points, distinct }: Operands, scalars: Uint8Array): Promise<Uint8Array> {
  const factor = expectedFactor(CURVES[curve], points, scalars, distinct);
  return group === 'g2' ? g2Multiple(kernel, CURVES[curve], factor) : multipleBytes(CURVES[curve], factor);
}

async function affine({ curve, kernel }: Operands, parts: PartialSums): Promise<Uint8Array> {
  if (parts.kind !== 'windows') throw new Error('expected window sums');
  return kernel.reduceWindows({ group, form: pointForm(curve, group), sums: parts.sums, windowBits: parts.windowBits });
}
