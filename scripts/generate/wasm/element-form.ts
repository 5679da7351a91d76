import type { CurveParameters, FieldParameters } from '../../../sdk/curves/index.js';
import { toLimbs, WASM_LIMB_BITS, wasmLimbs } from '../../../sdk/curves/limbs.js';
import { mod } from '../../../sdk/curves/modular.js';
import { wideFacts } from './wide-facts.js';

/** How a single element of a field lies in memory, for constants of it. */
export interface ElementForm {
  /** Goes behind the names of files that hold such elements. */
  readonly suffix: '' | '-wide';
  /** Bytes of an element. */
  readonly size: number;
  /** The Montgomery form of a number, in words of 32 bits. */
  montgomery(value: bigint): number[];
  /** The words of a number as it is. */
  words(value: bigint): number[];
}

/**
 * The forms of coordinates: limbs of 29 bits in u32, and on a curve of proofs limbs of 64 bits for wide arithmetic.
 */
export function elementForms({ fq, pairing }: CurveParameters): ElementForm[] {
  const count = wasmLimbs(fq.bits);
  const small = elementForm('', fq, count, WASM_LIMB_BITS, 1n << BigInt(count * WASM_LIMB_BITS));
  if (pairing === undefined) return [small];
  const { limbs, r } = wideFacts(fq);
  return [small, elementForm('-wide', fq, 2 * limbs, 32, r)];
}

function elementForm(
  suffix: ElementForm['suffix'],
  { modulus: p }: FieldParameters,
  count: number,
  bits: number,
  r: bigint,
): ElementForm {
  const words = (value: bigint): number[] => toLimbs(mod(value, p), count, bits);
  return { suffix, size: 4 * count, words, montgomery: (value) => words(value * r) };
}
