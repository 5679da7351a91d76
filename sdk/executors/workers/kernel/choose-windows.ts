import type { MultiplesPlan } from '../../../bases/multiples.js';
import type { Windows } from './signed-digits.js';
import { cheapestWindow, windowBuckets, windowCost } from './window-bits.js';

/**
 * Multiples are used where they save at least this part of the additions: these take longer then, because the bases lie in more memory than a
 * cache holds. Measured with 8 multiples of 2^15 bases and fewer and fewer scalars.
 */
const LEAST_SAVING = 0.12;

/** How long scalars are. */
export interface ScalarLength {
  /** The most bits of a scalar, without its sign; at least 1. */
  readonly bits: number;
  /** The bits of the halves into which the group's endomorphism splits scalars; undefined if it has none. */
  readonly halfBits: number | undefined;
  /** Bytes that a scalar takes in memory. */
  readonly scalarBytes: number;
}

/** Windows, and the cost of a multiplication by them in additions of a base. */
interface Choice {
  readonly windows: Windows;
  readonly cost: number;
}

/**
 * The windows of least cost for `count` scalars, or those of `windowBits` bits. Scalars are cut in halves only where that is cheaper: short
 * ones are not. With a plan the windows are those of its multiples.
 */
export function chooseWindows(
  count: number,
  length: ScalarLength,
  windowBits: number | undefined,
  plan?: MultiplesPlan,
): Windows {
  return cheapestChoice(count, length, windowBits, plan).windows;
}

/** Whether a multiplication of so many scalars takes less with the multiples of a plan than without. */
export function multiplesPay(plan: MultiplesPlan | undefined, count: number, length: ScalarLength): boolean {
  if (plan === undefined) return false;
  const alone = cheapestChoice(count, length, undefined).cost;
  return cheapestChoice(count, length, undefined, plan).cost <= (1 - LEAST_SAVING) * alone;
}

function cheapestChoice(
  count: number,
  { bits, halfBits, scalarBytes }: ScalarLength,
  windowBits: number | undefined,
  plan?: MultiplesPlan,
): Choice {
  const whole = (): Choice => choiceOf(1, count, bits, scalarBytes, windowBits, plan);
  if (halfBits === undefined || bits <= halfBits) return whole();
  const halves = choiceOf(2, count, halfBits, scalarBytes, windowBits, plan);
  // Multiples were made for the windows of halves: there are too few of them for longer scalars.
  if (plan !== undefined) return halves;
  const other = whole();
  return other.cost < halves.cost ? other : halves;
}

function choiceOf(
  parts: 1 | 2,
  count: number,
  bits: number,
  scalarBytes: number,
  windowBits: number | undefined,
  plan: MultiplesPlan | undefined,
): Choice {
  const size = plan?.windowBits ?? windowBits ?? cheapestWindow(parts * count, bits, 1).windowBits;
  const buckets = windowBuckets(bits, size);
  const rows = Math.min(plan?.rows ?? buckets.length, buckets.length);
  return { windows: { scalarBytes, parts, bits: size, buckets, rows }, cost: windowCost(parts * count, buckets, rows) };
}
