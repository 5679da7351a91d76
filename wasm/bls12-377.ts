import { Edwards, normalizeSums } from './edwards';
import { the } from './field';
import * as msm from './msm';

/** The kernels of BLS12-377 for every machine: bases are added on the Edwards form. */
export * from './bls12-377-common';

export function g1_sumSize(): usize {
  return the<Edwards>().sumSize;
}

export function g1_baseSize(): usize {
  return the<Edwards>().baseSize;
}

/** Brings prepared bases to kernel form. */
export function g1_loadBases(source: usize, count: i32, target: usize): void {
  const group = the<Edwards>();
  for (let i: i32 = 0; i < count; i++) {
    group.loadBase(target + <usize>i * group.baseSize, source + <usize>i * group.preparedSize);
  }
}

export function g1_setIdentity(sum: usize): void {
  the<Edwards>().setIdentity(sum);
}

export function g1_clearBuckets(buckets: usize, count: i32): void {
  msm.clearBuckets<Edwards>(buckets, count);
}

export function g1_fillBuckets(buckets: usize, references: usize, digits: usize, from: i32, to: i32): void {
  msm.fillBuckets<Edwards>(buckets, references, digits, from, to);
}

export function g1_sumBuckets(running: usize, total: usize, buckets: usize, from: i32, to: i32): void {
  msm.sumBuckets<Edwards>(running, total, buckets, from, to);
}

export function g1_normalizeSums(sums: usize, count: i32, bases: usize, products: usize): void {
  normalizeSums(sums, count, bases, products);
}

export function g1_shiftAndAdd(sum: usize, a: usize, doublings: u32): void {
  msm.shiftAndAdd<Edwards>(sum, a, doublings);
}

export function g1_storeAffine(target: usize, sum: usize): void {
  the<Edwards>().storeAffine(target, sum);
}
