import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../support/random.js';
import type { Campaign, OpenCampaign, Tier } from './campaign.js';

/** A run with more failures than this is ended. */
const MOST_FAILURES = 20;

const HANGS_AFTER_MS = 60_000;

export interface CampaignRun {
  readonly tier: Tier;
  readonly seed: number;
  /** The number of the first case. Default 0. */
  readonly first?: number;
  readonly cases: number;
  /** Milliseconds after which no further case begins. Default: no limit. */
  readonly limitMs?: number;
  /** Called after each case with the number of those done and of those that failed. */
  readonly onCase?: (done: number, failed: number) => void;
  /** Called with each failure of a case, when it happens. */
  readonly onFailure?: (failure: CampaignFailure) => void;
}

export interface CampaignReport {
  /** Cases that ran, failed ones included. */
  readonly cases: number;
  readonly seconds: number;
  readonly failures: readonly CampaignFailure[];
  /** How often each kind of thing happened. */
  readonly counts: Readonly<Record<string, number>>;
  readonly figures: Readonly<Record<string, number | string>>;
}

export interface CampaignFailure {
  /** The number of the case, or undefined where it is all of them together that failed. */
  readonly index?: number;
  readonly message: string;
}

/** Runs cases one after another. A case that fails or hangs does not end the run: the next one gets everything anew. */
export async function runCampaign(campaign: Campaign, run: CampaignRun): Promise<CampaignReport> {
  const { tier, seed, first = 0, cases, limitMs = Number.POSITIVE_INFINITY } = run;
  const began = performance.now();
  const failures: CampaignFailure[] = [];
  const counts = new Map<string, number>();
  let done = 0;
  let open = await campaign.open(tier);
  for (let index = first; index < first + cases && failures.length < MOST_FAILURES; index++) {
    if (performance.now() - began > limitMs) break;
    try {
      const kinds = await ended(open, new Random(caseSeed(seed, index)), index, campaign.hangsAfterMs);
      for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    } catch (error) {
      const failure = { index, message: describe(error) };
      failures.push(failure);
      run.onFailure?.(failure);
      // What the failed case has left behind must not fail the next ones. Closing what hangs may hang as well.
      await Promise.race([open.close().catch(() => {}), delay(HANGS_AFTER_MS, undefined, { ref: false })]);
      open = await campaign.open(tier);
    }
    done++;
    run.onCase?.(done, failures.length);
  }
  const figures = figuresOf(open, failures);
  await open.close();
  const seconds = (performance.now() - began) / 1000;
  return { cases: done, seconds, failures, counts: Object.fromEntries([...counts].sort()), figures };
}

/** The outcome of a case. Rejects when it hangs. */
async function ended(
  open: OpenCampaign,
  random: Random,
  index: number,
  limitMs = HANGS_AFTER_MS,
): Promise<readonly string[]> {
  const watch = new AbortController();
  const hung = delay(limitMs, undefined, { signal: watch.signal }).then(() => {
    throw new Error(`expected the case to end within ${limitMs} ms`);
  });
  try {
    return await Promise.race([open.run(random, index), hung]);
  } finally {
    hung.catch(() => {});
    watch.abort();
  }
}

function figuresOf(open: OpenCampaign, failures: CampaignFailure[]): Readonly<Record<string, number | string>> {
  try {
    return open.figures?.() ?? {};
  } catch (error) {
    failures.push({ message: describe(error) });
    return {};
  }
}

/**
 * A seed for each case: those of neighbouring cases, and of the same case of runs with other seeds, have nothing in
 * common.
 */
function caseSeed(seed: number, index: number): bigint {
  return new Random(index).below(1n << 64n) ^ (BigInt(seed) << 20n);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
