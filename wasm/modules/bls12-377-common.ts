import { Edwards } from '../curve/edwards';
import { the } from '../field/field';
import { G1_B } from '../generated/bls12-377-constants';
import { Fq } from '../generated/bls12-377-fq';
import { Fr } from '../generated/bls12-377-fr';
import * as msm from '../msm/msm';
import * as ntt from '../ntt/ntt';
import { prepareEdwards } from '../prepare/prepare-edwards';
import * as r1cs from '../ntt/r1cs';
import * as reduce from '../msm/reduce';
import { isOnCurve, Weierstrass } from '../curve/weierstrass';

/**
 * What the modules of BLS12-377 share: all that does not depend on the form of the bases. These are prepared in the Edwards form, that of
 * the GPU, whose window sums come in it, too; here they are added on the Weierstrass form. What each export does stands where the function behind it is written.
 */
export { addBias, cutDigits, cutWindow } from '../msm/digits';
export { findClasses, keepFinite } from '../msm/equal-scalars';
export { gatherScalars, listNonzero, listReferences } from '../msm/msm';
export { countDigits, endOfStretch, listFinite, listRowsAndColumns, scanCounts, scatterDigits } from '../msm/pair-tree';
export { splitScalars } from '../curve/split-bls12-377';

export function g1_prepare(
  source: usize,
  count: i32,
  encoding: i32,
  target: usize,
  indices: usize,
  exceptional: usize,
  exceptionalPoints: usize,
  scratch: usize,
): i32 {
  return prepareEdwards<Fq>(source, count, encoding, G1_B, target, indices, exceptional, exceptionalPoints, scratch);
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
  reduce.reduceWindows<Edwards>(sums, count, 4 * the<Fq>().packedSize, windowBits, target);
}

export function g1_combine(points: usize, scalars: usize, count: i32, target: usize): void {
  reduce.combine<Fq>(points, scalars, count, target);
}

export function g1_isOnCurve(point: usize): bool {
  return isOnCurve<Fq>(point, G1_B);
}

/** The first address that the host may use. */
export function heapBase(): usize {
  return __heap_base;
}

export function fr_size(): usize {
  return the<Fr>().size;
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
