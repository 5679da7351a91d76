import type { ScalarFieldParameters } from './index.js';
import { power } from './modular.js';

/** The roots computed so far; each takes a power with an exponent as long as the field's modulus. */
const known = new Map<ScalarFieldParameters, bigint>();

/** A primitive 2^twoAdicity-th root of unity, the choice of snarkjs' ceremonies; smaller domains take its squares. */
export function rootOfUnity(fr: ScalarFieldParameters): bigint {
  let root = known.get(fr);
  if (root === undefined) {
    const { modulus, twoAdicity, nonResidue } = fr;
    root = power(nonResidue, (modulus - 1n) >> BigInt(twoAdicity), modulus);
    known.set(fr, root);
  }
  return root;
}
