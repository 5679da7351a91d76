import type { PreparedBases } from '../../../sdk/bases/prepared.js';
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

/**
 * Behind loading, during which the GPU is idle, runs go on for so long before the timed ones, so that its clock is up.
 */
const WARM_UP_MS = 1500;

/** A multiplication that takes longer than this is timed once. */
const SLOW_MS = 2000;

/** Runs of each window that is tried. */
const TRIES = 3;

/** Windows are tried up to this far from the first. */
const MOST_STEPS = 8;

/**
 * Checks and times multiplications, after one or more that are checked and not timed; `isWarm`: others have just run.
 */
export async function timeWork(ready: Ready, work: Work, repeats: number, isWarm: boolean): Promise<Timing> {
  const ms = isWarm ? await timedRun(ready, work) : await warmUp(ready, work);
  const times: number[] = [];
  for (let i = 0; i < (ms > SLOW_MS ? 1 : repeats); i++) times.push(await timedRun(ready, work));
  return { times, gpu: await ready.times(work.scalars) };
}

/** Runs until the clock of an idle GPU is up. Returns the time of the last run. */
async function warmUp(ready: Ready, work: Work): Promise<number> {
  const began = performance.now();
  let ms: number;
  do ms = await timedRun(ready, work);
  while (performance.now() - began < WARM_UP_MS);
  return ms;
}

async function timedRun(ready: Ready, { scalars, finish, check }: Work): Promise<number> {
  const start = performance.now();
  const point = await finish(await ready.multiply(scalars));
  const ms = performance.now() - start;
  check(point);
  return ms;
}

/**
 * Bases for the windows with which a contender is fastest: from those that suit the shipped pipeline, as long as a bit
 * less or one more makes it faster.
 */
export async function loadBestWindow(contender: Contender, prepared: PreparedBases, work: Work): Promise<Ready> {
  const first = await contender.load(prepared);
  await warmUp(first, work);
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
