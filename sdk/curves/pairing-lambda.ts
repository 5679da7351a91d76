import { ENDOMORPHISMS } from './endomorphisms.js';
import { mod } from './modular.js';
import type { CurveParameters } from './types.js';

/**
 * lambda of the endomorphism (x, y) -> (beta x, y) of G1 that the kernels of a pairing use. On a BLS12 curve of
 * parameter x it is -x^2, with which the endomorphism also tells G1 from the whole curve; on other curves it is the
 * one in `ENDOMORPHISMS`. The numbers a + b lambda with a and b from 0 to 2^64 - 1 are different modulo r: a point's
 * multiple by such a number of 128 random bits takes 64 doublings. undefined without a pairing or an endomorphism.
 */
export function pairingLambda({ id, fr, pairing }: CurveParameters): bigint | undefined {
  const lambda = ENDOMORPHISMS[id]?.lambda;
  if (pairing === undefined || lambda === undefined) return undefined;
  const { family, parameter } = pairing;
  return family === 'bls12' ? mod(-parameter * parameter, fr.modulus) : lambda;
}
