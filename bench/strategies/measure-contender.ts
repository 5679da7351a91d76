import type { PreparedBases } from '../../sdk/msm/prepared.js';
import type { Contender, PartTimes, Ready } from './contender.js';
import type { StrategySums } from './strategy-msm.js';

/** A multiplication of which the result is known. */
export interface Work {
  readonly scalars: Uint8Array;
  /** Makes an affine point of the sums. */
  readonly finish: (sums: StrategySums) => Promise<Uint8Array>;
  /** Throws where the point is wrong. */
  readonly check: (point: Uint8Array) => void;
}

/** Milliseconds of wall time from scalars on the host to the affine result on the host. */
export interface Timing {
  readonly times: readonly number[];
  readonly gpu: PartTimes | undefined;
}

/** Runs before the timed ones go on for so long, so that the GPU's clock is up: the one before was idle while bases were loaded. */
const WARM_UP_MS = 300;

/** A multiplication that takes longer than this is timed once. */
const SLOW_MS = 2000;

/** Runs of each window that is tried. */
const TRIES = 3;

/** Windows are tried up to this far from the first. */
const MOST_STEPS = 8;

/** Checks and times multiplications: one before the others is checked, and so are all that are timed. */
export async function timeWork(ready: Ready, work: Work, repeats: number): Promise<Timing> {
  const began = performance.now();
  let slowest: number;
  do slowest = await timedRun(ready, work);
  while (performance.now() - began < WARM_UP_MS);
  const times: number[] = [];
  for (let i = 0; i < (slowest > SLOW_MS ? 1 : repeats); i++) times.push(await timedRun(ready, work));
  return { times, gpu: await ready.times(work.scalars) };
}

async function timedRun(ready: Ready, { scalars, finish, check }: Work): Promise<number> {
  const start = performance.now();
  const point = await finish(await ready.multiply(scalars));
  const ms = performance.now() - start;
  check(point);
  return ms;
}

/**
 * Bases for the windows with which a contender is fastest: from those that suit the shipped pipeline, as long as a bit less or one more
 * makes it faster.
 */
export async function loadBestWindow(contender: Contender, prepared: PreparedBases, work: Work): Promise<Ready> {
  const first = await contender.load(prepared);
  let best = { windowBits: first.windowBits, ms: await quickest(first, work) };
  first.release();
  for (const step of [-1, 1]) {
    const from = best.windowBits;
    for (let i = 1; i <= MOST_STEPS; i++) {
      const ms = await tryWindow(contender, prepared, from + i * step, work);
      if (ms === undefined || ms >= best.ms) break;
      best = { windowBits: from + i * step, ms };
    }
    if (best.windowBits !== from) break;
  }
  return contender.load(prepared, best.windowBits);
}

/** The quickest of a few runs; undefined where windows of so many bits are not possible or do not fit. */
async function tryWindow(
  contender: Contender,
  prepared: PreparedBases,
  windowBits: number,
  work: Work,
): Promise<number | undefined> {
  let ready: Ready;
  try {
    ready = await contender.load(prepared, windowBits);
  } catch {
    return undefined;
  }
  try {
    return ready.windowBits === windowBits ? await quickest(ready, work) : undefined;
  } finally {
    ready.release();
  }
}

async function quickest(ready: Ready, work: Work): Promise<number> {
  let ms = await timedRun(ready, work);
  for (let i = 1; i < TRIES && ms < SLOW_MS; i++) ms = Math.min(ms, await timedRun(ready, work));
  return ms;
}
