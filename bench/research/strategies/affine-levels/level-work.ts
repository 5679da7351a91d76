import { bucketsOf, digitsOf, type PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import type { StrategyBuffer } from '../strategy.js';

/** How additions are divided between threads. */
export interface LevelTuning {
  /** Levels of pairs. What they leave is added up by the shipped pieces. */
  readonly levels: number;
  /** The most threads that share the additions of a level. */
  readonly threads: number;
  /** Totals of a thread where the totals are inverted. */
  readonly parts: number;
}

/** The fewest additions that a thread of a full level has; the levels that cannot be that full have fewer threads. */
const FEWEST_PAIRS = 8;

/** One level of a pass: the first has number 0. */
export interface LevelWork {
  readonly chunk: PassChunk;
  readonly level: number;
}

/** The entries of the sorted list and the buckets of a pass. */
export interface Extent {
  readonly entries: number;
  readonly buckets: number;
}

export function extentOf(chunk: PassChunk): Extent {
  return { entries: digitsOf(chunk), buckets: bucketsOf(chunk) };
}

/** Places of what is left after so many levels: `place_of` in places.wgsl behind the last bucket, at most. */
export function placesAfter(levels: number, { entries, buckets }: Extent): number {
  return Math.floor(entries / 2 ** levels) + buckets;
}

/** The most additions of a level: floor(ceil(n / 2^level) / 2) of each bucket with n entries. */
export function mostPairs(level: number, { entries, buckets }: Extent): number {
  const rounding = level === 0 ? 0 : buckets / 2;
  return Math.max(1, Math.floor(entries / 2 ** (level + 1) + rounding));
}

/** The threads among which a level's additions are divided. */
export function threadsOf(level: number, extent: Extent, { threads }: LevelTuning): number {
  return Math.min(threads, Math.ceil(mostPairs(level, extent) / FEWEST_PAIRS));
}

/** Where the points that come out of a level lie. */
export function outOf(level: number): StrategyBuffer {
  return level % 2 === 0 ? 'points' : 'nextPoints';
}
