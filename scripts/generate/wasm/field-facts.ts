import type { FieldParameters } from '../../../sdk/curves/index.js';
import { packedWords, toLimbs, WASM_LIMB_BITS, wasmLimbs } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { fieldName } from '../bounds.js';

/** All bits of a limb. */
export const MASK = 2 ** WASM_LIMB_BITS - 1;

/** Everything about one field that its generated code needs. */
export interface Facts {
  readonly name: string;
  readonly p: bigint;
  readonly limbs: number;
  readonly words: number;
  /** -1/p mod 2^limbBits. */
  readonly negativeInverse: number;
  readonly modulusLimbs: readonly number[];
  /** R, the Montgomery factor of the kernels: 2^(limbs * limbBits). */
  readonly r: bigint;
}

export function fieldFacts(field: FieldParameters): Facts {
  const p = field.modulus;
  const limbs = wasmLimbs(field.bits);
  const base = 1n << BigInt(WASM_LIMB_BITS);
  return {
    name: fieldName(field),
    p,
    limbs,
    words: packedWords(field.bits),
    negativeInverse: Number(mod(-inverse(p, base), base)),
    modulusLimbs: toLimbs(p, limbs, WASM_LIMB_BITS),
    r: 1n << BigInt(limbs * WASM_LIMB_BITS),
  };
}

/** Indents and joins the lines of a method's body. */
export function body(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join('\n');
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
