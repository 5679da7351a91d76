import { readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CompleteMsmBackend, ResidentBases } from '../sdk/bases/backend.js';
import { poolChecks } from '../sdk/bases/check-arithmetic.js';
import { finishing } from '../sdk/bases/finishing.js';
import { poolArithmetic } from '../sdk/bases/point-arithmetic.js';
import { hostScalars } from '../sdk/bases/scalar-vector.js';
import { cutRange } from '../sdk/bases/split/layout.js';
import { EQUAL_RATES, splitBackend } from '../sdk/bases/split/split-backend.js';
import type { SplitBases } from '../sdk/bases/split/split-msm.js';
import { CURVES, type CurveId } from '../sdk/curves/index.js';
import { GpuMsm } from '../sdk/executors/gpu/msm/gpu-msm.js';
import { openDevice } from '../sdk/executors/gpu/runtime/device.js';
import { adapterName } from '../sdk/executors/gpu/runtime/device-info.js';
import { RemoteGpu } from '../sdk/executors/remote/remote-gpu.js';
import { KernelPool } from '../sdk/executors/workers/pool/pool.js';
import { WasmMsm } from '../sdk/executors/workers/pool/wasm-msm.js';
import { MemoryFile } from '../sdk/transport/memory-file.js';
import { nodeProcessChannel } from '../sdk/transport/node-process.js';
import { nodeWorkerChannel } from '../sdk/transport/node-worker.js';
import { expectEqual, fastestModules } from './lib/kernel.js';
import { type Contender, compare, type Measurement } from './lib/measure.js';
import { makeOperands, type Operands } from './lib/operands.js';
import { expectedFactor, makeScalars, multipleBytes } from './lib/points.js';
import { numbersOption, textOption } from './lib/report.js';
import { warmUp } from './lib/warm-up.js';

/**
 * Compares sums on one executor with sums that several share: milliseconds of wall time from scalars on the CPU to the
 * affine result, medians of runs in turn. Bases are loaded, and the result of every run is checked. The bundled file
 * needs the folder `split` and the .wasm files beside it, Node and Dawn (WEBGPU_PATH names its entry module if it is
 * not installed as a package).
 *
 * Without `--devices`: the GPU, the workers, and both together. With `--devices N`: one GPU and N of them, one in this
 * process and each other one in a process of its own. Where the machine has N files /dev/nvidia*, each process sees
 * another one (by `unshare`, as root), and this one is taken to use the first; elsewhere all use the same adapter,
 * which shows only that it works.
 *
 * Options: `--sizes 16,18` (logarithms of the numbers of points), `--runs 9`, `--threads N`, `--curves bn254`, `--json
 * FILE`. With OUT in the environment the rows go to OUT/split.json, too.
 */
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
const instance = create([]);
// If Dawn's instance is collected as garbage, the process ends.
Object.assign(globalThis, { dawnInstance: instance });

/** Calls after which shares have settled. */
const SETTLING_CALLS = 14;

/** Dawn in Node finds the first GPU: others are hidden from a process that is to use another one. */
const HIDE_OTHERS = 'for d in $PIPPIN_HIDDEN; do mount --bind /dev/null $d || exit 1; done; exec "$@"';

interface Row {
  readonly curve: CurveId;
  readonly log: number;
  readonly contenders: readonly Measurement[];
  /** The part of the points that each sharer had in the end. */
  readonly shares: readonly number[];
  /** How many times as fast as the fastest of the others all together were. */
  readonly gain: number;
}

const device = await openDevice(instance);
const { isSoftware } = device.info;
const deviceCount = numbersOption('--devices', [1])[0]!;
const usual = deviceCount > 1 ? [20, 22, 24] : [10, 12, 14, 16, 18, 20];
const sizes = numbersOption('--sizes', isSoftware ? [8, 10, 12] : usual);
const runs = numbersOption('--runs', [9])[0]!;
const threads = numbersOption('--threads', [Math.min(16, availableParallelism())])[0]!;
const curves = (textOption('--curves')?.split(',') ?? ['bn254']) as CurveId[];
const title = `split MSMs, ${adapterName(device.info)}, ${deviceCount} GPUs, ${threads} workers, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}`;
console.log(title);

const pool = new KernelPool(() => nodeWorkerChannel(new URL('./split/kernel-node.js', import.meta.url)), threads);
const remotes = openRemotes(deviceCount - 1);
for (const remote of remotes) console.log(`${remote.name}: ${adapterName(await remote.opened)}`);
const rows: Row[] = [];
for (const curve of curves) await benchCurve(curve);
report();
for (const remote of remotes) remote.dispose();
await pool.dispose();
process.exit(0);

function openRemotes(count: number): RemoteGpu[] {
  const found = readdirSync('/dev').filter((name) => /^nvidia\d+$/.test(name));
  const gpus = found.sort((a, b) => Number(a.slice(6)) - Number(b.slice(6))).map((name) => `/dev/${name}`);
  const canHide = gpus.length > count;
  if (count > 0 && !canHide) console.log('fewer GPUs than processes: all use the same adapter');
  return Array.from({ length: count }, (_, i) => {
    const hidden = gpus.filter((_path, k) => k !== i + 1).join(' ');
    const window = MemoryFile.open();
    const channel = nodeProcessChannel({
      script: new URL('./split/device-node.js', import.meta.url),
      command: canHide ? ['unshare', '-m', 'sh', '-c', HIDE_OTHERS, '--'] : [],
      env: { PIPPIN_HIDDEN: hidden },
      inherited: window?.descriptor,
    });
    return new RemoteGpu(`device ${i + 1}`, { channel, window }, undefined);
  });
}

async function benchCurve(curve: CurveId): Promise<void> {
  await pool.open(curve, fastestModules(curve));
  const operands = await makeOperands(curve, 'g1', 2 ** Math.max(...sizes));
  const msm = await GpuMsm.create(device, curve, 'g1');
  const arithmeticFor = poolArithmetic(pool);
  const wasm = new WasmMsm(pool);
  const gpu = finishing(msm, arithmeticFor);
  const sharers = {
    curve,
    group: 'g1',
    gpu: {
      capabilities: gpu.capabilities,
      current: () => Promise.resolve(gpu),
      isReady: () => true,
      isRequired: true,
      distrust: () => undefined,
    },
    remotes,
    rates: EQUAL_RATES,
    waits: true,
    arithmeticFor,
    checks: poolChecks(pool),
    trusted: finishing(wasm, arithmeticFor),
  } as const;
  const several = deviceCount > 1;
  const together = splitBackend({ ...sharers, workers: several ? undefined : { msm: wasm, count: threads } });
  const alone: [string, CompleteMsmBackend][] = [['one GPU', gpu]];
  if (several) alone.push(['another process', finishing(remotes[0]!.msm(curve, 'g1'), arithmeticFor)]);
  else alone.push(['workers', finishing(wasm, arithmeticFor)]);
  for (const log of sizes) await benchSize(operands, log, alone, [several ? `${deviceCount} GPUs` : 'split', together]);
  msm.destroy();
}

async function benchSize(
  operands: Operands,
  log: number,
  alone: readonly [string, CompleteMsmBackend][],
  [name, together]: [string, CompleteMsmBackend],
): Promise<void> {
  const { curve, points, distinct } = operands;
  const count = 2 ** log;
  const prepared = operands.prepared(count);
  const bytes = makeScalars(CURVES[curve], count, 'uniform');
  const expected = multipleBytes(CURVES[curve], expectedFactor(CURVES[curve], points, bytes, distinct));
  const loaded: ResidentBases[] = [];
  const contenders: Contender[] = [];
  for (const [who, backend] of [...alone, [name, together] as const]) {
    const resident = await backend.load(prepared);
    loaded.push(resident);
    contenders.push({
      name: who,
      run: async () => (await backend.multiplyBatch(resident, hostScalars(bytes), 1))[0]!.point,
      check: (point) => expectEqual(point as Uint8Array, expected, `${curve}, 2^${log} points, ${who}`),
    });
  }
  const shared = contenders.at(-1)!;
  for (let call = 0; call < SETTLING_CALLS; call++) await shared.run();
  if (!isSoftware) await warmUp(async () => shared.run());
  const measured = await compare(contenders, runs);
  const best = Math.min(...measured.slice(0, -1).map(({ median }) => median));
  const rates = (loaded.at(-1) as SplitBases).membersFor('usual').map(({ rate }) => rate.value);
  const shares = cutRange({ from: 0, to: count }, rates).map(({ from, to }) => (to - from) / count);
  const row = { curve, log, contenders: measured, shares, gain: best / measured.at(-1)!.median };
  rows.push(row);
  print(row);
  for (const resident of loaded) resident.release();
}

function print({ curve, log, contenders, shares, gain }: Row): void {
  const times = contenders.map(({ name, median, min }) => `${name} ${median.toFixed(2)} (min ${min.toFixed(2)})`);
  const percents = shares.map((share) => `${(100 * share).toFixed(0)}%`).join(' ');
  console.log(`${curve} 2^${log}: ${times.join(', ')}; ${gain.toFixed(2)}x the faster one alone; shares ${percents}`);
}

function report(): void {
  const text = `${JSON.stringify({ title, runs, rows }, undefined, 1)}\n`;
  const json = textOption('--json');
  if (json !== undefined) writeFileSync(json, text);
  if (process.env.OUT !== undefined) writeFileSync(join(process.env.OUT, 'split.json'), text);
}
