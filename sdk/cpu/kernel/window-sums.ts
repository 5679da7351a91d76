import type { EndomorphismExports, PairTreeKernels } from './exports.js';
import type { KernelMemory } from './memory.js';
import { type DigitRun, PairTree } from './pair-tree.js';
import type { SignedDigits } from './signed-digits.js';
import type { Steps } from './steps.js';

/** Buckets whose sums one call into WASM refers to or maps. */
const REFER_CHUNK = 1 << 14;
/**
 * About how many points are sorted together. A small multiplication sorts several windows together to reach this number, because the later
 * rounds of a single window would not fill a batch of additions. The slots of so many points still fit a cache of a few megabytes.
 */
const GROUP_ENTRIES = 1 << 15;

/** How many additions of a base a bucket counts as in progress. */
export const BUCKET_WEIGHT = 2;

/** A window's buckets laid out as a table with 2^columnBits columns; rows and columns are numbered from 1. */
interface Table {
  readonly columnBits: number;
  readonly rows: number;
  readonly columns: number;
}

function tableOf(buckets: number): Table {
  const columnBits = Math.floor(Math.log2(buckets) / 2);
  return { columnBits, rows: buckets / 2 ** columnBits, columns: 2 ** columnBits - 1 };
}

/**
 * sum += sum over windows w and buckets b of 2^(c w) b B_wb, where B_wb is the sum of the points in bucket b of window w.
 *
 * A few windows at a time, the points of `references` are sorted by bucket and added in pairs that share inversions. The bucket sums are
 * then added by row and by column of a table (see listRowsAndColumns in wasm/msm/pair-tree.ts), and the weighted sum over rows and columns
 * is the window's sum. Where the endomorphism splits scalars into two parts, the points are first summed by the digits of the second part.
 * The image of each such sum under the endomorphism is then one more point of its bucket, so that not every point needs an image.
 */
export async function addWindows(
  kernels: PairTreeKernels,
  endomorphism: EndomorphismExports | undefined,
  memory: KernelMemory,
  allocate: (bytes: number) => number,
  steps: Steps,
  references: number,
  digits: SignedDigits,
  sum: number,
): Promise<void> {
  const { exports, group } = kernels;
  const { count } = digits;
  const { parts, bits: windowBits, buckets } = digits.windows;
  const together = Math.max(1, Math.floor(GROUP_ENTRIES / count));
  const most = Math.min(together, buckets.length);
  const largest = Math.max(...buckets);
  const widest = tableOf(largest);
  const entries = most * (count + (parts - 1) * largest);
  const cut = allocate(4 * entries);
  const tree = new PairTree(kernels, memory, steps, allocate, entries, most * largest);
  const sums = allocate(4 * most * largest);
  const tables = new PairTree(
    kernels,
    memory,
    steps,
    allocate,
    2 * most * largest,
    most * (widest.rows + widest.columns),
  );
  const running = allocate(group.sumSize());
  const rowSum = allocate(group.sumSize());
  const columnSum = allocate(group.sumSize());
  /** total = sum over i of i times the table's i-th sum among those from..to, i from 1. */
  const addWeighted = (total: number, from: number, to: number): void => {
    group.setIdentity(running);
    group.setIdentity(total);
    group.addRunning(running, total, tables.sums, from, to);
  };
  /** The digits of one part of the scalars in some windows; `firstBuckets` tells where each window's buckets begin. */
  const cutRuns = async (part: number, windows: readonly number[], firstBuckets: readonly number[]) => {
    const runs: DigitRun[] = [];
    for (const [i, w] of windows.entries()) {
      const run = { digits: cut + 4 * i * count, references, count, firstBucket: firstBuckets[i]! };
      await digits.cut(w, part, run.digits);
      runs.push(run);
    }
    return runs;
  };
  for (let end = buckets.length; end > 0; end -= together) {
    const windows = Array.from({ length: Math.min(together, end) }, (_, i) => end - 1 - i);
    const firstBuckets = windows.map((_, i) => windows.slice(0, i).reduce((before, w) => before + buckets[w]!, 0));
    const total = windows.reduce((all, w) => all + buckets[w]!, 0);
    const refer = (from: number, to: number) => group.referToSums(tree.sums, from, to, sums);
    const images: DigitRun[] = [];
    if (endomorphism !== undefined) {
      await tree.sumByDigit(await cutRuns(1, windows, firstBuckets), total);
      const map = (from: number, to: number) => endomorphism.g1_mapPoints(tree.sums, from, to);
      await steps.run(total, REFER_CHUNK, map, 0);
      await steps.run(total, REFER_CHUNK, refer, 0);
      const ownBuckets = cut + 4 * windows.length * count;
      exports.listFinite(sums, total, ownBuckets);
      images.push({ digits: ownBuckets, references: sums, count: total, firstBucket: 0 });
    }
    await tree.sumByDigit([...(await cutRuns(0, windows, firstBuckets)), ...images], total);
    await steps.run(total, REFER_CHUNK, refer, 0);

    memory.clear(tables.offsets, 4);
    let listed = 0;
    let lines = 0;
    for (const [i, w] of windows.entries()) {
      const { columnBits, rows, columns } = tableOf(buckets[w]!);
      const references = sums + 4 * firstBuckets[i]!;
      const offsets = tables.offsets + 4 * (lines + 1);
      listed = exports.listRowsAndColumns(references, buckets[w]!, columnBits, tables.sorted, listed, offsets);
      lines += rows + columns;
    }
    await tables.sumSorted(lines, BUCKET_WEIGHT * total);
    let line = 0;
    for (const w of windows) {
      const { columnBits, rows, columns } = tableOf(buckets[w]!);
      addWeighted(rowSum, line, line + rows);
      addWeighted(columnSum, line + rows, line + rows + columns);
      line += rows + columns;
      group.shiftAndAdd(rowSum, columnSum, columnBits);
      group.shiftAndAdd(sum, rowSum, w === buckets.length - 1 ? 0 : windowBits);
    }
  }
}
