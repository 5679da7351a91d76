import countShader from '../../../../../shaders/stages/count.wgsl';
import blockShader from '../../../../../shaders/stages/scan.wgsl';
import addShader from '../../../../../shaders/stages/scan-add.wgsl';
import scatterShader from '../../../../../shaders/stages/scatter.wgsl';
import { SCALAR_BYTES } from '../../../../curves/index.js';
import { atomic, read, readWrite, U32_BYTES } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import { bucketCount } from '../plan.js';
import { digitBytes, digitStages } from './digit-stage.js';
import { defineMsmStage } from './msm-stage.js';
import { bucketsOf, type PassChunk } from './pass-chunk.js';

/**
 * Counts the digits of each bucket and ranks them; the counters begin at zero. Reference of the digits: `signedDigits` in
 * sdk/bases/digits.ts.
 */
export const countStages = digitStages({
  name: 'count',
  shader: countShader,
  bindings: { counters: atomic('counters'), ranks: readWrite('ranks') },
  bytes: (plan) => ({
    source: plan.digitsFrom === 'scalars' ? plan.chunkPoints * plan.batchPerPass * SCALAR_BYTES : digitBytes(plan),
    ranks: digitBytes(plan),
  }),
});

/** Threads of a workgroup, and the counters that it scans: a block. */
const BLOCK_THREADS = 256;
const COUNTERS_PER_THREAD = 4;
const BLOCK = BLOCK_THREADS * COUNTERS_PER_THREAD;

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

/** Counters for some buckets: one for each, and one that becomes the number of all digits. */
function countersFor(buckets: number): number {
  return buckets + 1;
}

/**
 * Turns the counters of each block into their exclusive prefix sums and writes the blocks' totals to the next level, level after
 * level. With `scanAddStage` behind it the counters become the offsets of the buckets, the sum of all at the end.
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

/** Adds to each counter what the blocks before its own hold, from the last level but one down to the counters. */
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
