import { PippinError } from '../../base/errors.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../bases/digits.js';
import type { MapTuning, Stopwatch } from './stopwatch.js';

/** How much faster another choice must be to count as better: less is noise. */
const CLEARLY_BETTER = 0.98;

const BOUNDS = { windowBits: [MIN_WINDOW_BITS, MAX_WINDOW_BITS], chunks: [1, 64] } as const;

/** A plan and the milliseconds of the fastest run. */
export interface Found {
  readonly tuning: MapTuning;
  readonly ms: number;
}

/** From `best` in each direction, as long as the next choice is clearly faster; if one direction is better, the other is not. */
export async function climb(
  best: Found,
  directions: readonly Iterable<MapTuning>[],
  stopwatch: Stopwatch,
  deadline: number,
): Promise<Found> {
  const start = best;
  for (const direction of directions) {
    for (const choice of direction) {
      if (performance.now() > deadline) return best;
      const tuning = { ...best.tuning, ...choice };
      const ms = await ifItFits(stopwatch.time(tuning, best.ms));
      if (ms === undefined || ms > CLEARLY_BETTER * best.ms) break;
      best = { tuning, ms };
    }
    if (best !== start) break;
  }
  return best;
}

/** The values of a field above `usual`, and those below it, within the bounds of the field. */
export function neighbours(
  field: keyof typeof BOUNDS,
  usual: number,
  next: (value: number, step: 1 | -1) => number,
): Iterable<MapTuning>[] {
  const [least, most] = BOUNDS[field];
  return ([1, -1] as const).map(function* (step) {
    for (let value = next(usual, step); value >= least && value <= most; value = next(value, step)) {
      yield { [field]: value };
    }
  });
}

/** What the work gives; undefined where the memory is too small for it. */
export async function ifItFits<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PippinError && error.code === 'OUT_OF_MEMORY') return undefined;
    throw error;
  }
}
