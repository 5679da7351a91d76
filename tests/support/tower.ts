import { expect } from 'vitest';
import type { Curve } from '../../sdk/curves/index.js';
import { fromLimbs, toLimbs, WASM_LIMB_BITS, wasmLimbs } from '../../sdk/curves/limbs.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import type { AssemblyExports } from './assembly.js';
import { type NobleCurve, nobleCurve } from './noble-curves.js';

type Fields = NobleCurve['fields'];
export type Fp2Value = ReturnType<Fields['Fp2']['mul']>;
export type Fp6Value = ReturnType<Fields['Fp6']['mul']>;
export type Fp12Value = ReturnType<Fields['Fp12']['mul']>;

/** The tower of fields over a curve's F_p in @noble/curves, and the layout of its elements in a kernel's memory. */
export class Tower {
  readonly Fp2: Fields['Fp2'];
  readonly Fp6: Fields['Fp6'];
  readonly Fp12: Fields['Fp12'];
  /** Bytes of an element of F_p in the kernels. */
  readonly fqBytes: number;
  private readonly p: bigint;
  private readonly limbs: number;
  private readonly r: bigint;
  private readonly fromR: bigint;

  constructor({ id, fq }: Curve) {
    const { Fp2, Fp6, Fp12 } = nobleCurve(id).fields;
    [this.Fp2, this.Fp6, this.Fp12] = [Fp2, Fp6, Fp12];
    this.p = fq.modulus;
    this.limbs = wasmLimbs(fq.bits);
    this.fqBytes = 4 * this.limbs;
    this.r = 1n << BigInt(this.limbs * WASM_LIMB_BITS);
    this.fromR = inverse(this.r, this.p);
  }

  // An element of the tower is a list of its coefficients in F_p, lowest first. A kernel's memory has them in the same
  // order.

  readonly toFp2 = ([c0, c1]: readonly bigint[]): Fp2Value => this.Fp2.create({ c0: c0!, c1: c1! });
  readonly toFp6 = (c: readonly bigint[]): Fp6Value =>
    this.Fp6.create({ c0: this.toFp2(c.slice(0, 2)), c1: this.toFp2(c.slice(2, 4)), c2: this.toFp2(c.slice(4, 6)) });
  readonly toFp12 = (c: readonly bigint[]): Fp12Value =>
    this.Fp12.create({ c0: this.toFp6(c.slice(0, 6)), c1: this.toFp6(c.slice(6, 12)) });

  /** The values of elements of F_p in kernel form (`forms`), which are integers below 2p. */
  valuesOf(forms: readonly bigint[]): bigint[] {
    return forms.map((form) => mod(form * this.fromR, this.p));
  }

  /** The kernel forms of values, reduced below p. */
  formsOf(values: readonly bigint[]): bigint[] {
    return values.map((value) => mod(value * this.r, this.p));
  }

  /** Writes kernel forms to memory as they are. */
  putForms(wasm: AssemblyExports, at: number, forms: readonly bigint[]): void {
    for (const [k, form] of forms.entries()) {
      const words = new Uint32Array(wasm.memory.buffer, at + k * this.fqBytes, this.limbs);
      words.set(toLimbs(form, this.limbs, WASM_LIMB_BITS));
    }
  }

  /**
   * Reads `count` kernel forms from memory and returns their values. The test fails if a limb or a form exceeds the
   * kernels' bounds.
   */
  valuesAt(wasm: AssemblyExports, at: number, count: number): bigint[] {
    const forms = Array.from({ length: count }, (_, k) => {
      const words = new Uint32Array(wasm.memory.buffer, at + k * this.fqBytes, this.limbs);
      expect(words.every((word) => word < 2 ** WASM_LIMB_BITS)).toBe(true);
      return fromLimbs(words, WASM_LIMB_BITS);
    });
    for (const form of forms) expect(form < 2n * this.p).toBe(true);
    return this.valuesOf(forms);
  }
}

export const ofFp2 = ({ c0, c1 }: Fp2Value): bigint[] => [c0, c1];
export const ofFp6 = ({ c0, c1, c2 }: Fp6Value): bigint[] => [c0, c1, c2].flatMap(ofFp2);
export const ofFp12 = ({ c0, c1 }: Fp12Value): bigint[] => [c0, c1].flatMap(ofFp6);
