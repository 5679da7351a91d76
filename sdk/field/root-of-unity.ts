import type { ScalarFieldParameters } from '../curves/index.js';
import { power } from './modular.js';

/** A primitive 2^twoAdicity-th root of unity, the choice of snarkjs' ceremonies; smaller domains take its squares. */
export function rootOfUnity({ modulus, twoAdicity, nonResidue }: ScalarFieldParameters): bigint {
  return power(nonResidue, (modulus - 1n) >> BigInt(twoAdicity), modulus);
}
