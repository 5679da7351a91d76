import { newBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { ownMembers } from '../base/records.js';
import { CURVES } from '../curves/index.js';
import {
  type BasesRange,
  type CompleteMsmBackend,
  type ComputedMsm,
  type MsmBackend,
  type MsmObserver,
  type MultiplyOptions,
  type PartialSums,
  type ResidentBases,
  wholeRange,
} from './backend.js';
import { type ArithmeticFor, resultOf } from './point-arithmetic.js';
import type { BasesOutline } from './prepared.js';
import { hostScalars, type ScalarVector, type SharedSlice, wipeCopy } from './scalar-vector.js';
import { pickScalars, sliceOfBatch } from './scalars.js';

/** Some multiplications of a batch. */
interface BatchPart {
  readonly first: number;
  readonly count: number;
  /** The number of all multiplications. */
  readonly batch: number;
}

/**
 * The scalars of the kept points of a range, for some MSMs of a batch. Shared scalars and scalars on a device stay
 * where they are: `INTERNAL` for a batch of shared scalars, or where only a part of the scalars on a device is needed.
 */
export function keptScalars(
  outline: BasesOutline,
  scalars: ScalarVector,
  { first, count, batch }: BatchPart,
  range: BasesRange,
): ScalarVector {
  if (scalars.kind === 'host') {
    if (needsAll(outline, { first, count, batch }, range)) return scalars;
    const bytes = outline.count * CURVES[outline.curve].scalarBytes;
    return hostScalars(
      gatherScalars(outline, scalars.bytes.subarray(first * bytes, (first + count) * bytes), count, range),
    );
  }
  if (scalars.kind === 'shared') return keptSlice(outline, scalars, batch, range);
  if (scalars.kind === 'pieces') throw new PippinError('INTERNAL', 'expected scalars of the given points, got pieces');
  if (!needsAll(outline, { first, count, batch }, range)) {
    throw new PippinError(
      'INTERNAL',
      `expected all scalars on the device to be needed, got ${range.to - range.from} points of ${outline.count}`,
    );
  }
  return scalars;
}

/** Whether multiplications over a range need the scalars of all given points, in their order. */
function needsAll({ count: points }: BasesOutline, { count, batch }: BatchPart, { from, to }: BasesRange): boolean {
  return count === batch && to - from === points;
}

function keptSlice(
  { count, indices }: BasesOutline,
  slice: SharedSlice,
  batch: number,
  { from, to }: BasesRange,
): SharedSlice {
  if (batch !== 1 || slice.count !== count || slice.indices !== undefined) {
    throw new PippinError('INTERNAL', `expected shared scalars for ${count} points, got ${slice.count}`);
  }
  if (indices === undefined) return { ...slice, first: slice.first + from, count: to - from };
  return { ...slice, indices: indices.subarray(from, to), count: to - from };
}

/**
 * The scalars of the kept points of a range, in their order, for each of `batch` multiplications, whose scalars follow
 * one another in `scalars`. It is the same array, or a view of it, if all scalars or a run of them are needed.
 */
export function gatherScalars(
  bases: BasesOutline,
  scalars: Uint8Array,
  batch = 1,
  { from, to }: BasesRange = { from: 0, to: bases.kept },
): Uint8Array {
  const { scalarBytes } = CURVES[bases.curve];
  const stride = bases.count * scalarBytes;
  if (bases.indices === undefined) {
    return to - from === bases.count ? scalars : sliceOfBatch(scalars, batch, from, to, scalarBytes);
  }
  const indices = bases.indices.subarray(from, to);
  const bytes = indices.length * scalarBytes;
  const gathered = newBytes(batch * bytes);
  for (let i = 0; i < batch; i++) {
    const picked = pickScalars(scalars.subarray(i * stride, (i + 1) * stride), indices, scalarBytes);
    gathered.set(picked, i * bytes);
    wipe(picked);
  }
  return gathered;
}

/** Bases on a backend, and what describes them. */
interface FinishedBases<Bases extends ResidentBases> extends ResidentBases {
  readonly resident: Bases;
  readonly outline: BasesOutline;
  readonly range: BasesRange;
}

/**
 * Reduces a backend's partial sums to results. It gives the backend the scalars of the points that it keeps, at most
 * `maxBatch` MSMs at a time, or one where each MSM has its own bases. It combines the partial sums of each, and checks
 * that the result is on the curve (`RESULT_INVALID`). The call's observer receives a span for each piece of the
 * backend's work. Exceptional points are not included; `LoadedBases` adds them.
 */
export function finishing<Bases extends ResidentBases>(
  backend: MsmBackend<Bases>,
  arithmeticFor: ArithmeticFor,
): CompleteMsmBackend<FinishedBases<Bases>> {
  const { executor, maxBatch } = backend.capabilities;
  const loading = executor === 'webgpu' ? 'upload' : 'distribute';
  const timed = <T>(
    observer: MsmObserver | undefined,
    phase: typeof loading | 'msm',
    work: () => Promise<T>,
  ): Promise<T> => (observer === undefined ? work() : observer.span(phase, executor, work));

  const multiply = async (
    { resident, outline, range }: FinishedBases<Bases>,
    scalars: ScalarVector,
    batch: number,
    options: MultiplyOptions,
  ): Promise<ComputedMsm[]> => {
    const { onProgress } = options;
    const summed = options.range ?? { from: 0, to: range.to - range.from };
    const numbers = { from: range.from + summed.from, to: range.from + summed.to };
    const arithmetic = arithmeticFor(outline.curve, outline.group, options.signal);
    const computed = async (parts: PartialSums): Promise<ComputedMsm> => ({
      point: await resultOf(parts, outline, arithmetic, executor),
      executors: [executor],
    });
    // Only a GPU takes scalars piece by piece, and what picks some of them needs all.
    const part = { first: 0, count: Math.min(batch, maxBatch), batch };
    const inPieces = executor === 'webgpu' && options.sharedBases !== false && needsAll(outline, part, numbers);
    if (scalars.kind === 'host' && !inPieces) await scalars.available?.(scalars.bytes.length);
    if (options.sharedBases === false) {
      const one = { first: 0, count: 1, batch: 1 };
      const multiply: MultiplyRange<ComputedMsm> = async (kept, tell) => {
        const own = { from: kept.from - range.from, to: kept.to - range.from };
        const given = keptScalars(outline, scalars, one, kept);
        const [parts] = await untilUsed(given, scalars, () =>
          backend.multiplyBatch(resident, given, 1, ownMembers({ ...options, range: own, onProgress: tell })),
        );
        return computed(parts!);
      };
      const own = await multiplyRuns(outline, numbers, batch, multiply, onProgress);
      options.onComputed?.();
      return own;
    }
    const results: ComputedMsm[] = [];
    for (let from = 0; from < batch; from += maxBatch) {
      const count = Math.min(batch - from, maxBatch);
      const kept = keptScalars(outline, scalars, { first: from, count, batch }, numbers);
      const parts = await untilUsed(kept, scalars, () =>
        backend.multiplyBatch(
          resident,
          kept,
          count,
          ownMembers({
            ...options,
            onProgress: onProgress && ((fraction: number) => onProgress((from + fraction * count) / batch)),
          }),
        ),
      );
      if (from + count === batch) options.onComputed?.();
      results.push(...(await Promise.all(parts.map(computed))));
    }
    return results;
  };

  return {
    capabilities: backend.capabilities,
    async load(bases, range, options) {
      const { points: _, multiples: __, checksResults: ___, ...outline } = bases;
      const resident = await timed(options?.observer, loading, () => backend.load(bases, range, options));
      const release = (): void => resident.release();
      return { count: outline.count, resident, outline, range: wholeRange(outline, range), release };
    },
    multiplyBatch: (bases, scalars, batch, options = {}) =>
      timed(options.observer, 'msm', () => multiply(bases, scalars, batch, options)),
  };
}

/** What `work` makes of some scalars. Copies that were made of the caller's for it are then overwritten. */
async function untilUsed<T>(kept: ScalarVector, given: ScalarVector, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    if (kept.kind === 'host') wipeCopy(kept.bytes, given);
  }
}

/** MSMs that are computed concurrently: as many as there may be workers. */
const AT_ONCE = 64;

/** A multiplication over some of the kept points that a backend has loaded. */
type MultiplyRange<Result> = (range: BasesRange, onProgress: (fraction: number) => void) => Promise<Result>;

/**
 * The results of `batch` MSMs over as many equal runs of the caller's bases, in their order. They are begun at places
 * that are spread over all of them, since neighbours may be the work of the same worker. No more are begun once one has
 * failed.
 *
 * @param loaded the kept points that the backend has loaded.
 */
export async function multiplyRuns<Result>(
  outline: BasesOutline,
  loaded: BasesRange,
  batch: number,
  multiply: MultiplyRange<Result>,
  onProgress: ((fraction: number) => void) | undefined,
): Promise<Result[]> {
  const results = new Array<Result>(batch);
  const running = new Map<number, number>();
  let finished = 0;
  let hasFailed = false;
  const tell = (number: number, fraction: number): void => {
    running.set(number, fraction);
    onProgress?.([...running.values()].reduce((sum, some) => sum + some, finished) / batch);
  };
  const multiplyFrom = async (first: number, end: number): Promise<void> => {
    for (let number = first; number < end && !hasFailed; number++) {
      const range = keptRange(outline, loaded, runOfBases(outline, batch, number));
      try {
        results[number] = await multiply(range, (fraction) => tell(number, fraction));
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      running.delete(number);
      finished++;
    }
  };
  const starts = Math.min(batch, AT_ONCE);
  const start = (place: number): number => Math.floor((place * batch) / starts);
  await Promise.all(Array.from({ length: starts }, (_, place) => multiplyFrom(start(place), start(place + 1))));
  return results;
}

/** Which of the caller's bases MSM number `number` takes. */
export function runOfBases({ count }: BasesOutline, batch: number, number: number): BasesRange {
  const size = count / batch;
  return { from: number * size, to: (number + 1) * size };
}

/** The loaded kept points among the caller's points from..to. */
function keptRange({ indices }: BasesOutline, loaded: BasesRange, { from, to }: BasesRange): BasesRange {
  const clamp = (place: number): number => Math.min(Math.max(place, loaded.from), loaded.to);
  if (indices === undefined) return { from: clamp(from), to: clamp(to) };
  return { from: clamp(countBelow(indices, from)), to: clamp(countBelow(indices, to)) };
}

/** How many of the indices, which are in ascending order, are below `bound`. */
function countBelow(indices: Uint32Array, bound: number): number {
  let [least, most] = [0, indices.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (indices[middle]! < bound) least = middle + 1;
    else most = middle;
  }
  return least;
}
