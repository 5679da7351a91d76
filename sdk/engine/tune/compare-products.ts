import type { ProductTimes } from '../../api/index.js';
import { throwIfAborted } from '../../base/abort.js';
import { equalBytes } from '../../base/bytes.js';
import { ownMembers } from '../../base/records.js';
import type { CompleteMsmBackend, ResidentBases } from '../../bases/backend.js';
import { hostScalars } from '../../bases/scalar-vector.js';
import type { CurveId } from '../../curves/index.js';
import type { Products } from '../../executors/gpu/runtime/device.js';
import { attempt, type FallibleExecutor, type Way } from '../../recovery/attempt.js';
import { edgeScalars, type SampleBases, sampleScalars } from './sample-bases.js';
import { expectSame } from './stopwatch.js';

/**
 * The sizes at which kinds of products may be compared. At the first ones a fast GPU waits for memory and submits: on
 * an H200 all kinds take the same time at 2^14 points, and differ by half at 2^18.
 */
const COMPARED_POINTS = [2 ** 14, 2 ** 16, 2 ** 18];

/** An MSM of so many milliseconds tells kinds of products apart. */
const TELLING_MS = 8;

/** The size at which results are compared with the workers'. */
const CHECKED_POINTS = 2 ** 10;

/** Timed runs of each kind at least, in turns; the fastest counts. A run before them, which makes buffers, does not. */
const RUNS = 5;

/** A kind must take at most this part of the time of the device's usual one to be taken. */
const CLEARLY_FASTER = 0.95;

/** A group's MSMs by a kind of field product. */
export interface MsmByProducts {
  readonly products: Products;
  readonly backend: CompleteMsmBackend;
  /** The same with the check by random weights; undefined where that is not measured. */
  readonly checked?: CompleteMsmBackend | undefined;
}

/** MSMs that are made for a comparison alone. */
export interface ComparedMsm extends MsmByProducts {
  destroy(): void;
}

/** What a comparison works with. */
export interface ProductsTrial {
  readonly curve: CurveId;
  readonly bases: Pick<SampleBases, 'take'>;
  /** Awaited before each MSM, such as until no call is pending. */
  readonly turn: () => Promise<void>;
  /** How many milliseconds the comparison takes at least. */
  readonly leastMs: number;
  /** When to end, by `performance.now()`: kinds that have not been timed by then are not taken. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Which kind of field product is the fastest on a device. */
export interface ProductsVerdict {
  readonly fastest: MsmByProducts;
  readonly times: ProductTimes;
}

/** Compares MSMs by the usual kind of products with those by others. */
export async function compareProducts(
  usual: MsmByProducts,
  others: readonly MsmByProducts[],
  trial: ProductsTrial,
): Promise<ProductsVerdict> {
  const points = await tellingSize(usual, trial);
  const timed = await timeInTurns([usual, ...others], points, trial);
  let fastest = usual;
  let least = CLEARLY_FASTER * (timed.get(usual) ?? 0);
  for (const other of others) {
    const ms = timed.get(other) ?? Number.POSITIVE_INFINITY;
    if (ms > least) continue;
    fastest = other;
    least = ms;
  }
  return { fastest, times: { points, ms: Object.fromEntries([...timed].map(([{ products }, ms]) => [products, ms])) } };
}

/** The first size at which an MSM takes long enough, or the largest. */
async function tellingSize(usual: MsmByProducts, trial: ProductsTrial): Promise<number> {
  let points = 0;
  // The first one warms up the GPU.
  let { leastMs } = trial;
  for (points of COMPARED_POINTS) {
    const timed = await timeInTurns([usual], points, { ...trial, leastMs }, 1);
    if ((timed.get(usual) ?? TELLING_MS) >= TELLING_MS) break;
    leastMs = 0;
  }
  return points;
}

/** What an MSM at the edges needs of a trial. */
type EdgeTrial = Pick<ProductsTrial, 'curve' | 'bases' | 'turn' | 'signal'>;

/**
 * The result of an MSM with scalars at the edges by the workers, which must be the GPU's: another one makes the GPU
 * distrusted and fails with `RESULT_INVALID`.
 */
export async function rightResultAtEdges(
  { workers, gpuExecutor }: { readonly workers: CompleteMsmBackend; readonly gpuExecutor: FallibleExecutor },
  onGpu: CompleteMsmBackend,
  trial: EdgeTrial,
): Promise<Uint8Array> {
  const right = await resultAtEdges(trial, workers);
  // Nobody needs the GPU to measure it: only a wrong result counts against it.
  const first: Way = { by: 'gpu', executor: { ...gpuExecutor, isRequired: true } };
  await attempt({ first, rungs: {} }, async () => expectSame(right, await resultAtEdges(trial, onGpu)));
  return right;
}

/** The MSMs that give the right result at the edges, of `rightResultAtEdges`; those that fail do not. */
export async function onlyRight<Kind extends MsmByProducts>(
  all: readonly Kind[],
  right: Uint8Array,
  trial: EdgeTrial,
): Promise<Kind[]> {
  const able: Kind[] = [];
  for (const kind of all) {
    const result = await resultAtEdges(trial, kind.backend).catch(() => undefined);
    throwIfAborted(trial.signal);
    if (result !== undefined && equalBytes(result, right)) able.push(kind);
  }
  return able;
}

/** An MSM with scalars at the edges (`edgeScalars`) over points of which many are equal. */
async function resultAtEdges(
  { curve, bases, turn, signal }: EdgeTrial,
  backend: CompleteMsmBackend,
): Promise<Uint8Array> {
  await turn();
  const resident = await backend.load(bases.take(CHECKED_POINTS), undefined, ownMembers({ signal }));
  try {
    const scalars = hostScalars(edgeScalars(curve, CHECKED_POINTS));
    const [result] = await backend.multiplyBatch(resident, scalars, 1, ownMembers({ signal }));
    return result!.point;
  } finally {
    resident.release();
  }
}

/**
 * The milliseconds of the fastest run by each kind that had time for one. A kind is left out when its result is not the
 * first one's.
 */
async function timeInTurns(
  kinds: readonly MsmByProducts[],
  points: number,
  { curve, bases, turn, leastMs, deadline, signal }: ProductsTrial,
  runs = RUNS,
): Promise<ReadonlyMap<MsmByProducts, number>> {
  const scalars = hostScalars(sampleScalars(curve, points));
  const loaded = new Map<MsmByProducts, ResidentBases>();
  const best = new Map<MsmByProducts, number>();
  let known: Uint8Array | undefined;
  try {
    for (const kind of kinds) {
      loaded.set(kind, await kind.backend.load(bases.take(points), undefined, ownMembers({ signal })));
    }
    const begun = performance.now();
    for (let run = 0; run <= runs || performance.now() - begun < leastMs; run++) {
      for (const [kind, resident] of loaded) {
        await turn();
        if (performance.now() > deadline) return best;
        const start = performance.now();
        const [result] = await kind.backend.multiplyBatch(resident, scalars, 1, ownMembers({ signal }));
        const ms = performance.now() - start;
        known ??= result!.point;
        if (!equalBytes(known, result!.point)) {
          loaded.delete(kind);
          best.delete(kind);
          resident.release();
        } else if (run > 0) best.set(kind, Math.min(best.get(kind) ?? ms, ms));
      }
    }
    return best;
  } finally {
    for (const resident of loaded.values()) resident.release();
  }
}
