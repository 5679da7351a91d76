import type { PairTreeKernels } from './exports.js';
import type { KernelMemory } from './memory.js';
import { PairTree } from './pair-tree.js';
import type { Steps } from './steps.js';

/** Buckets looked at by one call into WASM. */
const REFER_CHUNK = 1 << 14;
/**
 * Points sorted together, of as many windows as that makes: the later rounds of one window of a small multiplication would not fill
 * a batch. Their slots still fit a cache of a few megabytes.
 */
const GROUP_ENTRIES = 1 << 15;

/** One window's work for progress, in additions of a base: a bucket costs about as much as this many. */
export const BUCKET_WEIGHT = 2;

/** The windows of one multiplication, at addresses in the kernel's memory. */
export interface Windows {
  /** References of the bases, `count` u32. */
  readonly references: number;
  readonly count: number;
  /** Their digits, window-major. */
  readonly digits: number;
  readonly windowBits: number;
  /** Buckets of each window, lowest window first. */
  readonly buckets: readonly number[];
}

/** A window's buckets as a table of 2^columnBits columns; rows and columns are counted from 1 on. */
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
 * sum += sum over windows w and buckets b of 2^(c w) b B_wb, the points added in pairs that share inversions: sorted by bucket, a few windows together; then the buckets' sums
 * by row and by column of a table (see listRowsAndColumns in wasm/pair-tree.ts), and of these the weighted sums.
 */
export async function addWindows(
  kernels: PairTreeKernels,
  memory: KernelMemory,
  allocate: (bytes: number) => number,
  steps: Steps,
  { references, count, digits, windowBits, buckets }: Windows,
  sum: number,
): Promise<void> {
  const { exports, group } = kernels;
  const together = Math.max(1, Math.floor(GROUP_ENTRIES / count));
  const most = Math.min(together, buckets.length);
  const largest = Math.max(...buckets);
  const widest = tableOf(largest);
  const tree = new PairTree(kernels, memory, steps, allocate, most * count, most * largest);
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
  /** The weighted sum of the tables' buckets from..to. */
  const addWeighted = (total: number, from: number, to: number): void => {
    group.setIdentity(running);
    group.setIdentity(total);
    group.addRunning(running, total, tables.sums, from, to);
  };
  for (let end = buckets.length; end > 0; end -= together) {
    const windows = Array.from({ length: Math.min(together, end) }, (_, i) => end - 1 - i);
    let total = 0;
    const runs = windows.map((w) => {
      const run = { digits: digits + 4 * w * count, firstBucket: total };
      total += buckets[w]!;
      return run;
    });
    await tree.sumByDigit(runs, references, count, total);
    const refer = (from: number, to: number) => group.referToSums(tree.sums, from, to, sums);
    await steps.run(total, REFER_CHUNK, refer, 0);

    memory.clear(tables.offsets, 4);
    let entries = 0;
    let lines = 0;
    for (const [i, w] of windows.entries()) {
      const { columnBits, rows, columns } = tableOf(buckets[w]!);
      const references = sums + 4 * runs[i]!.firstBucket;
      const offsets = tables.offsets + 4 * (lines + 1);
      entries = exports.listRowsAndColumns(references, buckets[w]!, columnBits, tables.sorted, entries, offsets);
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
