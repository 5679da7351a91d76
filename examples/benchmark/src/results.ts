import type { ProductTimes, Span } from 'pippin-prover';
import type { ContestantId } from './contestants.js';
import { median } from './drift.js';
import type { Memory } from './memory.js';
import type { Protocol } from './protocols.js';

/** What one contestant took for one size. All times are in milliseconds, and every proof has been verified. */
export interface Result {
  readonly log: number;
  readonly constraints: number;
  readonly contestant: ContestantId;
  /** What computed: the GPU's name, or the number of workers. */
  readonly executor: string;
  /** Starting the prover, loading the key without a cache, and the first proof: what a first visit waits for. */
  readonly openMs: number;
  readonly loadMs: number;
  readonly firstMs: number;
  /** Proofs after that, with the key loaded, one after the other. */
  readonly laterMs: readonly number[];
  /** What the browser or the prover told of its memory; absent if neither did. */
  readonly memory?: Memory;
  /** The work of the last proof; snarkjs does not tell its own. */
  readonly timeline: readonly Span[];
}

/** A size that a contestant, or all of them, did not prove, and why. */
export interface Skipped {
  /** 0 for a visitor's own circuit. */
  readonly log: number;
  readonly contestant?: ContestantId;
  readonly reason: string;
}

/**
 * What is known of a visitor's own circuit, from its key. The number of constraints or gates is at most the size of the
 * evaluation domain.
 */
export interface CircuitFacts {
  readonly name: string;
  readonly keyBytes: number;
  readonly domainSize: number;
  readonly variables: number;
  readonly publicSignals: number;
}

/** All that a run found: what is exported, and what is kept until the next visit. */
export interface Run {
  readonly format: 'pippin-benchmark';
  readonly version: 1;
  readonly date: string;
  readonly device: {
    readonly userAgent: string;
    readonly threads: number;
    /** As the browser tells it, rounded; only some do. */
    readonly gigabytes?: number;
  };
  /** The proof system; Groth16 where it is absent. Of a visitor's own circuit it is known once its key was loaded. */
  readonly protocol?: Protocol;
  /** Of a run with a visitor's own circuit, once its key was loaded. */
  readonly circuit?: CircuitFacts;
  readonly results: readonly Result[];
  /** Absent where no graphics processor was measured. */
  readonly products?: ProductTimes;
  readonly skipped: readonly Skipped[];
  /** What was being proved, `log` as in `Skipped`: still there if the browser ended the page meanwhile. */
  readonly unfinished?: { readonly log: number; readonly contestant?: ContestantId };
}

/** The middle of later proofs, or the first one where there was no other. */
export function laterMs({ laterMs: all, firstMs }: Pick<Result, 'laterMs' | 'firstMs'>): number {
  return all.length === 0 ? firstMs : median(all);
}

/** What a first visit waits until its first proof. */
export function visitMs({ openMs, loadMs, firstMs }: Pick<Result, 'openMs' | 'loadMs' | 'firstMs'>): number {
  return openMs + loadMs + firstMs;
}

/** The proof system of a run. */
export function protocolOf({ protocol = 'groth16' }: Pick<Run, 'protocol'>): Protocol {
  return protocol;
}

const STORAGE_KEY = 'pippin-benchmark';

/** Keeps a run for the next visit. A private window may refuse to; then it lasts as long as the page. */
export function keepRun(run: Run): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(run));
  } catch {
    // Nothing else depends on it.
  }
}

/** The run of an earlier visit, if there is one of this version. */
export function keptRun(): Run | undefined {
  try {
    const run = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    return run?.format === 'pippin-benchmark' && run.version === 1 ? run : undefined;
  } catch {
    return undefined;
  }
}
