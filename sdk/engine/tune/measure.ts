import { throwIfAborted } from '../../abort.js';
import type { MapRow } from '../../api.js';
import { PippinError } from '../../errors.js';
import type { SumBackend } from '../../msm/backend.js';
import { MAX_WINDOW_BITS, MIN_WINDOW_BITS } from '../../msm/digits.js';
import { hostScalars } from '../../msm/scalar-vector.js';
import { type SampleBases, sampleScalars } from './sample-bases.js';

/** The numbers of points that are measured, as logarithms, in this order. */
const LOGS = [10, 12, 14, 16, 18];

/**
 * Runs of a plan that are timed: at least so many, and of short ones more, for about so many milliseconds. The fastest counts, since everything
 * else only adds to it. One more comes before, which makes buffers.
 */
const RUNS = 3;
const MOST_RUNS = 15;
const TIMED_MS = 30;

const WARM_UP_POINTS = 2 ** 12;

/** A size is measured only if about so many windows can be timed in what is left, or the one that there is. */
const LEAST_WINDOWS = 3;

/** How much faster another window must be to count as better: less is noise. */
const CLEARLY_BETTER = 0.98;

export interface Measurement {
  readonly backend: SumBackend;
  readonly bases: Pick<SampleBases, 'take'>;
  /** The window that is taken without a map; undefined where windows are not to be chosen. */
  readonly usualWindow?: ((points: number) => number) | undefined;
  /** Milliseconds of work before anything is timed, since an idle GPU has lowered its clock. */
  readonly warmUpMs: number;
  /** When to end, by `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/**
 * The times of sums by size, and where windows are to be chosen, the best one for each. From the usual window the search goes on as long as a
 * neighbour is faster.
 */
export async function measureRows(measurement: Measurement, curve: MapRow['curve'], group: MapRow['group']) {
  const rows: MapRow[] = [];
  const leastRuns = (1 + RUNS) * (measurement.usualWindow === undefined ? 1 : LEAST_WINDOWS);
  let expectedMs = 0;
  for (const [i, log] of LOGS.entries()) {
    const left = measurement.deadline - performance.now();
    if (i > 0 && expectedMs * leastRuns > left) break;
    const row = await ifItFits(measureSize(measurement, curve, 2 ** log));
    if (row === undefined) break;
    rows.push({ curve, group, points: 2 ** log, ...row });
    // Four times the points take at most four times as long.
    expectedMs = 4 * row.ms;
    measurement.onProgress((i + 1) / LOGS.length);
  }
  return rows;
}

/** What the work gives; undefined where the memory is too small for it. */
async function ifItFits<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PippinError && error.code === 'OUT_OF_MEMORY') return undefined;
    throw error;
  }
}

/** Keeps the backend at work for a while. */
export async function warmUp({ backend, bases, warmUpMs, signal }: Measurement, curve: MapRow['curve']): Promise<void> {
  const resident = await backend.load(bases.take(WARM_UP_POINTS), undefined, { signal });
  const scalars = hostScalars(sampleScalars(curve, WARM_UP_POINTS));
  const end = performance.now() + warmUpMs;
  try {
    do await backend.multiplyBatch(resident, scalars, 1, { signal });
    while (performance.now() < end);
  } finally {
    resident.release();
  }
}

/** `RESULT_INVALID` unless a sum is the same as another one of the same points and scalars. */
export function expectSame(known: Uint8Array, sum: Uint8Array): void {
  if (known.every((byte, i) => byte === sum[i])) return;
  throw new PippinError('RESULT_INVALID', 'expected the same sum from every plan and backend, got another one');
}

/** The best window for a sum of `points` points, and the milliseconds that it takes with it. */
export async function measureSize(
  { backend, bases, usualWindow, deadline, signal }: Measurement,
  curve: MapRow['curve'],
  points: number,
): Promise<Pick<MapRow, 'windowBits' | 'ms'>> {
  const scalars = hostScalars(sampleScalars(curve, points));
  const resident = await backend.load(bases.take(points), undefined, { signal });
  let known: Uint8Array | undefined;
  const time = async (windowBits: number | undefined): Promise<number> => {
    let fastest = Number.POSITIVE_INFINITY;
    const begin = performance.now();
    for (let run = 0; run <= MOST_RUNS; run++) {
      if (run > RUNS && performance.now() - begin > TIMED_MS) break;
      throwIfAborted(signal);
      const start = performance.now();
      const [sum] = await backend.multiplyBatch(resident, scalars, 1, { signal, windowBits });
      if (run > 0) fastest = Math.min(fastest, performance.now() - start);
      known ??= sum!.point;
      expectSame(known, sum!.point);
      // The first runs of a slow device are enough.
      if (run > 0 && performance.now() > deadline) break;
    }
    return fastest;
  };
  try {
    if (usualWindow === undefined) return { ms: await time(undefined) };
    const usual = usualWindow(points);
    let best = { windowBits: usual, ms: await time(usual) };
    for (const step of [1, -1]) {
      for (let bits = usual + step; bits >= MIN_WINDOW_BITS && bits <= MAX_WINDOW_BITS; bits += step) {
        if (performance.now() > deadline) return best;
        const ms = await ifItFits(time(bits));
        if (ms === undefined || ms > CLEARLY_BETTER * best.ms) break;
        best = { windowBits: bits, ms };
      }
      // If larger windows are better, smaller ones are not.
      if (best.windowBits !== usual) break;
    }
    return best;
  } finally {
    resident.release();
  }
}
