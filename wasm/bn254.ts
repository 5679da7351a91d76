import { AffinePairs } from './affine-pairs';
import { the } from './field';
import { Fq } from './generated/bn254-fq';
import * as msm from './msm';
import * as pairs from './pair-tree';
import { Weierstrass } from './weierstrass';

/** The kernels of BN254: G1 and G2 on the Weierstrass form, and Fr. */
export * from './bn254-common';

type Pairs = AffinePairs<Fq>;

export function g1_baseSize(): usize {
  return the<Weierstrass<Fq>>().baseSize;
}

/** Brings prepared bases to kernel form. */
export function g1_loadBases(source: usize, count: i32, target: usize): void {
  const group = the<Weierstrass<Fq>>();
  for (let i: i32 = 0; i < count; i++) {
    group.loadBase(target + <usize>i * group.baseSize, source + <usize>i * group.preparedSize);
  }
}

export function g1_addListed(sum: usize, bases: usize, list: usize, from: i32, to: i32): void {
  msm.addListed<Weierstrass<Fq>>(sum, bases, list, from, to);
}

export function g1_fillBuckets(buckets: usize, bases: usize, list: usize, digits: usize, from: i32, to: i32): void {
  msm.fillBuckets<Weierstrass<Fq>>(buckets, bases, list, digits, from, to);
}

export function g1_pairScratchSize(): usize {
  return pairs.pairScratchSize<Pairs>();
}

export function g1_addPairs(
  cursor: usize,
  bases: usize,
  sorted: usize,
  offsets: usize,
  buckets: i32,
  stride: i32,
  slots: usize,
  scratch: usize,
): bool {
  return pairs.addPairs<Pairs>(cursor, bases, sorted, offsets, buckets, stride, slots, scratch);
}

export function g1_sumSlots(running: usize, total: usize, offsets: usize, slots: usize, from: i32, to: i32): void {
  pairs.sumSlots<Pairs>(running, total, offsets, slots, from, to);
}
