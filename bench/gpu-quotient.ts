import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CURVES, type CurveId } from '../sdk/curves/index.js';
import type { GpuScalars } from '../sdk/executors/gpu/gpu-scalars.js';
import { type ConstraintFacts, GpuQuotient } from '../sdk/executors/gpu/polynomials/gpu-quotient.js';
import { type GpuDevice, openDevice } from '../sdk/executors/gpu/runtime/device.js';
import { BufferUsage, MapMode } from '../sdk/executors/gpu/runtime/flags.js';
import { StageTimer, type StageTimes } from '../sdk/executors/gpu/runtime/stage-timer.js';
import type { Kernel } from '../sdk/executors/workers/kernel/kernel.js';
import { quotientOfWitness } from '../tests/support/quotient-of-witness.js';
import { quotientOnWorkers } from '../tests/support/workers-quotient.js';
import { makeConstraintSystem } from './lib/constraint-system.js';
import { expectEqual, loadKernel } from './lib/kernel.js';
import { median } from './lib/measure.js';
import { makeScalars } from './lib/points.js';
import { numbersOption, textOption } from './lib/report.js';
import { warmUp } from './lib/warm-up.js';

/**
 * Measures the quotient of a Groth16 proof on the GPU through Dawn in Node. `all` is wall time from the witness on the
 * CPU to the scalars on the GPU, with resident constraints and compiled pipelines. `constraints` and `transforms`
 * (three inverse and three forward ones, and the products of vectors) are GPU time by timestamp queries, on an instance
 * of their own. The result is compared with that of the workers' kernel before anything is timed, and the GPU's clock
 * is raised first (`warmUp`). `idle` is `all` once more, after the GPU has done nothing for some seconds: what a single
 * proof meets. The benchmark is one bundled file, with the .wasm files beside it, and runs on a bare machine; there
 * WEBGPU_PATH names Dawn's entry module, if Dawn is not installed as a package.
 *
 * Options: `--sizes 16,18,20` (logarithms of the domain), `--runs 7`, `--curves bn254,bls12-381`, `--idle 5` (seconds
 * without work before the run on an idle GPU; left out, there is no such run), `--json FILE`.
 */
// NVIDIA's driver keeps compiled kernels on disk. In an empty folder the first creation of the pipelines is a cold one.
process.env.__GL_SHADER_DISK_CACHE_PATH = mkdtempSync(join(tmpdir(), 'gpu-quotient-shaders-'));
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
// Dawn rounds timestamps to 65 microseconds unless told otherwise, and many dispatches take less.
const instance = create(['disable-dawn-features=timestamp_quantization']);
// If Dawn's instance is collected as garbage, the process ends.
Object.assign(globalThis, { dawnInstance: instance });

/** Kernels whose time is that of the constraints; the others' is that of the transforms. */
const CONSTRAINT_STAGES = ['sum-entries', 'join-rows'];

interface Row {
  readonly curve: CurveId;
  readonly log: number;
  readonly entries: number;
  /** Wall milliseconds from the section's bytes to resident constraints. */
  readonly loadMs: number;
  readonly constraintBytes: number;
  /** Bytes of constraints, factors, buffers and the result. */
  readonly bytes: number;
  /** Wall milliseconds of the runs. */
  readonly all: readonly number[];
  /** Wall milliseconds of a run on an idle GPU, where asked for. */
  readonly idle: number | undefined;
  /** GPU milliseconds of the stages, medians; none where the device does not tell. */
  readonly stages: StageTimes;
}

const RUNS = numbersOption('--runs', [7])[0]!;
const [IDLE_SECONDS] = numbersOption('--idle', []);
const gpu = await openDevice(instance);
const sizes = numbersOption('--sizes', gpu.info.isSoftware ? [10] : [16, 18, 20]);
const curves = (textOption('--curves')?.split(',') ?? ['bn254', 'bls12-381']) as CurveId[];
const { vendor, architecture, description } = gpu.info;
const title = `quotient on ${vendor} ${architecture} ${description}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}`;
console.log(title);
console.log(
  line([
    'curve',
    'domain',
    'entries',
    'load ms',
    'MB',
    'system MB',
    'constraints',
    'transforms',
    'all',
    'min',
    'max',
    'idle',
  ]),
);
const rows: Row[] = [];
for (const curve of curves) await benchCurve(curve);
const json = textOption('--json');
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ title, rows }, undefined, 1)}\n`);
process.exit(0);

async function benchCurve(curve: CurveId): Promise<void> {
  const kernel = await loadKernel(curve);
  const start = performance.now();
  const quotient = await GpuQuotient.create(gpu, curve);
  const one = await quotient.loadConstraints(new Uint8Array(), { domainSize: 1, variables: 1 });
  console.log(`${curve}: all pipelines ${(performance.now() - start).toFixed(0)} ms`);
  one.release();
  const measured = await GpuQuotient.create(gpu, curve, { stageTimer: StageTimer });
  for (const log of sizes) await benchSize(kernel, curve, quotient, measured, log);
  quotient.destroy();
  measured.destroy();
}

async function benchSize(
  kernel: Kernel,
  curve: CurveId,
  quotient: GpuQuotient,
  measured: GpuQuotient,
  log: number,
): Promise<void> {
  const facts = { domainSize: 2 ** log, variables: 2 ** log };
  const { section, entries } = makeConstraintSystem(CURVES[curve], facts.domainSize);
  const witness = makeScalars(CURVES[curve], facts.variables, 'circuit');
  const expected = await quotientOnWorkers(kernel, section, facts, witness);

  const start = performance.now();
  const constraints = await quotient.loadConstraints(section, facts);
  const loadMs = performance.now() - start;
  const first = await quotientOfWitness(quotient, constraints, witness);
  const bytes = quotient.memoryBytes;
  expectEqual(await readBack(gpu, first), expected, `${curve} 2^${log}`);
  await freed(first);
  const timed = async (): Promise<number> => {
    const begin = performance.now();
    const scalars = await quotientOfWitness(quotient, constraints, witness);
    const ms = performance.now() - begin;
    await freed(scalars);
    return ms;
  };
  await warmUp(timed);
  const all: number[] = [];
  while (all.length < RUNS) all.push(await timed());
  const stages = await stageTimes(measured, section, facts, witness);
  const idle = IDLE_SECONDS === undefined ? undefined : await afterSeconds(IDLE_SECONDS, timed);
  const constraintBytes = constraints.bytes;
  constraints.release();
  const row: Row = { curve, log, entries, loadMs, constraintBytes, bytes, all, idle, stages };
  rows.push(row);
  print(row);
}

/** The median time of each stage. */
async function stageTimes(
  measured: GpuQuotient,
  section: Uint8Array,
  facts: ConstraintFacts,
  witness: Uint8Array,
): Promise<StageTimes> {
  const constraints = await measured.loadConstraints(section, facts);
  const run = async (): Promise<StageTimes> => {
    await freed(await quotientOfWitness(measured, constraints, witness));
    return measured.stageTimes ?? {};
  };
  await warmUp(run);
  const times: StageTimes[] = [];
  while (times.length < RUNS) times.push(await run());
  constraints.release();
  return Object.fromEntries(
    Object.keys(times[0] ?? {}).map((name) => [name, median(times.map((each) => each[name]!))]),
  );
}

function print({ curve, log, entries, loadMs, constraintBytes, bytes, all, idle, stages }: Row): void {
  const sumOf = (wanted: boolean): string => {
    const some = Object.entries(stages).filter(([name]) => CONSTRAINT_STAGES.includes(name) === wanted);
    return some.length === 0 ? '-' : some.reduce((sum, [, ms]) => sum + ms, 0).toFixed(2);
  };
  const cells = [
    curve,
    `2^${log}`,
    String(entries),
    loadMs.toFixed(0),
    (bytes / 1e6).toFixed(0),
    (constraintBytes / 1e6).toFixed(1),
    sumOf(true),
    sumOf(false),
    median(all).toFixed(2),
    Math.min(...all).toFixed(2),
    Math.max(...all).toFixed(2),
    idle?.toFixed(2) ?? '-',
  ];
  console.log(line(cells));
}

async function afterSeconds<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  return work();
}

/** Releases scalars, and waits until their memory is free. */
async function freed(scalars: GpuScalars): Promise<void> {
  scalars.release();
  await gpu.turns.run(async () => undefined);
}

async function readBack({ device }: GpuDevice, { buffer }: GpuScalars): Promise<Uint8Array> {
  const target = device.createBuffer({ size: buffer.size, usage: BufferUsage.MAP_READ | BufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, target, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await target.mapAsync(MapMode.READ);
  const bytes = new Uint8Array(target.getMappedRange()).slice();
  target.destroy();
  return bytes;
}

function line(cells: readonly string[]): string {
  return cells.map((cell, i) => (i < 2 ? cell.padEnd(i === 0 ? 10 : 6) : cell.padStart(11))).join(' ');
}
