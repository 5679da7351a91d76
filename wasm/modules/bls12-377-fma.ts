import { mapPoints } from '../curve/endomorphism';
import { the } from '../field/field';
import { BETA } from '../generated/bls12-377-endomorphism';
import { Fq } from '../generated/bls12-377-fq';
import { FqLanes } from '../generated/bls12-377-fq-lanes';
import { loadEdwardsPoints } from '../curve/lane-edwards';
import { LanePairs } from '../msm/lane-pairs';
import * as pairs from '../msm/pair-tree';

/** The kernels of BLS12-377 for machines with fused multiply-add in two lanes (relaxed SIMD): the buckets use it. */
export * from './bls12-377-common';

type Pairs = LanePairs<FqLanes, Fq>;

export function g1_baseSize(): usize {
  return the<Pairs>().pointSize;
}

/** Brings prepared bases, which are in the Edwards form, to kernel form. */
export function g1_loadBases(source: usize, count: i32, target: usize): void {
  loadEdwardsPoints(source, count, target);
}

export function g1_mapPoints(points: usize, from: i32, to: i32): void {
  mapPoints<Pairs>(BETA, points, from, to);
}

export function g1_pairScratchSize(): usize {
  return pairs.pairScratchSize<Pairs>();
}

export function g1_addPairs(
  cursor: usize,
  sorted: usize,
  offsets: usize,
  end: i32,
  stride: i32,
  slots: usize,
  scratch: usize,
): bool {
  return pairs.addPairs<Pairs>(cursor, sorted, offsets, end, stride, slots, scratch);
}

export function g1_takeSums(offsets: usize, slots: usize, from: i32, to: i32, sums: usize): void {
  pairs.takeSums<Pairs>(offsets, slots, from, to, sums);
}

export function g1_referToSums(sums: usize, from: i32, to: i32, references: usize): void {
  pairs.referToSums<Pairs>(sums, from, to, references);
}

export function g1_addRunning(running: usize, total: usize, sums: usize, from: i32, to: i32): void {
  pairs.addRunning<Pairs>(running, total, sums, from, to);
}
