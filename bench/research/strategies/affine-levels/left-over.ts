import type { CurveId } from '../../../../sdk/curves/index.js';
import { DIGIT_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import { bucketCount, digitCount, type MsmPlan, setsPerRow } from '../../../../sdk/executors/gpu/msm/plan.js';
import { accumulateStage, foldStage } from '../../../../sdk/executors/gpu/msm/stages/accumulate.js';
import { scanAddStage, scanStage } from '../../../../sdk/executors/gpu/msm/stages/counting-sort.js';
import type { PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import { dealStage, tallyStage } from '../../../../sdk/executors/gpu/msm/stages/pieces.js';
import {
  atomic,
  type Dispatch,
  given,
  read,
  readWrite,
  U32_BYTES,
} from '../../../../sdk/executors/gpu/runtime/stage.js';
import { clear, defineStrategyStage, type Part, run, type StrategyBuffer } from '../strategy.js';
import countLeft from './count-left.wgsl';
import { extentOf, outOf, placesAfter } from './level-work.js';
import listLeft from './list-left.wgsl';
import places from './places.wgsl';
import { vectorsOf } from './vectors.js';

/** Few points are left in a bucket of evenly spread digits, so pieces are as short as they may be. */
const PIECE_LENGTH = 16;

/**
 * Adds up what the levels have left by the shipped stages, which take it for a chunk of bases: it is counted and
 * listed anew, without points at infinity, and cut into pieces.
 */
export function leftOver(curve: CurveId, levels: number): Part {
  const count = defineStrategyStage({
    name: 'affine-levels-count-left',
    entry: 'threads',
    workgroupSize: 256,
    arithmetic: 'bases',
    bindings: {
      offsets: read('counters'),
      points: given('read', 'vec4u'),
      leftCounters: atomic('leftCounters'),
      leftRanks: readWrite('leftRanks', 'vec2u'),
    },
    params: ['level', 'bucketCount'],
    libraries: [places, `const VECTORS = ${vectorsOf(curve)}u;`],
    shader: countLeft,
    bytes: (plan) => bytesLeft(plan, levels),
    dispatches: (chunk: PassChunk) => {
      const extent = extentOf(chunk);
      return [
        {
          first: 0,
          end: placesAfter(levels, extent),
          params: { level: levels, bucketCount: extent.buckets },
          buffers: { points: outOf(levels - 1) },
          cost: DIGIT_COST,
        },
      ];
    },
  });
  const list = defineStrategyStage({
    name: 'affine-levels-list-left',
    entry: 'threads',
    workgroupSize: 256,
    bindings: {
      leftRanks: read('leftRanks', 'vec2u'),
      leftCounters: read('leftCounters'),
      leftSorted: readWrite('leftSorted'),
    },
    params: [],
    shader: listLeft,
    dispatches: (chunk: PassChunk) => [
      { first: 0, end: placesAfter(levels, extentOf(chunk)), params: {}, cost: DIGIT_COST },
    ],
  });
  return {
    kernels: [count, scanStage, scanAddStage, list, tallyStage, dealStage, accumulateStage, foldStage],
    *steps(chunk) {
      const left = chunkLeft(chunk, levels);
      const points = outOf(levels - 1);
      const buffers = new Map<StrategyBuffer | GPUBuffer, StrategyBuffer>([
        ['counters', 'leftCounters'],
        ['sorted', 'leftSorted'],
        [chunk.bases, points],
      ]);
      const runLeft = (dispatches: readonly Dispatch<StrategyBuffer>[]) =>
        run(dispatches.map((each) => ({ ...each, buffers: each.buffers.map((name) => buffers.get(name) ?? name) })));
      yield clear('leftCounters');
      yield* run(count.dispatches(chunk));
      for (const stage of [scanStage, scanAddStage]) yield* runLeft(stage.dispatches(left));
      yield* run(list.dispatches(chunk));
      yield clear('buckets');
      yield clear('bins');
      yield clear('pieces');
      for (const stage of [tallyStage, dealStage, accumulateStage, foldStage]) yield* runLeft(stage.dispatches(left));
    },
  };
}

/** A chunk of as many points as can be left: the buckets keep theirs, and the list has room for a digit of each. */
function chunkLeft(chunk: PassChunk, levels: number): PassChunk {
  return { ...chunk, plan: planLeft(chunk.plan, levels), points: pointsLeft(chunk.points, chunk.plan, levels) };
}

function planLeft(plan: MsmPlan, levels: number): MsmPlan {
  const chunkPoints = pointsLeft(plan.chunkPoints, plan, levels);
  return { ...plan, chunkPoints, pieceLength: PIECE_LENGTH, fullLength: PIECE_LENGTH };
}

/** Rows times multiples times this is at least the number of points left: `placesAfter`. */
function pointsLeft(points: number, plan: MsmPlan, levels: number): number {
  return Math.ceil(points / 2 ** levels) + plan.bucketsPerRow * setsPerRow(plan);
}

function bytesLeft(plan: MsmPlan, levels: number): Partial<Record<StrategyBuffer, number>> {
  const left = planLeft(plan, levels);
  const ranks = placesAfter(levels, { entries: digitCount(plan), buckets: bucketCount(plan) });
  return {
    ...tallyStage.bytes(left),
    ...dealStage.bytes(left),
    ...accumulateStage.bytes(left),
    leftCounters: scanStage.bytes(left).counters!,
    leftRanks: ranks * 2 * U32_BYTES,
    leftSorted: digitCount(left) * U32_BYTES,
  };
}
