import { limitConcurrency } from '../../base/limit-concurrency.js';
import { CURVES } from '../../curves/index.js';
import { inverse, mod, power } from '../../curves/modular.js';
import type { Coset } from '../../polynomials/domain.js';
import type { Vector, VectorCall } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import type { KeyPolynomials, ValuesOnCoset } from './key-polynomials.js';

/** Workers that a coset of PLONK keeps busy with its six transforms, to the coset and back. */
const WORKERS_OF_COSET = 3;

/** Computes the numerator's values on coset k. */
export type NumeratorOn = (k: number, onCoset: ValuesOnCoset) => Promise<Vector>;

/**
 * The quotient t of a numerator by X^n - 1, of degree below m n, as t_0 + X^n t_1 + .. + X^((m-1) n) t_(m-1), each with
 * n coefficients. On each coset s H, X^n has one value, s^n: interpolation over a coset gives the numerator modulo X^n
 * - s^n, and (s^n - 1) (t_0 + s^n t_1 + ..) is the same. So m cosets determine the t_j, all transforms have n points,
 * and no vector has more. Where the division leaves a remainder, t has a higher degree. The caller releases the result.
 *
 * @param m the number of cosets, from 1 to 4.
 */
export async function quotient(
  key: KeyPolynomials,
  m: number,
  numeratorOn: NumeratorOn,
  call: VectorCall & { readonly onProgress?: ((fraction: number) => void) | undefined },
): Promise<Vector[]> {
  const { on } = key;
  const cosets = key.cosets.slice(0, m);
  const scope = new VectorScope();
  const parts: Vector[] = [];
  try {
    let done = 0;
    const residueOf = async (values: Vector, coset: Coset): Promise<Vector> => {
      const residue = await scope.add(on.inverseNtt(values, coset, { ...call, consume: true }));
      call.onProgress?.(++done / m);
      return residue;
    };
    const together = cosetsTogether(key, m);
    const begun: Promise<Vector>[] = [];
    await limitConcurrency(m, together, async (k) => {
      const values = await key.useCoset(k, call, (onCoset) => numeratorOn(k, onCoset));
      // Runs beside the transforms of the next coset, and is awaited below.
      begun[k] = residueOf(values, cosets[k]!);
      begun[k].catch(() => undefined);
    });
    const residues = await Promise.all(begun);
    const rows = interpolation(key, m);
    await limitConcurrency(m, together, async (j) => {
      const terms = residues.map((vector, k) => ({ vector, factor: rows[j]![k]! }));
      parts[j] = await on.linearCombination(terms, call);
    });
    return parts;
  } catch (error) {
    for (const part of parts) part?.release();
    throw error;
  } finally {
    scope.end();
  }
}

/**
 * How many cosets are computed side by side: as few as keep the executor busy, because each has a dozen vectors. Where
 * memory is limited one comes after another.
 */
function cosetsTogether({ on, isMemoryLimited }: KeyPolynomials, m: number): number {
  if (isMemoryLimited) return 1;
  return Math.min(m, Math.ceil((on.parallelTransforms ?? Infinity) / WORKERS_OF_COSET));
}

/** Row j: the factors with which the residues on the first m cosets give t_j. They cost dozens of inversions. */
function interpolation({ on, size, cosets, interpolations }: KeyPolynomials, m: number): readonly bigint[][] {
  let rows = interpolations.get(m);
  if (rows === undefined) {
    const { modulus } = CURVES[on.curve].fr;
    const nodes = cosets.slice(0, m).map(({ shift }) => power(shift, BigInt(size), modulus));
    const vanishing = nodes.map((node) => inverse(node - 1n, modulus));
    rows = inverseVandermonde(nodes, modulus).map((row) =>
      row.map((factor, k) => mod(factor * vanishing[k]!, modulus)),
    );
    interpolations.set(m, rows);
  }
  return rows;
}

/** Row j: the factors with which values at the nodes give coefficient j of the polynomial that has them. */
function inverseVandermonde(nodes: readonly bigint[], modulus: bigint): bigint[][] {
  const columns = nodes.map((node) => {
    // The Lagrange polynomial of the node: the product of (X - other) / (node - other).
    let coefficients = [1n];
    for (const other of nodes) {
      if (other === node) continue;
      const scale = inverse(node - other, modulus);
      const shifted = [0n, ...coefficients];
      coefficients = shifted.map((high, i) => mod((high - other * (coefficients[i] ?? 0n)) * scale, modulus));
    }
    return coefficients;
  });
  return nodes.map((_, j) => columns.map((coefficients) => coefficients[j]!));
}
