import type { AdapterTimes, MapRow, PerformanceMap } from '../../api/index.js';
import { withTimeout } from '../../base/abort.js';
import { isObject, ownMembers } from '../../base/records.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../bases/digits.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import type { Products } from '../../executors/gpu/runtime/device.js';
import type { Backends } from '../backends.js';
import type { Call } from '../call.js';
import { checkByWeights } from '../msm-bases.js';
import { type ComparedMsm, compareProducts, onlyRight, rightResultAtEdges } from './compare-products.js';
import { measureRows, warmUp } from './measure.js';
import { newMap } from './new-map.js';
import { MAP_FORMAT } from './performance-map.js';
import { SampleBases } from './sample-bases.js';
import type { Measurement } from './stopwatch.js';
import { type TunableMsm, tunableMsm } from './tunable-msm.js';

export { probeProducts } from './probe-products.js';

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
  const { adapter, products, productTimes, rows } = value as Partial<AdapterTimes>;
  return (
    typeof adapter === 'string' &&
    isProducts(products) &&
    (productTimes === undefined || areTimes(productTimes)) &&
    isRows(rows)
  );
}

function isProducts(value: unknown): boolean {
  return (['limbs', 'unrolled', 'karatsuba', 'words', 'bytes'] satisfies Products[] as unknown[]).includes(value);
}

function areTimes(value: unknown): boolean {
  const { points, ms } = ownMembers(value);
  return (
    isCount(points) && isObject(ms) && Object.entries(ms).every(([kind, each]) => isProducts(kind) && isPositive(each))
  );
}

function isRows(value: unknown): value is readonly MapRow[] {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(row: unknown): row is MapRow {
  const { curve, group, points, windowBits, chunks, largeBucketFactor, digits, sparse, withMultiples } =
    ownMembers(row);
  return (
    typeof curve === 'string' &&
    Object.hasOwn(CURVES, curve) &&
    (group === 'g1' || group === 'g2') &&
    isCount(points) &&
    (windowBits === undefined || isWindow(windowBits)) &&
    (chunks === undefined || isCount(chunks)) &&
    (largeBucketFactor === undefined || isPositive(largeBucketFactor)) &&
    (digits === undefined || digits === 'workers') &&
    isTime(row) &&
    (sparse === undefined || isTime(sparse)) &&
    (withMultiples === undefined || (Array.isArray(withMultiples) && withMultiples.every(isMultiples)))
  );
}

function isTime(value: unknown): boolean {
  const { work, ms, checkedMs } = ownMembers(value);
  return isCount(work) && isPositive(ms) && (checkedMs === undefined || isPositive(checkedMs));
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

/** The part of the time that the GPU's measurements take; the workers have no windows to try, but take longer. */
const TIME_OF_GPU = 0.65;

/** An idle H200 needs 300 ms of work to raise its clock; the workers' code is optimised after some runs. */
const WARM_UP_MS = { hardware: 300, software: 0, workers: 100 } as const;

/**
 * The timeout for compiling the kernels with other kinds of products before anything is measured, as a multiple of the
 * time to measure. Compiled meanwhile they would make the GPU seem slow.
 */
const TIME_OF_COMPILER = 10;

/** The part of the GPU's time in which kinds of products are compared. */
const TIME_OF_PRODUCTS = 0.25;

/** The times of MSMs over G1 on this machine, on the workers and, if there is one, on the GPU. */
export async function measureDevice(
  backends: Backends,
  call: Call,
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
  return newMap({ threads: backends.pool.size, rows: workers }, gpu);
}

interface CurveTuning {
  readonly maxMs: number;
  readonly meters: Readonly<Record<'gpu' | 'workers', (fraction: number) => void>>;
  /** The kind of products to measure with; undefined for the fastest one. */
  readonly products: Products | undefined;
}

async function tuneCurve(
  backends: Backends,
  call: Call,
  curve: CurveId,
  tuning: CurveTuning,
): Promise<{ workers: MapRow[]; gpu: AdapterTimes | undefined }> {
  const { signal } = call;
  const { maxMs, meters } = tuning;
  await backends.openCurve(curve, ['g1']);
  const check = checkByWeights(backends);
  const onGpu = await backends.tunableOnGpu(curve, 'g1', (device, onGroup, id, group, options) =>
    tunableMsm(device, onGroup, id, group, { ...options, check }),
  );
  const arithmetic = backends.arithmeticFor(curve, 'g1', signal);
  const bases = await SampleBases.prepare(backends.pool, arithmetic, curve, 'g1', signal);
  const gpu = onGpu && (await tuneGpu(backends, call, { onGpu, curve, bases }, tuning));
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
}

async function tuneGpu(
  backends: Backends,
  call: Call,
  { onGpu, curve, bases }: { readonly onGpu: TunableMsm; readonly curve: CurveId; readonly bases: SampleBases },
  { maxMs, meters, products }: CurveTuning,
): Promise<AdapterTimes> {
  const { signal } = call;
  const { adapter, backend, usual, multiplesOf, isSoftware } = onGpu;
  // The GPU is warm when kinds of products are compared.
  const trial = { curve, bases, turn: async () => undefined, signal, leastMs: 0 };
  const right = await rightResultAtEdges(backends, backend, trial);
  const wanted = onGpu.otherProducts.filter((each) => (products ?? each) === each);
  const compiled = await compiledWithin(TIME_OF_COMPILER * maxMs, onGpu, wanted);
  try {
    const others = await onlyRight(compiled, right, trial);
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
    return await call.span('tune', 'webgpu', async () => {
      await warmUp(measurement, curve);
      const deadline = performance.now() + TIME_OF_PRODUCTS * TIME_OF_GPU * maxMs;
      const { fastest, times } =
        products === undefined
          ? await compareProducts(onGpu, others, { ...trial, deadline })
          : { fastest: others[0] ?? onGpu, times: undefined };
      const rows = await measureRows(
        { ...measurement, backend: fastest.backend, checked: fastest.checked },
        curve,
        'g1',
      );
      return { adapter, products: fastest.products, ...(times && { productTimes: times }), rows };
    });
  } finally {
    for (const other of compiled) other.destroy();
  }
}

/** MSMs by other kinds of products: those whose kernels are compiled within so many milliseconds. */
async function compiledWithin(ms: number, onGpu: TunableMsm, kinds: readonly Products[]): Promise<ComparedMsm[]> {
  const compiled: ComparedMsm[] = [];
  let isLate = false;
  const all = kinds.map(async (kind) => {
    const msm = await onGpu.compile(kind);
    if (isLate) msm.destroy();
    else compiled.push(msm);
  });
  await withTimeout(ms, 'the compiler', () => Promise.allSettled(all)).catch(() => undefined);
  isLate = true;
  return compiled;
}
