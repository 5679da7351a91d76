import type { BasesRange } from './backend.js';
import type { BasesOutline } from './prepared.js';

/** Multiplications that are computed at the same time: as many as there may be workers. */
const AT_ONCE = 64;

/** A multiplication over some of the kept points that a backend has loaded. */
export type MultiplyRange<Result> = (range: BasesRange, onProgress: (fraction: number) => void) => Promise<Result>;

/**
 * The results of `batch` multiplications over as many equal runs of the bases that the caller gave, in their order. They are begun at places
 * that are spread over all of them, since neighbours may be the work of the same worker. No more are begun once one has failed.
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

/** The bases of multiplication number `number`, of those that the caller gave. */
export function runOfBases({ count }: BasesOutline, batch: number, number: number): BasesRange {
  const size = count / batch;
  return { from: number * size, to: (number + 1) * size };
}

/** The loaded kept points among the points from..to of those that the caller gave. */
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
