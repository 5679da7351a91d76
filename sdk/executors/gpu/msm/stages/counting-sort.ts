import countShader from '../../../../../shaders/stages/count.wgsl';
import blockShader from '../../../../../shaders/stages/scan.wgsl';
import addShader from '../../../../../shaders/stages/scan-add.wgsl';
import scatterShader from '../../../../../shaders/stages/scatter.wgsl';
import { atomic, read, readWrite, U32_BYTES } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import { bucketCount } from '../plan.js';
import { digitBytes, digitStages } from './digit-stage.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOf, type PassChunk } from './pass-chunk.js';

/**
 * Counts the digits of each bucket and ranks them; the counters must be zero. Reference for the digits: `signedDigits`
 * in sdk/bases/digits.ts.
 */
export const countStages = digitStages({
  name: 'count',
  shader: countShader,
  bindings: { counters: atomic('counters'), ranks: readWrite('ranks') },
  bytes: (plan) => ({
    source: plan.digitsFrom === 'scalars' ? plan.chunkPoints * plan.batchPerPass * plan.scalarBytes : digitBytes(plan),
    ranks: digitBytes(plan),
  }),
});

/** Threads per workgroup, and the counters that it scans: a block. */
const BLOCK_THREADS = 256;
const COUNTERS_PER_THREAD = 4;
const BLOCK = BLOCK_THREADS * COUNTERS_PER_THREAD;

interface Level {
  /** The index of the level's first counter, and their number. */
  readonly from: number;
  readonly length: number;
}

/**
 * The levels of a scan: the counters, their blocks' totals, those totals' blocks' totals, and so on down to a single
 * block, then one place for its total. They are consecutive in one buffer.
 */
function scanLevels(counters: number): readonly Level[] {
  const levels: Level[] = [{ from: 0, length: counters }];
  for (let top = levels[0]!; top.length > 1; ) {
    top = { from: top.from + top.length, length: Math.ceil(top.length / BLOCK) };
    levels.push(top);
  }
  return levels;
}

/** Counters for `buckets` buckets: one for each, and one that becomes the number of all digits. */
function countersFor(buckets: number): number {
  return buckets + 1;
}

/**
 * Replaces the counters by exclusive prefix sums within each block and writes the blocks' totals to the next level,
 * level by level. After `scanAddStage` the counters are the offsets of the buckets, followed by the total.
 */
export const scanStage = defineMsmStage({
  name: 'scan',
  entry: 'workgroups',
  workgroupSize: BLOCK_THREADS,
  bindings: { counters: readWrite('counters') },
  params: ['start', 'length', 'totalsAt'],
  constants: { COUNTERS_PER_THREAD },
  shader: blockShader,
  bytes: (plan) => {
    const top = scanLevels(countersFor(bucketCount(plan))).at(-1)!;
    return { counters: (top.from + top.length) * U32_BYTES };
  },
  dispatches: (chunk: PassChunk) => {
    const levels = scanLevels(countersFor(bucketsOf(chunk)));
    return levels.slice(0, -1).map((level, l) => ({
      first: 0,
      end: Math.ceil(level.length / BLOCK) * BLOCK_THREADS,
      params: { start: level.from, length: level.length, totalsAt: levels[l + 1]!.from },
      cost: COUNTERS_PER_THREAD * DIGIT_COST,
    }));
  },
});

/** Adds to each counter the total of the blocks before its own, from the last level but one down to the counters. */
export const scanAddStage = defineMsmStage({
  name: 'scan-add',
  entry: 'threads',
  workgroupSize: 256,
  bindings: { counters: readWrite('counters') },
  params: ['start', 'totalsAt'],
  constants: { BLOCK },
  shader: addShader,
  dispatches: (chunk: PassChunk) => {
    const levels = scanLevels(countersFor(bucketsOf(chunk)));
    return levels
      .slice(0, -2)
      .map((level, l) => ({
        first: 0,
        end: level.length,
        params: { start: level.from, totalsAt: levels[l + 1]!.from },
        cost: DIGIT_COST,
      }))
      .reverse();
  },
});

/** Sorts the points by bucket: each goes to its bucket's offset plus its digit's rank. */
export const scatterStages = digitStages({
  name: 'scatter',
  shader: scatterShader,
  bindings: { ranks: read('ranks'), offsets: read('counters'), sorted: readWrite('sorted') },
  bytes: (plan) => ({ sorted: digitBytes(plan) }),
});
