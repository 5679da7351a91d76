import type { FflonkProof } from '../../api/index.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { inverse, mod, power } from '../../curves/modular.js';
import { fflonkProofToJson } from '../../files/snarkjs/fflonk-json.js';
import type { FflonkZkey } from '../../files/snarkjs/fflonk-zkey.js';
import type { DomainOfKey } from '../../files/snarkjs/plonk-domain.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import type { Monomial, Vector } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import { blindingMonomials, grandProduct, publicInputValues, unsatisfied } from '../universal/constraints.js';
import type { FflonkPart } from '../universal/parts.js';
import type { KeyForProof, UniversalProtocolContext, Wires } from '../universal/system.js';
import {
  fflonkCombinationChallenge,
  fflonkEvaluationPoint,
  fflonkOpeningPoint,
  fflonkPermutationChallenges,
} from './challenges.js';
import { firstValueQuotient, gatesQuotient, permutationQuotient } from './quotients.js';
import type { OpeningPoints } from './remainders.js';

/** The scalars b_1 to b_9 that blind the proof's polynomials. */
export const FFLONK_BLINDING_SCALARS = 9;

/** What the protocol takes of the key's header. */
type KeyHeader = Pick<FflonkZkey, 'points' | 'k1' | 'k2'>;

/**
 * The prover of FFLONK (Gabizon, Williamson, "fflonk: a Fast-Fourier inspired verifier efficient version of PlonK",
 * 2021/1167), with the combined polynomials and the transcript of snarkjs 0.7:
 *
 * - C0(X) = ql(X^8) + X qr + X^2 qo + X^3 qm + X^4 qc + X^5 s1 + X^6 s2 + X^7 s3, of the key
 * - C1(X) = a(X^4) + X b + X^2 c + X^3 t0
 * - C2(X) = z(X^3) + X t1 + X^2 t2
 *
 * C(X) modulo X^k - xi has the values at xi of the k polynomials as its coefficients, so that one division gives the
 * evaluations and the part of the opening.
 *
 * @param blinding nine scalars b_1 to b_9, for this proof alone.
 */
export async function proveFflonk(
  { commit, quotient, signal }: UniversalProtocolContext<FflonkPart>,
  { zkey, polynomials: ofKey }: Pick<KeyForProof<FflonkZkey>, 'polynomials'> & { readonly zkey: KeyHeader },
  { values: plain, publicSignals }: Wires,
  blinding: readonly bigint[],
): Promise<FflonkProof> {
  const { on, size: n, domain, coefficients: keyed } = ofKey;
  const { curve } = on;
  const { modulus: r } = CURVES[curve].fr;
  const call = { signal };
  const scope = new VectorScope();
  const interpolate = (onDomain: Vector): Promise<Vector> => scope.add(on.inverseNtt(onDomain, domain, call));
  const scalar = (number: number): bigint => blinding[number - 1]!;
  /** The values of a wire with two random ones in the last rows, where no gate is. */
  const withRandomRows = (values: Vector, first: number): Promise<Vector> => {
    const monomials = [0, 1].map((i): Monomial => ({ index: n - 2 + i, value: scalar(first + i) }));
    return scope.add(on.addMonomials(values, monomials, n));
  };
  try {
    // Round 1: the wires, and the quotient of the gates.
    const values = [
      await withRandomRows(plain[0], 1),
      await withRandomRows(plain[1], 3),
      await withRandomRows(plain[2], 5),
    ] as const;
    const [a, b, c, publicInputs] = (await Promise.all(
      [...values, await scope.add(publicInputValues(on, n, publicSignals))].map(interpolate),
    )) as [Vector, Vector, Vector, Vector];
    const t0 = await scope.add(
      quotient((onProgress) => gatesQuotient(ofKey, [a, b, c, publicInputs], { signal, onProgress })),
    );
    const c1 = await scope.add(on.interleave([a, b, c, t0], 8 * n));
    const [C1, isT0Polynomial] = await Promise.all([commit('C1', c1), on.isZeroFrom(t0, 2 * n - 2)]);
    if (!isT0Polynomial) throw unsatisfied('the gates of this key');

    // Round 2: the grand product of the permutation, and the quotients of its two constraints.
    const { beta, gamma } = fflonkPermutationChallenges(curve, {
      C0: zkey.points.C0,
      publicSignals,
      commitments: { C1 },
    });
    const { products, closes } = await grandProduct(ofKey, values, { beta, gamma }, zkey, call);
    const product = await interpolate(await scope.add(products));
    const z = await scope.add(on.addMonomials(product, blindingMonomials(n, [9, 8, 7].map(scalar)), n + 3));
    const [t1, t2] = await quotient(async (onProgress) => [
      await scope.add(firstValueQuotient(ofKey, z, call)),
      await scope.add(permutationQuotient(ofKey, [a, b, c, z], { beta, gamma }, zkey, { signal, onProgress })),
    ]);
    const c2 = await scope.add(on.interleave([z, t1!, t2!], 9 * n));
    const [C2, isT1Polynomial] = await Promise.all([commit('C2', c2), on.isZeroFrom(t1!, n + 2), closes]);
    if (!isT1Polynomial) throw unsatisfied('the copy constraints of this key');

    // Round 3: the evaluations, at xi and xi w.
    const point = fflonkEvaluationPoint(curve, gamma, { C2 });
    const { xi } = point;
    const xiw = (xi * rootOfDomain(curve, n)) % r;
    const { Ql, Qr, Qo, Qm, Qc, S1, S2, S3 } = keyed;
    const c0 = await scope.add(on.interleave([Ql, Qr, Qo, Qm, Qc, S1, S2, S3], 8 * n));
    const divide = async (dividend: Vector, at: bigint, k: number) => {
      const { quotient: part, remainder } = await on.divideByBinomial(dividend, at, { signal, k });
      return { part: await scope.add(part), remainder };
    };
    const [opening0, opening1, firstOf2] = await Promise.all([divide(c0, xi, 8), divide(c1, xi, 4), divide(c2, xi, 3)]);
    const opening2 = await divide(firstOf2.part, xiw, 3);
    const [of0, of1, first2, second2] = (await Promise.all(
      [opening0, opening1, firstOf2, opening2].map(({ remainder }) => remainder),
    )) as unknown as [Eight, Three, Three, Three];
    const [ql, qr, qo, qm, qc, s1, s2, s3] = of0;
    const [atA, atB, atC] = of1;
    const [atZ] = first2;
    // C2 = (X^3 - xi) (X^3 - xi w) q + (X^3 - xi) s + r, so that its remainder by X^3 - xi w is (xi w - xi) s + r.
    const [zw, t1w, t2w] = first2.map((value, i) => mod(value + (xiw - xi) * second2[i]!, r)) as unknown as Three;
    const evaluations = { ql, qr, qm, qo, qc, s1, s2, s3, a: atA, b: atB, c: atC, z: atZ, zw, t1w, t2w };

    // Round 4: the openings at all roots, by a random linear combination.
    const alpha = fflonkCombinationChallenge(curve, point, evaluations);
    const combine = (terms: readonly (readonly [Vector, bigint])[]): Promise<Vector> =>
      scope.add(
        on.linearCombination(
          terms.map(([vector, factor]) => ({ vector, factor })),
          call,
        ),
      );
    const f = await combine([
      [opening0.part, 1n],
      [opening1.part, alpha],
      [opening2.part, alpha * alpha],
    ]);
    const W1 = await commit('W1', f);

    // Round 5: the opening of that combination at y. Constants would change the remainder of the division alone.
    const y = fflonkOpeningPoint(curve, alpha, { W1 });
    const zero0 = mod(y ** 8n - xi, r);
    const zero1 = mod(y ** 4n - xi, r);
    const zero2 = mod((y ** 3n - xi) * (y ** 3n - xiw), r);
    const l = await combine([
      [c0, 1n],
      [c1, alpha * zero0 * inverse(zero1, r)],
      [c2, alpha * alpha * zero0 * inverse(zero2, r)],
      [f, -zero0],
    ]);
    const W2 = await commit('W2', (await divide(l, y, 1)).part);
    const inverted = solidityInverse(curve, { domainSize: n, publicSignals: publicSignals.length }, { xi, y });
    return fflonkProofToJson(curve, { commitments: { C1, C2, W1, W2 }, evaluations }, inverted);
  } finally {
    scope.end();
  }
}

/** Values at xi, the first of a remainder. */
type Three = readonly [bigint, bigint, bigint];
type Eight = readonly [...Three, ...Three, bigint, bigint];

/**
 * The member `inv` of snarkjs' proofs: the inverse of the product of all divisors of its verifier in Solidity, which
 * inverts them with it in one batch. 0 if one of them is 0.
 *
 * They are Z_H(xi), n (xi - w^i) for each public signal (at least one), Z_S1(y), Z_S2(y), and the denominators of the
 * Lagrange polynomials over the opening sets. Over the m-th roots x_i of xi these are m x_0^(m-2) x_-i (y - x_i); their
 * product is -m^m xi^(m-1) (y^m - xi) for m = 8 and 4. Over S2 they are 3 x_0 x_-i (xi - xi w) (y - x_i), and the same
 * with xi and xi w exchanged.
 */
export function solidityInverse(
  curve: CurveId,
  { domainSize, publicSignals }: Pick<DomainOfKey, 'domainSize' | 'publicSignals'>,
  { xi, y }: OpeningPoints,
): bigint {
  const r = CURVES[curve].fr.modulus;
  const n = BigInt(domainSize);
  const w = rootOfDomain(curve, domainSize);
  const xiw = (xi * w) % r;
  const [y3, y4] = [power(y, 3n, r), power(y, 4n, r)];
  const s0 = y4 * y4 - xi;
  const s1 = y4 - xi;
  const s2 = (y3 - xi) * (y3 - xiw);
  const differences = (xi - xiw) ** 3n * (xiw - xi) ** 3n;
  let product = mod((power(xi, n, r) - 1n) * s1 * s2, r);
  product = mod(product * 8n ** 8n * xi ** 7n * s0 * 4n ** 4n * xi ** 3n * s1, r);
  product = mod(product * 27n ** 2n * xi ** 2n * xiw ** 2n * differences * s2, r);
  for (let i = 0, root = 1n; i < Math.max(1, publicSignals); i++, root = (root * w) % r) {
    product = mod(product * n * (xi - root), r);
  }
  return inverse(product, r);
}
