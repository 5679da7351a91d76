import { writeFileSync } from 'node:fs';
import { pointForm } from '../../sdk/bases/prepared.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { openDevice } from '../../sdk/executors/gpu/runtime/device.js';
import { expectEqual } from '../lib/kernel.js';
import { median } from '../lib/measure.js';
import { makeOperands, type Operands } from '../lib/operands.js';
import { type Distribution, expectedFactor, makeScalars, multipleBytes } from '../lib/points.js';
import { numbersOption, textOption } from '../lib/report.js';
import { affineLevels } from './strategies/affine-levels/index.js';
import { partsOf } from './strategies/plan-strategy.js';
import { shipped } from './strategies/shipped.js';
import type { Strategy, StrategyKernel } from './strategies/strategy.js';
import { StrategyMsm, type StrategySums } from './strategies/strategy-msm.js';

/**
 * Times affine additions by levels (bench/research/strategies/affine-levels) beside the shipped stages in one process,
 * both with products of bytes: wall time from scalars on the host to the affine result, and GPU time of every stage of
 * the accumulation. Every result is checked against known logarithms, so the shipped and the affine sums are equal. The
 * benchmark is bundled into one file, as `gpu-msm` is. WEBGPU_PATH names Dawn's entry module if Dawn is not installed
 * as a package.
 *
 * Options: `--curve bn254`, `--sizes 16,18,20` (logarithms of the numbers of points), `--distributions
 * uniform,clustered,circuit`, `--levels 4,5` (of pairs, 2 at least), `--threads 17,18` (logarithms of the most threads
 * that share a level), `--parts 2,4` (totals of a thread where they are inverted, 16 at most), `--windows 13,15` (bits,
 * instead of the plan's), `--runs 7`, `--json FILE`.
 */
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
const instance = create([]);
// This reference keeps Dawn's instance from being garbage-collected, which would end the process.
Object.assign(globalThis, { dawnInstance: instance });

/** Behind loading, during which the GPU is idle, runs go on for so long before the timed ones, so that its clock is up. */
const WARM_UP_MS = 1000;

const gpu = await openDevice(instance, { products: 'bytes' });
const { isSoftware, vendor, architecture, description } = gpu.info;
const curve = (textOption('--curve') ?? 'bn254') as CurveId;
if (pointForm(curve, 'g1') !== 'weierstrass') throw new Error(`expected a curve with affine bases, got ${curve}`);
const sizes = numbersOption('--sizes', isSoftware ? [8] : [16, 18, 20]);
const distributions = (textOption('--distributions') ?? 'uniform,clustered').split(',') as Distribution[];
const levels = numbersOption('--levels', [4, 5]);
const threads = numbersOption('--threads', [17, 18]);
const parts = numbersOption('--parts', [4]);
const windows = textOption('--windows')?.split(',').map(Number) ?? [undefined];
const runs = numbersOption('--runs', [isSoftware ? 1 : 7])[0]!;

interface Row {
  readonly curve: CurveId;
  readonly log: number;
  readonly distribution: Distribution;
  readonly strategy: string;
  readonly windowBits: number;
  /** Milliseconds of wall time. */
  readonly wall: readonly number[];
  /** Medians of milliseconds of GPU time: of the three parts, and of the accumulation's stages. */
  readonly sort: number;
  readonly accumulate: number;
  readonly reduce: number;
  readonly stages: Readonly<Record<string, number>>;
  /** Bytes of all buffers but the bases. */
  readonly scratchBytes: number;
}

const rows: Row[] = [];
const strategies: Strategy[] = [
  shipped,
  ...levels.flatMap((l) =>
    threads.flatMap((t) => parts.map((p) => affineLevels({ levels: l, threads: 2 ** t, parts: p }))),
  ),
];
const date = new Date().toISOString().slice(0, 10);
console.log(`affine levels on ${[vendor, architecture, description].join(' ')}, ${date}, Node ${process.version}`);
console.log('wall: median ms (min) to the affine result; the rest: median GPU ms; every result checked');
const operands = await makeOperands(curve, 'g1', 2 ** Math.max(...sizes));
for (const log of sizes) {
  for (const strategy of strategies) {
    const msm = await StrategyMsm.create(gpu, curve, strategy);
    for (const windowBits of windows) {
      const bases = await msm.load(operands.prepared(2 ** log), windowBits);
      for (const distribution of distributions) await bench(msm, bases, strategy, log, distribution);
      bases.buffer.destroy();
    }
    msm.destroy();
  }
}
const json = textOption('--json');
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ date, info: gpu.info, rows }, undefined, 1)}\n`);
await gpu.destroy();
process.exit(0);

/** Checks and times a strategy, and prints its row. */
async function bench(
  msm: StrategyMsm,
  bases: Awaited<ReturnType<StrategyMsm['load']>>,
  strategy: Strategy,
  log: number,
  distribution: Distribution,
): Promise<void> {
  const scalars = makeScalars(CURVES[curve], 2 ** log, distribution);
  const finish = finisher(operands, scalars, `${strategy.name}, 2^${log}, ${distribution}`);
  const warm = performance.now();
  do await finish(await msm.multiply(bases, scalars));
  while (!isSoftware && performance.now() - warm < WARM_UP_MS);
  const wall: number[] = [];
  const timed: Readonly<Record<string, number>>[] = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    await finish(await msm.multiply(bases, scalars));
    wall.push(performance.now() - start);
  }
  for (let i = 0; i < runs; i++) {
    const sums = await msm.multiply(bases, scalars, true);
    await finish(sums);
    timed.push(sums.stageTimes ?? {});
  }
  const { sort, accumulate, reduce } = partsOf(strategy, curve);
  const medianOf = (names: readonly string[]): number =>
    median(timed.map((times) => names.reduce((sum, name) => sum + (times[name] ?? 0), 0)));
  const namesOf = (kernels: readonly StrategyKernel[]): string[] => [...new Set(kernels.map(({ name }) => name))];
  const added = namesOf(accumulate.kernels);
  // The scan of what is left has the name of the sort's, and is counted there.
  const sorted = namesOf(sort.kernels);
  const ofAddition = added.filter((name) => !sorted.includes(name));
  const row: Row = {
    curve,
    log,
    distribution,
    strategy: strategy.name,
    windowBits: bases.plan.windowBits,
    wall,
    sort: medianOf(sorted),
    accumulate: medianOf(ofAddition),
    reduce: medianOf(namesOf(reduce.kernels)),
    stages: Object.fromEntries(ofAddition.map((name) => [name.replace('affine-levels-', ''), medianOf([name])])),
    scratchBytes: msm.scratchBytes,
  };
  rows.push(row);
  print(row);
}

/** Makes the affine result of sums, and throws where it is wrong. */
function finisher({ kernel, points, distinct }: Operands, scalars: Uint8Array, what: string) {
  const expected = multipleBytes(CURVES[curve], expectedFactor(CURVES[curve], points, scalars, distinct));
  return async ({ sums, windowBits }: StrategySums): Promise<void> => {
    const form = pointForm(curve, 'g1');
    expectEqual(await kernel.reduceWindows({ group: 'g1', form, sums, windowBits }), expected, what);
  };
}

function print({ log, distribution, strategy, windowBits, wall, sort, accumulate, reduce, stages, ...row }: Row): void {
  const head = `2^${log} ${distribution.padEnd(9)} c ${`${windowBits}`.padStart(2)} ${strategy.padEnd(38)}`;
  const time = `wall ${median(wall).toFixed(2)} (${Math.min(...wall).toFixed(2)})`;
  const byPart = `sort ${sort.toFixed(2)} add ${accumulate.toFixed(2)} reduce ${reduce.toFixed(2)}`;
  console.log(`${head} ${time}  ${byPart}  ${Math.round(row.scratchBytes / 2 ** 20)} MiB`);
  const byStage = Object.entries(stages).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  console.log(`    ${byStage.join(', ')}`);
}
