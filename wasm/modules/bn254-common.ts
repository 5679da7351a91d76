import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { G1_B, G2_B } from '../generated/bn254-constants';
import { Fq } from '../generated/bn254-fq';
import { Fr } from '../generated/bn254-fr';
import * as msm from '../msm/msm';
import * as pairing from '../pairing/pairing';
import { prepareWeierstrass } from '../prepare/prepare';
import * as r1cs from '../ntt/r1cs';
import * as reduce from '../msm/reduce';
import { isOnCurve, Weierstrass } from '../curve/weierstrass';

/** What the modules of BN254 share: all that does not depend on the form of the bases. What each export does stands where the function behind it is written. */
export { addBias, cutDigits, cutWindow } from '../msm/digits';
export { findClasses, keepFinite } from '../msm/equal-scalars';
export { gatherScalars, listNonzero, listReferences } from '../msm/msm';
export { countDigits, endOfStretch, listFinite, listRowsAndColumns, scanCounts, scatterDigits } from '../msm/pair-tree';
export { splitScalars } from '../curve/split-bn254';

export function g1_prepare(source: usize, count: i32, encoding: i32, target: usize, indices: usize): i32 {
  return prepareWeierstrass<Fq>(source, count, encoding, G1_B, target, indices);
}

export function g1_sumSize(): usize {
  return the<Weierstrass<Fq>>().sumSize;
}

export function g1_setIdentity(sum: usize): void {
  the<Weierstrass<Fq>>().setIdentity(sum);
}

export function g1_shiftAndAdd(sum: usize, a: usize, doublings: u32): void {
  msm.shiftAndAdd<Weierstrass<Fq>>(sum, a, doublings);
}

export function g1_storeAffine(target: usize, sum: usize): void {
  the<Weierstrass<Fq>>().storeAffine(target, sum);
}

export function g1_reduceWindows(sums: usize, count: i32, windowBits: u32, target: usize): void {
  reduce.reduceWindows<Weierstrass<Fq>>(sums, count, 4 * the<Fq>().packedSize, windowBits, target);
}

export function g1_combine(points: usize, scalars: usize, count: i32, target: usize): void {
  reduce.combine<Fq>(points, scalars, count, target);
}

export function g1_isOnCurve(point: usize): bool {
  return isOnCurve<Fq>(point, G1_B);
}

export function g2_prepare(source: usize, count: i32, encoding: i32, target: usize, indices: usize): i32 {
  return prepareWeierstrass<Fq2>(source, count, encoding, G2_B, target, indices);
}

export function g2_sumSize(): usize {
  return the<Weierstrass<Fq2>>().sumSize;
}

export function g2_setIdentity(sum: usize): void {
  the<Weierstrass<Fq2>>().setIdentity(sum);
}

export function g2_shiftAndAdd(sum: usize, a: usize, doublings: u32): void {
  msm.shiftAndAdd<Weierstrass<Fq2>>(sum, a, doublings);
}

export function g2_storeAffine(target: usize, sum: usize): void {
  the<Weierstrass<Fq2>>().storeAffine(target, sum);
}

export function g2_reduceWindows(sums: usize, count: i32, windowBits: u32, target: usize): void {
  reduce.reduceWindows<Weierstrass<Fq2>>(sums, count, 4 * the<Fq2>().packedSize, windowBits, target);
}

export function g2_combine(points: usize, scalars: usize, count: i32, target: usize): void {
  reduce.combine<Fq2>(points, scalars, count, target);
}

export function g2_isOnCurve(point: usize): bool {
  return isOnCurve<Fq2>(point, G2_B);
}

/** The first address that the host may use. */
export function heapBase(): usize {
  return __heap_base;
}

export function fr_size(): usize {
  return the<Fr>().size;
}

export function r1cs_entrySize(): usize {
  return r1cs.entrySize();
}

export function r1cs_load(
  rows: usize,
  count: i32,
  matrix: u32,
  domainSize: u32,
  target: usize,
  cursor: usize,
): i32 {
  return r1cs.loadConstraints<Fr>(rows, count, matrix, domainSize, target, cursor);
}

export function r1cs_evaluate(entries: usize, from: i32, to: i32, witness: usize, signals: u32, sums: usize): i32 {
  return r1cs.evaluateConstraints<Fr>(entries, from, to, witness, signals, sums);
}

export function r1cs_storeSums(sums: usize, count: i32, target: usize): void {
  r1cs.storeSums<Fr>(sums, count, target);
}

export function g1_isInSubgroup(point: usize): bool {
  return pairing.isInG1(point);
}

export function g2_isInSubgroup(point: usize): bool {
  return pairing.isInG2(point);
}

export function pairing_pairSize(): usize {
  return pairing.pairSize();
}

export function pairing_productIsOne(g1: usize, g2: usize, count: i32, pairs: usize): i32 {
  return pairing.productIsOne(g1, g2, count, pairs);
}
