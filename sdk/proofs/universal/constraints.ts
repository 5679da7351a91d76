import { bytesToBigint, newBytes, writeBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import { mod } from '../../curves/modular.js';
import { randomScalar } from '../../curves/random.js';
import { Expression } from '../../polynomials/expression.js';
import type { Monomial, Polynomials, Vector, VectorCall } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import type { KeyPolynomials } from './key-polynomials.js';

/** The factors that tell the wires apart: b has the points k1 w^i, and c the points k2 w^i. */
export interface WireCosets {
  readonly k1: bigint;
  readonly k2: bigint;
}

/** The challenges of the permutation argument. */
export interface PermutationChallenges {
  readonly beta: bigint;
  readonly gamma: bigint;
}

/** An expression for each of the wires a, b and c. */
export type OfWires = readonly [a: Expression, b: Expression, c: Expression];

/**
 * The gates' equation qm a b + ql a + qr b + qo c + qc + pi.
 *
 * @param selectors qm, ql, qr, qo and qc.
 */
export function gates([a, b, c]: OfWires, selectors: readonly Expression[], publicInputs: Expression): Expression {
  const [qm, ql, qr, qo, qc] = selectors as [Expression, Expression, Expression, Expression, Expression];
  return a.times(b).times(qm).plus(a.times(ql)).plus(b.times(qr)).plus(c.times(qo)).plus(qc).plus(publicInputs);
}

/** (a + beta p_a + gamma)(b + beta p_b + gamma)(c + beta p_c + gamma). */
export function permutationFactor(wires: OfWires, points: OfWires, { beta, gamma }: PermutationChallenges): Expression {
  const [a, b, c] = wires.map((wire, i) => wire.plus(gamma).plus(points[i]!.times(beta))) as unknown as OfWires;
  return a.times(b).times(c);
}

/**
 * The values on the domain of the grand product of the permutation argument (2019/953, round 2): 1, then the products
 * of the factors with the wires' own points over the factors with the points S1, S2 and S3 that the permutation
 * connects them to. `closes` rejects with `PROOF_INVALID` if the product over the whole domain is not 1: wires that are
 * connected differ.
 */
export async function grandProduct(
  { on, points, permutations }: KeyPolynomials,
  wires: readonly [Vector, Vector, Vector],
  challenges: PermutationChallenges,
  { k1, k2 }: WireCosets,
  call: VectorCall,
): Promise<{ readonly products: Vector; readonly closes: Promise<void> }> {
  const scope = new VectorScope();
  const [a, b, c, x, y, z] = Expression.operands(6) as [OfWires[0], OfWires[0], OfWires[0], ...OfWires];
  const own = permutationFactor([a, b, c], [x, x.times(k1), x.times(k2)], challenges);
  const connected = permutationFactor([a, b, c], [x, y, z], challenges);
  try {
    const [numerators, denominators] = await Promise.all([
      scope.add(on.compute(own, [...wires, points], call)),
      scope.add(on.compute(connected, [...wires, ...permutations], call)),
    ]);
    const inverses = await scope.add(on.invert(denominators, { ...call, consume: true }));
    const ratios = await scope.add(on.multiply(numerators, inverses, { ...call, consume: true }));
    const { products, product } = await on.prefixProducts(ratios, call);
    const closes = expectOne(product);
    // Who gives up before never awaits it.
    closes.catch(() => undefined);
    return { products, closes };
  } finally {
    scope.end();
  }
}

async function expectOne(product: Promise<bigint>): Promise<void> {
  if ((await product) !== 1n) throw unsatisfied('the copy constraints of this key');
}

/** The values on the domain of PI: the negative of each public signal, then zeros. */
export function publicInputValues(on: Polynomials, n: number, publicSignals: readonly bigint[]): Vector {
  const { modulus } = CURVES[on.curve].fr;
  const bytes = newBytes(n * SCALAR_BYTES);
  for (const [i, signal] of publicSignals.entries()) {
    writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, mod(-signal, modulus));
  }
  return on.create(bytes);
}

/** (b_0 + b_1 X + ..) (X^n - 1) for a few blinding scalars b_i. */
export function blindingMonomials(n: number, scalars: readonly bigint[]): Monomial[] {
  return scalars.flatMap((value, i) => [
    { index: i, value: -value },
    { index: n + i, value },
  ]);
}

/** `count` new blinding scalars. They must be used for one proof only. */
export function blindingScalars(curve: CurveId, count: number): bigint[] {
  return Array.from({ length: count }, () => bytesToBigint(randomScalar(curve)));
}

/** `PROOF_INVALID` for a witness that does not satisfy a part of the constraint system. */
export function unsatisfied(what: string): PippinError {
  return new PippinError('PROOF_INVALID', `expected a witness that satisfies ${what}, got one that does not`, {
    hint: 'snarkjs wtns check tells whether the witness satisfies the circuit; if it does, the key belongs to another circuit or is wrong',
  });
}
