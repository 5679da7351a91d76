import { writeFileSync } from 'node:fs';
import type { MapRow } from '../sdk/api/index.js';
import { finishing } from '../sdk/bases/finishing.js';
import { hostScalars } from '../sdk/bases/scalar-vector.js';
import type { CurveId } from '../sdk/curves/index.js';
import { measureRows, warmUp } from '../sdk/engine/tune/measure.js';
import { sampleScalars } from '../sdk/engine/tune/sample-bases.js';
import type { Measurement } from '../sdk/engine/tune/stopwatch.js';
import { GpuMsm } from '../sdk/executors/gpu/msm/gpu-msm.js';
import { openDevice } from '../sdk/executors/gpu/runtime/device.js';
import { kernelArithmetic } from '../tests/support/kernel-checks.js';
import { expectEqual } from './lib/kernel.js';
import { makeOperands } from './lib/operands.js';
import { numbersOption, textOption } from './lib/report.js';

/**
 * Compares the windows that `Prover.tune` finds on the GPU with an exhaustive search over all windows and with those of
 * the model: the milliseconds of each, the fastest of `--runs`, all timed in turn after the search. The model's are
 * shown twice: with the rates that are assumed, and with those that are measured when a prover without a map starts.
 * All sums of a size must be the same. One bundled file, as gpu-msm.
 *
 * Options: `--curves bn254`, `--max-ms 3000` (what tune may take for each curve), `--runs 7`, `--windows 6,18` (the
 * first and the last window), `--json FILE`.
 */
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
const instance = create([]);
// If Dawn's instance is collected as garbage, the process ends.
Object.assign(globalThis, { dawnInstance: instance });

/** The most points that `tune` measures with. */
const MOST_POINTS = 2 ** 18;

interface Row {
  readonly curve: CurveId;
  readonly points: number;
  /** Windows and their milliseconds: the one that was found, the model's by either rates, and the best of all. */
  readonly found: readonly [windowBits: number, ms: number];
  readonly model: readonly [windowBits: number, ms: number];
  readonly measuredModel: readonly [windowBits: number, ms: number];
  readonly best: readonly [windowBits: number, ms: number];
}

const maxMs = numbersOption('--max-ms', [3000])[0]!;
const runs = numbersOption('--runs', [7])[0]!;
const [firstWindow = 6, lastWindow = 18] = numbersOption('--windows', [6, 18]);
const curves = (textOption('--curves')?.split(',') ?? ['bn254']) as CurveId[];
const gpu = await openDevice(instance);
const { vendor, architecture, description } = gpu.info;
const title = `tune on ${vendor} ${architecture} ${description}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}`;
console.log(title);
const rows: Row[] = [];
for (const curve of curves) await benchCurve(curve);
const json = textOption('--json');
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ title, rows }, undefined, 1)}\n`);
process.exit(0);

async function benchCurve(curve: CurveId): Promise<void> {
  const { kernel, prepared } = await makeOperands(curve, 'g1', MOST_POINTS);
  const msm = await GpuMsm.create(gpu, curve, 'g1');
  await msm.ready;
  const began = performance.now();
  const measured = await GpuMsm.create(gpu, curve, 'g1', { measureRates: true });
  await measured.ready;
  const { concurrency, uploadCost } = measured.rates;
  const rates = `${concurrency} additions at a time, a scalar's way takes ${uploadCost.toFixed(1)}`;
  console.log(`${curve}: rates in ${(performance.now() - began).toFixed(0)} ms: ${rates}`);
  const { signal } = new AbortController();
  const measurement: Measurement = {
    backend: finishing(msm, kernelArithmetic(kernel)),
    bases: { take: prepared },
    usual: (points) => msm.usual(points),
    warmUpMs: 300,
    deadline: 0,
    signal,
    onProgress: () => undefined,
  };
  const start = performance.now();
  await warmUp(measurement, curve);
  const found = await measureRows({ ...measurement, deadline: start + maxMs }, curve, 'g1');
  console.log(`${curve}: tune took ${(performance.now() - start).toFixed(0)} ms`);
  for (const row of found) await compare(measurement, [msm, measured], curve, row);
  msm.destroy();
  measured.destroy();
}

async function compare(
  { backend, bases }: Measurement,
  [msm, measured]: readonly [GpuMsm, GpuMsm],
  curve: CurveId,
  row: MapRow,
): Promise<void> {
  const { points } = row;
  const resident = await backend.load(bases.take(points));
  const scalars = hostScalars(sampleScalars(curve, points));
  const times = new Map<number, number>();
  let known: Uint8Array | undefined;
  // Run by run through all windows, so that none has a quieter time than others. The first run makes buffers.
  for (let run = 0; run <= runs; run++) {
    for (let bits = firstWindow; bits <= lastWindow; bits++) {
      const start = performance.now();
      const [sum] = await backend.multiplyBatch(resident, scalars, 1, { windowBits: bits });
      const ms = performance.now() - start;
      known ??= sum!.point;
      expectEqual(sum!.point, known, `${curve} ${points} points, windows of ${bits} bits`);
      if (run > 0) times.set(bits, Math.min(ms, times.get(bits) ?? ms));
    }
  }
  resident.release();
  const timeOf = (bits: number) => [bits, times.get(bits) ?? Number.NaN] as const;
  const [best] = [...times].sort(([, a], [, b]) => a - b);
  const result: Row = {
    curve,
    points,
    found: timeOf(row.windowBits!),
    model: timeOf(msm.usual(points).windowBits),
    measuredModel: timeOf(measured.usual(points).windowBits),
    best: best!,
  };
  rows.push(result);
  const show = ([bits, ms]: readonly [number, number]): string => `${bits} bits ${ms.toFixed(2)} ms`;
  const ratio = (result.found[1] / best![1]).toFixed(2);
  const models = `model ${show(result.model)}, by measured rates ${show(result.measuredModel)}`;
  console.log(
    `${curve} 2^${Math.log2(points)}: found ${show(result.found)} (${ratio} of the best), ${models}, best ${show(best!)}`,
  );
}
