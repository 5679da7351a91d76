import type { AdapterTimes, MapRow, PerformanceMap } from '../../api/index.js';
import { withTimeout } from '../../base/abort.js';
import { isObject, ownMembers } from '../../base/is-object.js';
import type { SumBackend } from '../../bases/backend.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../bases/digits.js';
import { hostScalars } from '../../bases/scalar-vector.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import type { Products } from '../../executors/gpu/runtime/device.js';
import { attempt, type Way } from '../../recovery/attempt.js';
import type { Backends } from '../backends.js';
import type { Call } from '../call.js';
import { expectSame, type Measurement, measureRows, measureSize, warmUp } from './measure.js';
import { MAP_FORMAT } from './performance-map.js';
import { SampleBases, sampleScalars } from './sample-bases.js';
import { type TunableSums, tunableSums } from './tunable-sums.js';

/** A map, whose objects inherit nothing, or a few words on what is wrong with it. */
export function readMap(value: unknown): PerformanceMap | string {
  if (!isObject(value)) return 'expected a performance map as an object';
  const map = ownMembers(value);
  if (map.format !== MAP_FORMAT) return `expected a performance map of format ${MAP_FORMAT}`;
  if (typeof map.made !== 'string' || typeof map.platform !== 'string') return 'expected when and where it was made';
  const workers = ownMembers(map.workers);
  if (!isCount(workers.threads)) return 'expected the number of threads of its workers';
  if (!isRows(workers.rows)) return 'expected rows of the workers';
  const gpu = map.gpu === undefined ? undefined : ownMembers(map.gpu);
  if (gpu !== undefined && !isAdapterTimes(gpu)) return 'expected an adapter with its rows';
  return ownMembers({
    ...(map as unknown as PerformanceMap),
    workers: { threads: workers.threads, rows: ownRows(workers.rows) },
    ...(gpu && { gpu: { ...gpu, rows: ownRows(gpu.rows) } }),
  });
}

function ownRows(rows: readonly MapRow[]): readonly MapRow[] {
  return rows.map((row) => ownMembers(row));
}

function isAdapterTimes(value: object): value is AdapterTimes {
  const { adapter, products, rows } = value as Partial<AdapterTimes>;
  return typeof adapter === 'string' && (products === 'limbs' || products === 'bytes') && isRows(rows);
}

function isRows(value: unknown): value is readonly MapRow[] {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(row: unknown): row is MapRow {
  const { curve, group, points, windowBits, chunks, largeBucketFactor, digits, ms, withMultiples } = ownMembers(row);
  return (
    typeof curve === 'string' &&
    Object.hasOwn(CURVES, curve) &&
    (group === 'g1' || group === 'g2') &&
    isCount(points) &&
    (windowBits === undefined || isWindow(windowBits)) &&
    (chunks === undefined || isCount(chunks)) &&
    (largeBucketFactor === undefined || isPositive(largeBucketFactor)) &&
    (digits === undefined || digits === 'workers') &&
    isPositive(ms) &&
    (withMultiples === undefined || (Array.isArray(withMultiples) && withMultiples.every(isMultiples)))
  );
}

function isMultiples(value: unknown): boolean {
  const { multiples, windowBits, rows, ms } = ownMembers(value);
  return isCount(multiples) && isWindow(windowBits) && isCount(rows) && isPositive(ms);
}

function isWindow(value: unknown): boolean {
  return isCount(value) && value >= MIN_WINDOW_BITS && value <= MAX_WINDOW_BITS;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** The part of the time that the GPU's measurements take; the workers have no windows to try. */
const TIME_OF_GPU = 0.75;

/** An idle H200 needs 300 ms of work to raise its clock; the workers' code is optimised after some runs. */
const WARM_UP_MS = { hardware: 300, software: 0, workers: 100 } as const;

/** The size at which the GPU's result is compared with the workers'. */
const CHECKED_POINTS = 2 ** 10;

/**
 * The timeout for compiling the kernels with the other form of products before anything is measured, as a multiple of
 * the time to measure. Compiled meanwhile they would make the GPU seem slow.
 */
const TIME_OF_COMPILER = 10;

/** The size at which the forms of products are compared. */
const PRODUCTS_POINTS = 2 ** 14;

/** How much faster the other form of products must be to be taken. */
const CLEARLY_FASTER = 0.95;

/** The times of MSMs over G1 on this machine, on the workers and, if there is one, on the GPU. */
export async function measureDevice(
  backends: Backends,
  call: Call,
  platform: string,
  curves: readonly CurveId[],
  maxMs: number,
): Promise<PerformanceMap> {
  const meters = curves.map(() => ({
    gpu: call.meter('tune', TIME_OF_GPU),
    workers: call.meter('tune', 1 - TIME_OF_GPU),
  }));
  const workers: MapRow[] = [];
  let gpu: AdapterTimes | undefined;
  for (const [i, curve] of curves.entries()) {
    const found = await tuneCurve(backends, call, curve, {
      maxMs: maxMs / curves.length,
      meters: meters[i]!,
      products: gpu?.products,
    });
    workers.push(...found.workers);
    // Rows with other products than the first curve's would not match the products that a prover uses.
    if (found.gpu !== undefined && (gpu === undefined || gpu.products === found.gpu.products)) {
      gpu = { ...found.gpu, rows: [...(gpu?.rows ?? []), ...found.gpu.rows] };
    }
  }
  return {
    format: MAP_FORMAT,
    made: new Date().toISOString(),
    platform,
    workers: { threads: backends.pool.size, rows: workers },
    ...(gpu === undefined ? {} : { gpu }),
  };
}

interface CurveTuning {
  readonly maxMs: number;
  readonly meters: Readonly<Record<'gpu' | 'workers', (fraction: number) => void>>;
  /** The form of products to measure with; undefined for the faster one. */
  readonly products: Products | undefined;
}

async function tuneCurve(
  backends: Backends,
  call: Call,
  curve: CurveId,
  { maxMs, meters, products }: CurveTuning,
): Promise<{ workers: MapRow[]; gpu: AdapterTimes | undefined }> {
  const { signal } = call;
  await backends.openCurve(curve, ['g1']);
  const onGpu = await backends.tunableOnGpu(curve, 'g1', tunableSums);
  try {
    const bases = await SampleBases.prepare(
      backends.pool,
      backends.arithmeticFor(curve, 'g1', signal),
      curve,
      'g1',
      signal,
    );
    let gpu: AdapterTimes | undefined;
    if (onGpu !== undefined) {
      const { backend, usual, multiplesOf, isSoftware } = onGpu;
      // Nobody needs the GPU to measure it: only a wrong result counts against it.
      const first: Way = { by: 'gpu', executor: { ...backends.gpuExecutor, isRequired: true } };
      await attempt({ first, rungs: {} }, () => expectSameSums([backend, backends.workers], bases, curve, signal));
      const other = await compiledOther(onGpu, TIME_OF_COMPILER * maxMs);
      const measurement: Measurement = {
        backend,
        bases,
        usual,
        workersCutDigits: true,
        withMultiples: async (points, multiples) => {
          const plan = await multiplesOf(points, multiples);
          return plan?.multiples === multiples ? bases.takeWithMultiples(points, plan) : undefined;
        },
        warmUpMs: Math.min(WARM_UP_MS[isSoftware ? 'software' : 'hardware'], maxMs / 4),
        deadline: performance.now() + TIME_OF_GPU * maxMs,
        signal,
        onProgress: meters.gpu,
      };
      gpu = await call.span('tune', 'webgpu', () => measureGpu(onGpu, other, measurement, curve, products));
    }
    meters.gpu(1);
    const measurement: Measurement = {
      backend: backends.workers,
      bases,
      warmUpMs: Math.min(WARM_UP_MS.workers, maxMs / 4),
      deadline: performance.now() + (onGpu === undefined ? 1 : 1 - TIME_OF_GPU) * maxMs,
      signal,
      onProgress: meters.workers,
    };
    const workers = await call.span('tune', 'wasm', async () => {
      await warmUp(measurement, curve);
      return measureRows(measurement, curve, 'g1');
    });
    meters.workers(1);
    return { workers, gpu };
  } finally {
    onGpu?.other?.destroy();
  }
}

/** `RESULT_INVALID` when backends do not agree on an MSM: a map of a GPU that computes wrong would be worth nothing. */
async function expectSameSums(
  backends: readonly SumBackend[],
  bases: SampleBases,
  curve: CurveId,
  signal: AbortSignal,
): Promise<void> {
  const scalars = hostScalars(sampleScalars(curve, CHECKED_POINTS));
  const points: Uint8Array[] = [];
  for (const backend of backends) {
    const resident = await backend.load(bases.take(CHECKED_POINTS), undefined, { signal });
    try {
      const [sum] = await backend.multiplyBatch(resident, scalars, 1, { signal });
      points.push(sum!.point);
    } finally {
      resident.release();
    }
  }
  for (const point of points) expectSame(points[0]!, point);
}

/** A group's MSMs by form of products. */
type ByProducts = Pick<TunableSums, 'products' | 'backend'>;

/**
 * The MSMs with the other form of products; undefined if there are none, or their kernels are not compiled within so
 * many milliseconds.
 */
async function compiledOther({ other }: TunableSums, ms: number): Promise<ByProducts | undefined> {
  if (other === undefined) return undefined;
  const backend = await withTimeout(ms, 'the compiler', () => other.backend).catch(() => undefined);
  return backend && { products: other.products, backend };
}

/** The rows by these products, or by the faster ones if none are named. */
async function measureGpu(
  onGpu: TunableSums,
  other: ByProducts | undefined,
  measurement: Measurement,
  curve: CurveId,
  products: Products | undefined,
): Promise<AdapterTimes> {
  await warmUp(measurement, curve);
  let best: ByProducts = onGpu;
  if (other !== undefined && products !== onGpu.products) {
    const own = await measureSize(measurement, curve, PRODUCTS_POINTS);
    const byOther = await measureSize({ ...measurement, backend: other.backend }, curve, PRODUCTS_POINTS);
    if (products !== undefined || byOther.ms <= CLEARLY_FASTER * own.ms) best = other;
  }
  const rows = await measureRows({ ...measurement, backend: best.backend }, curve, 'g1');
  return { adapter: onGpu.adapter, products: best.products, rows };
}

/** The browser, or the runtime and its version. */
export function platformName(): string {
  return globalThis.navigator?.userAgent ?? `Node.js ${globalThis.process?.version ?? ''}`.trim();
}
