import blockShader from '../../../shaders/stages/scan.wgsl';
import addShader from '../../../shaders/stages/scan-add.wgsl';
import { type Dispatch, type Job, rowsOf, type Stage, U32_BYTES } from '../runtime/stage.js';
import { DIGIT_COST } from './cost.js';

/** Counters that one workgroup scans: four for each of its threads. */
const BLOCK = 1024;
const BLOCK_THREADS = 256;

interface Level {
  /** Where the level's counters begin, and how many they are. */
  readonly from: number;
  readonly length: number;
}

/**
 * The levels of a scan: the counters, the totals of their blocks, the totals of the blocks of those, and so on down to a
 * single block, and one place for its total. They lie one behind the other in one buffer.
 */
function scanLevels(counters: number): readonly Level[] {
  const levels: Level[] = [{ from: 0, length: counters }];
  for (let top = levels[0]!; top.length > 1; ) {
    top = { from: top.from + top.length, length: Math.ceil(top.length / BLOCK) };
    levels.push(top);
  }
  return levels;
}

/** Counters of a pass: one a bucket, and one that becomes the number of all digits. */
function counters(rows: number, bucketsPerWindow: number): number {
  return rows * bucketsPerWindow + 1;
}

/** Scans each block of a level and writes the blocks' totals to the next. */
export const scanStage: Stage = {
  name: 'scan',
  shader: blockShader,
  workgroupSize: BLOCK_THREADS,
  access: ['storage'],
  bytes: ({ windowsPerPass, batchPerPass, bucketsPerWindow }) => {
    const rows = rowsOf({ windows: windowsPerPass, batch: batchPerPass });
    const top = scanLevels(counters(rows, bucketsPerWindow)).at(-1)!;
    return { counters: (top.from + top.length) * U32_BYTES };
  },
};

/** Adds to each counter what the blocks before its own hold. */
export const scanAddStage: Stage = {
  name: 'scan-add',
  shader: addShader,
  workgroupSize: 256,
  access: ['storage'],
  bytes: () => ({}),
};

/** Turns the counters into the offsets of the buckets: their exclusive prefix sums, the sum of all at the end. */
export function scanCounters(job: Job): Dispatch[] {
  const levels = scanLevels(counters(rowsOf(job), job.plan.bucketsPerWindow));
  const up = levels.slice(0, -1).map(
    (level, l): Dispatch => ({
      stage: scanStage,
      first: 0,
      end: Math.ceil(level.length / BLOCK) * BLOCK_THREADS,
      params: [level.from, level.length, levels[l + 1]!.from],
      buffers: ['counters'],
      cost: 4 * DIGIT_COST,
    }),
  );
  const down = levels.slice(0, -2).map(
    (level, l): Dispatch => ({
      stage: scanAddStage,
      first: 0,
      end: level.length,
      params: [level.from, levels[l + 1]!.from],
      buffers: ['counters'],
      cost: DIGIT_COST,
    }),
  );
  return [...up, ...down.reverse()];
}
