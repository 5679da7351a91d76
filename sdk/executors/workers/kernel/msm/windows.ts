import { MIN_WINDOW_BITS } from '../../../../bases/digits.js';
import type { MultiplesPlan } from '../../../../bases/multiples.js';

/**
 * Multiples are used where they save at least this part of the additions: these take longer then, because the bases lie
 * in more memory than a cache holds. Measured with 8 multiples of 2^15 bases and fewer and fewer scalars.
 */
const LEAST_SAVING = 0.12;

/** How digits are cut from scalars. */
export interface Windows {
  /** Bytes of a scalar. */
  readonly scalarBytes: number;
  /** The parts of each scalar that digits are cut from: 1, the scalar itself, or 2, its halves. */
  readonly parts: 1 | 2;
  /** Bits of a window. */
  readonly bits: number;
  /** The number of buckets of each window, lowest window first. */
  readonly buckets: readonly number[];
  /** Rows of buckets: window w = j rows + g shares row g, with multiple j of the bases. */
  readonly rows: number;
}

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
 * The windows of least cost for `count` scalars, or windows of `windowBits` bits. Scalars are split by the endomorphism
 * only where that is cheaper: short ones are not. With precomputed multiples, their plan gives the windows.
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
  const whole = (): Choice => choiceOf({ scalarBytes, parts: 1 }, count, bits, windowBits, plan);
  if (halfBits === undefined || bits <= halfBits) return whole();
  const halves = choiceOf({ scalarBytes, parts: 2 }, count, halfBits, windowBits, plan);
  // Multiples were made for the windows of halves: there are too few of them for longer scalars.
  if (plan !== undefined) return halves;
  const other = whole();
  return other.cost < halves.cost ? other : halves;
}

function choiceOf(
  { scalarBytes, parts }: Pick<Windows, 'scalarBytes' | 'parts'>,
  count: number,
  bits: number,
  windowBits: number | undefined,
  plan: MultiplesPlan | undefined,
): Choice {
  const size = plan?.windowBits ?? windowBits ?? cheapestWindow(parts * count, bits, 1).windowBits;
  const buckets = windowBuckets(bits, size);
  const rows = Math.min(plan?.rows ?? buckets.length, buckets.length);
  return { windows: { scalarBytes, parts, bits: size, buckets, rows }, cost: windowCost(parts * count, buckets, rows) };
}

/** The largest window that is chosen when the caller names none: its buckets still fit a cache of a few megabytes. */
const MAX_CPU_WINDOW_BITS = 16;

/** The cost of summing up a bucket, in additions of a base: it is added to its row and to its column, both in pairs. */
const BUCKET_COST = 2.2;
/**
 * The cost of a row or column of a window's table, in additions of a base: two additions of XYZZ sums, each dearer than
 * one in pairs.
 */
const LINE_COST = 5;

/**
 * How many buckets each window has, lowest first, for scalars below 2^scalarBits: 2^(c-1) for signed digits. The digits
 * of the highest window have no sign, so it has one bucket for each value that its bits and a carry can have.
 */
export function windowBuckets(scalarBits: number, windowBits: number): number[] {
  const windows = Math.ceil(scalarBits / windowBits);
  return Array.from({ length: windows }, (_, w) =>
    w < windows - 1 ? 2 ** (windowBits - 1) : 2 ** (scalarBits - w * windowBits),
  );
}

/**
 * How many buckets each of `rows` rows has: window w goes to row w mod rows, and the widest window of a row decides.
 */
export function rowBuckets(buckets: readonly number[], rows: number): number[] {
  return Array.from({ length: rows }, (_, row) =>
    Math.max(...windowsOfRow(buckets.length, rows, row).map((w) => buckets[w]!)),
  );
}

/** The windows of a row, in the order of the multiples that they take. */
export function windowsOfRow(windows: number, rows: number, row: number): number[] {
  return Array.from({ length: Math.ceil((windows - row) / rows) }, (_, multiple) => multiple * rows + row);
}

/** The window of least cost among those with at most `multiples` multiples of each base, or the one of `asked` bits. */
export function cheapestWindow(count: number, scalarBits: number, multiples: number, asked?: number): WindowCost {
  let best: WindowCost | undefined;
  for (let windowBits = asked ?? MIN_WINDOW_BITS; windowBits <= (asked ?? MAX_CPU_WINDOW_BITS); windowBits++) {
    const buckets = windowBuckets(scalarBits, windowBits);
    const rows = Math.ceil(buckets.length / multiples);
    const cost = windowCost(count, buckets, rows);
    if (best === undefined || cost < best.cost) {
      best = { windowBits, rows, multiples: Math.ceil(buckets.length / rows), cost };
    }
  }
  return best!;
}

/** A window, the rows and multiples that it takes, and the cost of a multiplication by it, in additions of a base. */
export interface WindowCost extends MultiplesPlan {
  readonly cost: number;
}

/**
 * The cost of an MSM by windows with so many buckets in so many rows, in additions of a base: each row adds every base
 * once for each of its windows, then reduces its buckets.
 */
export function windowCost(count: number, buckets: readonly number[], rows: number): number {
  let cost = 0;
  // Without lists of each row's windows: small multiplications are planned in a part of the time that they take.
  for (let row = 0; row < rows; row++) {
    let entries = 0;
    let some = 0;
    for (let w = row; w < buckets.length; w += rows) {
      entries += count;
      some = Math.max(some, buckets[w]!);
    }
    cost += Math.max(0, entries - some) + BUCKET_COST * some + 2 * LINE_COST * Math.sqrt(some);
  }
  return cost;
}
