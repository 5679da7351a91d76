import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capabilities, Prover } from '../api/index.js';
import { throwIfAborted } from '../base/abort.js';
import { asPippinError } from '../base/errors.js';
import type { Context } from './context.js';
import { withHint } from './hints.js';
import { errorText } from './output.js';
import { openProver, rounded } from './prover.js';

/** What is measured: something that is loaded once, and run many times. */
export interface BenchWork {
  /** What it is, for a person. */
  readonly name: string;
  /** Loads it, which is timed; gives what runs it, and whether it came from the cache. */
  load(prover: Prover): Promise<LoadedWork>;
  /** Whether loading it again from the cache is measured. */
  readonly isCached: boolean;
}

export interface LoadedWork {
  readonly cached: boolean;
  /** Runs it once, shown as a step of this name. Throws if the result is wrong. */
  run(step: string): Promise<void>;
}

/** Milliseconds. */
export interface Timings {
  readonly start: number;
  readonly load: number;
  readonly first: number;
  readonly later: { readonly median: number; readonly least: number; readonly most: number };
  /** Undefined where it is not measured, or the cache was not written in time. */
  readonly loadCached?: number;
}

/** What a backend took, or why it was not measured. */
export interface BackendTimes {
  readonly backend: 'webgpu' | 'wasm';
  readonly adapter?: string;
  readonly threads?: number;
  readonly timings?: Timings;
  readonly reason?: string;
}

export interface BenchPlan {
  readonly backends: readonly ('webgpu' | 'wasm')[];
  /** How many later runs are measured. */
  readonly runs: number;
  readonly threads: number | undefined;
}

/** Measures the work on each backend. A backend that fails is reported; the other one is measured all the same. */
export async function benchBackends(
  work: BenchWork,
  { backends, runs, threads }: BenchPlan,
  { allowSoftware }: { readonly allowSoftware: boolean },
  context: Context,
): Promise<BackendTimes[]> {
  const measured: BackendTimes[] = [];
  for (const backend of backends) {
    const directory = await mkdtemp(join(tmpdir(), 'pippin-bench-'));
    const options = { backend, cache: { directory }, ...(threads === undefined ? {} : { threads }) };
    const open = async (): Promise<readonly [Prover, number]> => {
      context.step(`Starting ${backend}`);
      return timed(() => openProver(options, context));
    };
    try {
      measured.push(await benchBackend(work, backend, open, runs, allowSoftware));
    } catch (error) {
      throwIfAborted(context.signal);
      measured.push({ backend, reason: errorText(withHint(asPippinError(error))) });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return measured;
}

async function benchBackend(
  work: BenchWork,
  backend: 'webgpu' | 'wasm',
  open: () => Promise<readonly [Prover, number]>,
  runs: number,
  allowSoftware: boolean,
): Promise<BackendTimes> {
  const [prover, start] = await open();
  let timings: Timings;
  let facts: Pick<BackendTimes, 'adapter' | 'threads'>;
  try {
    const { capabilities } = prover;
    facts = factsOf(capabilities, backend);
    if (backend === 'webgpu' && !allowSoftware && isSoftware(capabilities)) {
      return { backend, ...facts, reason: 'a software adapter, slower than the workers; --backend webgpu measures it' };
    }
    const [loaded, load] = await timed(() => work.load(prover));
    const [, first] = await timed(() => loaded.run('First run'));
    const times: number[] = [];
    for (let i = 1; i <= runs; i++) {
      const [, ms] = await timed(() => loaded.run(`Run ${i} of ${runs}`));
      times.push(ms);
    }
    timings = { start, load, first, later: spreadOf(times) };
  } finally {
    await prover.dispose();
  }
  const loadCached = work.isCached ? await loadAgain(work, open) : undefined;
  return { backend, ...facts, timings: { ...timings, ...(loadCached === undefined ? {} : { loadCached }) } };
}

/** How long a new prover takes to load what the one before has cached; undefined if it was not cached. */
async function loadAgain(work: BenchWork, open: () => Promise<readonly [Prover, number]>): Promise<number | undefined> {
  const [prover] = await open();
  try {
    const [{ cached }, ms] = await timed(() => work.load(prover));
    return cached ? ms : undefined;
  } finally {
    await prover.dispose();
  }
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [result: T, ms: number]> {
  const start = performance.now();
  const result = await work();
  return [result, rounded(performance.now() - start)];
}

/** The median of an even number of times is the mean of the two in the middle. */
function spreadOf(times: readonly number[]): Timings['later'] {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  return { median: rounded(median), least: sorted[0]!, most: sorted.at(-1)! };
}

function isSoftware({ webgpu }: Capabilities): boolean {
  return webgpu.available && webgpu.software;
}

function factsOf({ webgpu, threads }: Capabilities, backend: string): Pick<BackendTimes, 'adapter' | 'threads'> {
  if (backend === 'wasm' || !webgpu.available) return { threads };
  const { vendor, architecture, description, software } = webgpu;
  const name = [vendor, architecture, description].filter((part) => part !== '').join(' ');
  return { threads, adapter: software ? `${name}, software` : name };
}
