import { AffinePairs } from '../msm/affine-pairs';
import { mapPoints } from '../curve/endomorphism';
import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { BETA } from '../generated/bn254-endomorphism';
import { Fq } from '../generated/bn254-fq';
import { Fr } from '../generated/bn254-fr';
import * as ntt from '../ntt/ntt';
import * as pairs from '../msm/pair-tree';
import { Weierstrass } from '../curve/weierstrass';

/** The kernels of BN254: G1 and G2 on the Weierstrass form, and Fr. */
export * from './bn254-common';

type Pairs = AffinePairs<Fq>;
type Pairs2 = AffinePairs<Fq2>;

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

export function g2_baseSize(): usize {
  return the<Weierstrass<Fq2>>().baseSize;
}

/** Brings prepared bases to kernel form. */
export function g2_loadBases(source: usize, count: i32, target: usize): void {
  const group = the<Weierstrass<Fq2>>();
  for (let i: i32 = 0; i < count; i++) {
    group.loadBase(target + <usize>i * group.baseSize, source + <usize>i * group.preparedSize);
  }
}

export function g2_pairScratchSize(): usize {
  return pairs.pairScratchSize<Pairs2>();
}

export function g2_addPairs(
  cursor: usize,
  sorted: usize,
  offsets: usize,
  end: i32,
  stride: i32,
  slots: usize,
  scratch: usize,
): bool {
  return pairs.addPairs<Pairs2>(cursor, sorted, offsets, end, stride, slots, scratch);
}

export function g2_takeSums(offsets: usize, slots: usize, from: i32, to: i32, sums: usize): void {
  pairs.takeSums<Pairs2>(offsets, slots, from, to, sums);
}

export function g2_referToSums(sums: usize, from: i32, to: i32, references: usize): void {
  pairs.referToSums<Pairs2>(sums, from, to, references);
}

export function g2_addRunning(running: usize, total: usize, sums: usize, from: i32, to: i32): void {
  pairs.addRunning<Pairs2>(running, total, sums, from, to);
}

export function ntt_elementSize(): usize {
  return the<Fr>().size / the<Fr>().lanes;
}

export function ntt_spreadSize(): usize {
  return the<Fr>().spreadSize / the<Fr>().lanes;
}

export function ntt_loadElements(source: usize, from: i32, to: i32, data: usize): void {
  ntt.loadElements<Fr>(source, from, to, data);
}

export function ntt_storeElements(data: usize, from: i32, to: i32, target: usize): void {
  ntt.storeElements<Fr>(data, from, to, target);
}

export function ntt_storeReversed(
  data: usize,
  logN: i32,
  bits: i32,
  from: i32,
  to: i32,
  target: usize,
  stride: usize,
): void {
  ntt.storeReversed<Fr>(data, logN, bits, from, to, target, stride);
}

export function ntt_scaleElements(data: usize, factors: usize, from: i32, to: i32): void {
  ntt.scaleElements<Fr>(data, factors, from, to);
}

export function ntt_loadFactors(source: usize, target: usize): void {
  ntt.loadFactors<Fr>(source, target);
}

export function ntt_multiplyFactors(source: usize, by: usize, from: i32, to: i32, target: usize): void {
  ntt.multiplyFactors<Fr>(source, by, from, to, target);
}

export function ntt_spreadFactors(factors: usize, from: i32, to: i32, target: usize): void {
  ntt.spreadFactors<Fr>(factors, from, to, target);
}

export function ntt_forwardStages(
  data: usize,
  n: i32,
  factors: usize,
  spread: usize,
  spreadCount: i32,
  first: i32,
  last: i32,
  from: i32,
  to: i32,
): void {
  ntt.forwardStages<Fr>(data, n, factors, spread, spreadCount, first, last, from, to);
}

export function ntt_cosetStages(
  data: usize,
  factors: usize,
  spread: usize,
  spreadCount: i32,
  first: i32,
  last: i32,
  from: i32,
  to: i32,
): void {
  ntt.cosetStages<Fr>(data, factors, spread, spreadCount, first, last, from, to);
}

export function ntt_multiplyElements(a: usize, b: usize, count: i32, target: usize): void {
  ntt.multiplyElements<Fr>(a, b, count, target);
}

export function ntt_quotient(a: usize, b: usize, c: usize, count: i32, target: usize): void {
  ntt.quotient<Fr>(a, b, c, count, target);
}
