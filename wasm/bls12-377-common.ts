import { Edwards } from './edwards';
import { the } from './field';
import { G1_B } from './generated/bls12-377-constants';
import { Fq } from './generated/bls12-377-fq';
import { Fr } from './generated/bls12-377-fr';
import * as msm from './msm';
import * as ntt from './ntt';
import { prepareEdwards } from './prepare-edwards';
import * as r1cs from './r1cs';
import * as reduce from './reduce';
import { isOnCurve, Weierstrass } from './weierstrass';

/**
 * What the modules of BLS12-377 share: all that does not depend on the form of the bases. These are prepared in the Edwards form, that of
 * the GPU, whose window sums come in it, too; here they are added on the Weierstrass form. What each export does stands where the function behind it is written.
 */
export { cutDigits, cutHalves } from './digits';
export { findClasses, keepFinite } from './equal-scalars';
export { cutListedDigits, listNonzero, listReferences } from './msm';
export { countDigits, endOfStretch, listRowsAndColumns, scanCounts, scatterDigits } from './pair-tree';
export { splitScalars } from './split-bls12-377';

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

export function fr_loadElements(source: usize, count: i32, target: usize): void {
  ntt.loadElements<Fr>(source, count, target);
}

export function fr_storeElements(source: usize, count: i32, factor: usize, target: usize): void {
  ntt.storeElements<Fr>(source, count, factor, target);
}

export function fr_startTwiddles(table: usize): void {
  ntt.startTwiddles<Fr>(table);
}

export function fr_extendTwiddles(table: usize, count: i32, g: usize, from: i32, to: i32): void {
  ntt.extendTwiddles<Fr>(table, count, g, from, to);
}

export function fr_forwardStages(data: usize, twiddles: usize, first: i32, last: i32, from: i32, to: i32): void {
  ntt.forwardStages<Fr>(data, twiddles, first, last, from, to);
}

export function fr_inverseStages(data: usize, twiddles: usize, first: i32, last: i32, from: i32, to: i32): void {
  ntt.inverseStages<Fr>(data, twiddles, first, last, from, to);
}

export function fr_shiftElements(data: usize, twiddles: usize, from: i32, to: i32): void {
  ntt.shiftElements<Fr>(data, twiddles, from, to);
}

export function fr_reverseBits(data: usize, logN: i32, from: i32, to: i32): void {
  ntt.reverseBits<Fr>(data, logN, from, to);
}

export function fr_multiplyElements(a: usize, b: usize, count: i32, target: usize): void {
  ntt.multiplyElements<Fr>(a, b, count, target);
}

export function fr_quotient(a: usize, b: usize, c: usize, count: i32, target: usize): void {
  ntt.quotient<Fr>(a, b, c, count, target);
}

export function r1cs_entrySize(): usize {
  return r1cs.entrySize<Fr>();
}

export function r1cs_load(rows: usize, count: i32, matrix: u32, domainSize: u32, target: usize): i32 {
  return r1cs.loadConstraints<Fr>(rows, count, matrix, domainSize, target);
}

export function r1cs_evaluate(entries: usize, from: i32, to: i32, witness: usize, signals: u32, sums: usize): i32 {
  return r1cs.evaluateConstraints<Fr>(entries, from, to, witness, signals, sums);
}

export function r1cs_storeSums(sums: usize, count: i32, target: usize): void {
  r1cs.storeSums<Fr>(sums, count, target);
}
