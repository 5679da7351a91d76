import type { EndomorphismExports } from '../exports.js';
import { type DigitRun, PairTree } from './pair-tree.js';
import type { WindowDigits } from './signed-digits.js';
import { rowBuckets, windowsOfRow } from './windows.js';
import type { Workspace } from './workspace.js';

/** Buckets whose sums one call into WASM refers to or maps. */
const REFER_CHUNK = 1 << 14;
/**
 * About how many points are sorted together. A small multiplication sorts several rows together to reach this number,
 * because the later rounds of a single row would not fill a batch of additions. The slots of so many points still fit a
 * cache of a few megabytes.
 */
const GROUP_ENTRIES = 1 << 15;

/** How many additions of a base a bucket counts as in progress. */
export const BUCKET_WEIGHT = 2;

/** A row's buckets laid out as a table with 2^columnBits columns; rows and columns are numbered from 1. */
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
 * sum += sum over rows g and buckets b of 2^(c g) b B_gb, where B_gb is the bucket sum of the points that have digit b
 * in a window of row g. There is a row for each window, or one for all windows w = j rows + g, which take multiple j of
 * the points.
 *
 * A few rows at a time, the points are sorted by bucket and added in pairs with batch inversion. The bucket sums are
 * then added by row and by column of a table (see listRowsAndColumns in wasm/msm/pair-tree.ts), and the weighted sum
 * over rows and columns is the window sum. Where the endomorphism splits scalars into two parts, the buckets of the
 * second part are filled first. The image of each of these bucket sums under the endomorphism then becomes one more
 * point of its bucket, so that not every point needs an image.
 *
 * @param references for each multiple of the points the address of the references to them.
 */
export async function addWindows(
  workspace: Workspace,
  endomorphism: EndomorphismExports | undefined,
  references: readonly number[],
  digits: WindowDigits,
  sum: number,
): Promise<void> {
  const { exports, group, memory, allocate, steps } = workspace;
  const { count } = digits;
  const { parts, bits: windowBits, rows: rowCount } = digits.windows;
  const windowCount = digits.windows.buckets.length;
  const buckets = rowBuckets(digits.windows.buckets, rowCount);
  const digitsOfRow = references.length * count;
  const together = Math.max(1, Math.floor(GROUP_ENTRIES / digitsOfRow));
  const most = Math.min(together, buckets.length);
  const largest = Math.max(...buckets);
  const widest = tableOf(largest);
  const entries = most * (digitsOfRow + (parts - 1) * largest);
  const cut = allocate(4 * entries);
  const tree = new PairTree(workspace, entries, most * largest);
  const sums = allocate(4 * most * largest);
  const tables = new PairTree(workspace, 2 * most * largest, most * (widest.rows + widest.columns));
  const running = allocate(group.sumSize());
  const rowSum = allocate(group.sumSize());
  const columnSum = allocate(group.sumSize());
  /** total = sum over i from 1 of i times the i-th of the table's sums from..to. */
  const addWeighted = (total: number, from: number, to: number): void => {
    group.setIdentity(running);
    group.setIdentity(total);
    group.addRunning(running, total, tables.sums, from, to);
  };
  /**
   * The digits of one part of the scalars in the windows of some rows; `firstBuckets` holds where each row's buckets
   * begin.
   */
  const cutRuns = async (part: number, rows: readonly number[], firstBuckets: readonly number[]) => {
    const runs: DigitRun[] = [];
    for (const [i, row] of rows.entries()) {
      for (const [multiple, w] of windowsOfRow(windowCount, rowCount, row).entries()) {
        const at = cut + 4 * (i * digitsOfRow + multiple * count);
        await digits.cut(w, part, at);
        runs.push({ digits: at, references: references[multiple]!, count, firstBucket: firstBuckets[i]! });
      }
    }
    return runs;
  };
  for (let end = buckets.length; end > 0; end -= together) {
    const rowsNow = Array.from({ length: Math.min(together, end) }, (_, i) => end - 1 - i);
    const firstBuckets = rowsNow.map((_, i) => rowsNow.slice(0, i).reduce((before, row) => before + buckets[row]!, 0));
    const total = rowsNow.reduce((all, row) => all + buckets[row]!, 0);
    const refer = (from: number, to: number) => group.referToSums(tree.sums, from, to, sums);
    const images: DigitRun[] = [];
    if (endomorphism !== undefined) {
      await tree.sumByDigit(await cutRuns(1, rowsNow, firstBuckets), total);
      const map = (from: number, to: number) => endomorphism.g1_mapPoints(tree.sums, from, to);
      await steps.run(total, REFER_CHUNK, map, 0);
      await steps.run(total, REFER_CHUNK, refer, 0);
      const ownBuckets = cut + 4 * rowsNow.length * digitsOfRow;
      exports.listFinite(sums, total, ownBuckets);
      images.push({ digits: ownBuckets, references: sums, count: total, firstBucket: 0 });
    }
    await tree.sumByDigit([...(await cutRuns(0, rowsNow, firstBuckets)), ...images], total);
    await steps.run(total, REFER_CHUNK, refer, 0);

    memory.clear(tables.offsets, 4);
    let listed = 0;
    let lines = 0;
    for (const [i, row] of rowsNow.entries()) {
      const { columnBits, rows, columns } = tableOf(buckets[row]!);
      const own = sums + 4 * firstBuckets[i]!;
      const offsets = tables.offsets + 4 * (lines + 1);
      listed = exports.listRowsAndColumns(own, buckets[row]!, columnBits, tables.sorted, listed, offsets);
      lines += rows + columns;
    }
    await tables.sumSorted(lines, BUCKET_WEIGHT * total);
    let line = 0;
    for (const row of rowsNow) {
      const { columnBits, rows, columns } = tableOf(buckets[row]!);
      addWeighted(rowSum, line, line + rows);
      addWeighted(columnSum, line + rows, line + rows + columns);
      line += rows + columns;
      group.shiftAndAdd(rowSum, columnSum, columnBits);
      group.shiftAndAdd(sum, rowSum, row === rowCount - 1 ? 0 : windowBits);
    }
  }
}
