import { equalBytes, joinBytes } from '../base/bytes.js';
import { CURVES, type CurveId, pointBytes } from '../curves/index.js';
import { type ByteSource, partOf } from '../files/byte-source.js';
import { readPtau } from '../files/snarkjs/ptau.js';
import type { Zkey } from '../files/snarkjs/zkey.js';
import type { KeyVector } from '../files/snarkjs/zkey-header.js';
import { pairings } from '../proofs/pairings.js';
import { multiples } from '../proofs/verified-points.js';
import type { CeremonyWork } from './ceremony-work.js';
import { drawPointWeights, weightedSum } from './ratio-check.js';

/** A first key, or what a set-up knows of it. */
export interface FirstH extends Pick<Zkey, 'curve'> {
  readonly facts: Pick<Zkey['facts'], 'domainSize'>;
  readonly vectors: Pick<Zkey['vectors'], 'H'>;
}

/**
 * What is wrong with the points H of a first key, for which delta is 1: undefined if they come from these powers of
 * tau. H_j belongs to the j-th odd power w_j of a primitive 2n-th root of unity: sum_j P(w_j) H_j = P(tau) for all
 * polynomials P of degree < 2 n - 1 that are multiples of Z = x^n - 1. For a random Q of degree < n - 1 and P = Z Q
 * both sides are MSMs: Z(w_j) is -2, and P(tau) = sum_i q_i (tau^(n + i) - tau^i).
 */
export async function faultOfFirstH(
  work: CeremonyWork,
  { curve, facts, vectors }: FirstH,
  source: ByteSource,
): Promise<string | undefined> {
  const { pool, signal } = work;
  const n = facts.domainSize;
  const ptau = await readPtau(source);
  if (ptau.curve !== curve) return `it is over ${curve}, and the powers of tau over ${ptau.curve}`;
  if (2 ** ptau.power < n) return `the powers of tau are for domains of ${2 ** ptau.power}, and it has one of ${n}`;
  const { coefficients, onCoset } = await drawQuotient(work, curve, n);
  const size = pointBytes(curve, 'g1');
  const powers = (first: number) => ({
    group: 'g1' as const,
    count: n,
    // Of 2 n - 1 powers the last one has no coefficient.
    bytes: first === 0 ? partOf(ptau.g1, 0, n * size) : padded(partOf(ptau.g1, n * size, (n - 1) * size), size),
  });
  const [low, high, h] = [
    await weightedSum(work, curve, powers(0), coefficients, 'powers of tau'),
    await weightedSum(work, curve, powers(n), coefficients, 'powers of tau'),
    await weightedSum(work, curve, vectors.H, onCoset, 'the points of section 9 (H) of the first key'),
  ];
  const arithmetic = pairings(pool, curve, signal);
  const expected = await multiples(arithmetic, curve, [
    [high, 1n],
    [low, -1n],
  ]);
  const found = await multiples(arithmetic, curve, [[h, -2n]]);
  if (equalBytes(expected, found)) return undefined;
  return 'the points H of the first key do not come from the powers of tau';
}

/** A random polynomial of degree below n - 1, as a quotient's is, and its values at the odd powers w_j. */
async function drawQuotient(
  { pool, signal }: CeremonyWork,
  curve: CurveId,
  n: number,
): Promise<{ readonly coefficients: Uint8Array; readonly onCoset: Uint8Array }> {
  const coefficients = drawPointWeights(curve, n);
  coefficients.fill(0, coefficients.length - CURVES[curve].scalarBytes);
  const direction = 'forward';
  const values = await pool.call(curve, 'transform', { values: coefficients, direction }, { signal });
  return { coefficients, onCoset: await pool.call(curve, 'shiftToCoset', { values }, { signal }) };
}

/**
 * The sums of the points H of two keys with the values of a random quotient polynomial. Points H that were imported
 * from bellman's parameters are another multiple of the first key's only for polynomials of a lower degree than the
 * domain's largest.
 */
export async function quotientSums(
  work: CeremonyWork,
  curve: CurveId,
  [one, other]: readonly [KeyVector, KeyVector],
): Promise<readonly [Uint8Array, Uint8Array]> {
  const { onCoset } = await drawQuotient(work, curve, one.count);
  const sum = (vector: KeyVector): Promise<Uint8Array> =>
    weightedSum(work, curve, vector, onCoset, 'the points of section 9 (H)');
  return [await sum(one), await sum(other)];
}

/** A source with so many zeros behind it: a point at infinity. */
function padded(source: ByteSource, zeros: number): ByteSource {
  return {
    size: source.size + zeros,
    async read(offset, length) {
      const own = Math.min(length, Math.max(0, source.size - offset));
      const bytes = await source.read(offset, own);
      return joinBytes([bytes, new Uint8Array(length - own)]) as Uint8Array<ArrayBuffer>;
    },
  };
}
