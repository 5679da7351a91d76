import { bn254 as noble } from '@noble/curves/bn254.js';
import { expect } from 'vitest';
import { bn254 } from '../../sdk/curves/index.js';
import { fromLimbs, toLimbs, WASM_LIMB_BITS, wasmLimbs } from '../../sdk/field/limbs.js';
import { inverse, mod } from '../../sdk/field/modular.js';
import type { AssemblyExports } from './assembly.js';

export const { Fp2, Fp6, Fp12 } = noble.fields;
export type Fp2Value = ReturnType<typeof Fp2.mul>;
export type Fp6Value = ReturnType<typeof Fp6.mul>;
export type Fp12Value = ReturnType<typeof Fp12.mul>;

const p = bn254.fq.modulus;
const limbs = wasmLimbs(bn254.fq.bits);
const R = 1n << BigInt(limbs * WASM_LIMB_BITS);
const fromR = inverse(R, p);
/** Bytes of an element of F_p in the kernels. */
export const FQ_BYTES = 4 * limbs;

// Elements of the tower over F_p as lists of their coefficients, lowest first: what lies in a kernel's memory, one after the other.

export const toFp2 = ([c0, c1]: readonly bigint[]): Fp2Value => Fp2.create({ c0: c0!, c1: c1! });
export const toFp6 = (c: readonly bigint[]): Fp6Value =>
  Fp6.create({ c0: toFp2(c.slice(0, 2)), c1: toFp2(c.slice(2, 4)), c2: toFp2(c.slice(4, 6)) });
export const toFp12 = (c: readonly bigint[]): Fp12Value =>
  Fp12.create({ c0: toFp6(c.slice(0, 6)), c1: toFp6(c.slice(6, 12)) });
export const ofFp2 = ({ c0, c1 }: Fp2Value): bigint[] => [c0, c1];
export const ofFp6 = ({ c0, c1, c2 }: Fp6Value): bigint[] => [c0, c1, c2].flatMap(ofFp2);
export const ofFp12 = ({ c0, c1 }: Fp12Value): bigint[] => [c0, c1].flatMap(ofFp6);

/** The values that forms (any integers below 2p) stand for. */
export function valuesOf(forms: readonly bigint[]): bigint[] {
  return forms.map((form) => mod(form * fromR, p));
}

/** The reduced forms of values. */
export function formsOf(values: readonly bigint[]): bigint[] {
  return values.map((value) => mod(value * R, p));
}

/** Writes forms as they are. */
export function putForms(wasm: AssemblyExports, at: number, forms: readonly bigint[]): void {
  for (const [k, form] of forms.entries()) {
    new Uint32Array(wasm.memory.buffer, at + k * FQ_BYTES, limbs).set(toLimbs(form, limbs, WASM_LIMB_BITS));
  }
}

/** The values of `count` forms, which must keep the bounds of the kernels. */
export function valuesAt(wasm: AssemblyExports, at: number, count: number): bigint[] {
  const forms = Array.from({ length: count }, (_, k) => {
    const words = new Uint32Array(wasm.memory.buffer, at + k * FQ_BYTES, limbs);
    expect(words.every((word) => word < 2 ** WASM_LIMB_BITS)).toBe(true);
    return fromLimbs(words, WASM_LIMB_BITS);
  });
  for (const form of forms) expect(form < 2n * p).toBe(true);
  return valuesOf(forms);
}
