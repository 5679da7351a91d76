import { PippinError } from '../../base/errors.js';
import { CURVES } from '../../curves/index.js';
import { power } from '../../curves/modular.js';
import type { PlonkProofParts } from '../../files/snarkjs/plonk-json.js';
import type { PlonkZkey } from '../../files/snarkjs/plonk-zkey.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import type { Monomial, Vector } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';
import { evaluateDomain } from '../lagrange.js';
import { blindingMonomials, grandProduct, publicInputValues, unsatisfied } from '../universal/constraints.js';
import type { PlonkPart } from '../universal/parts.js';
import type { KeyForProof, UniversalProtocolContext, Wires } from '../universal/system.js';
import { roundFive, roundFour, roundThree, roundTwo } from './challenges.js';
import { type LinearisedPolynomial, linearisation, quotientPolynomial } from './quotient.js';

/** What the protocol takes of the key's header. */
type KeyHeader = Pick<PlonkZkey, 'points' | 'k1' | 'k2'>;

/** The length of the longest polynomial that is committed to is n + 6. */
const EXTRA = 6;

/** The scalars b_1 to b_11 that blind the proof's polynomials. */
export const PLONK_BLINDING_SCALARS = 11;

/**
 * The prover of PLONK (Gabizon, Williamson, Ciobotaru, 2019/953, section 8.3), with the transcript of snarkjs 0.7.
 *
 * @param blinding eleven scalars b_1 to b_11, for this proof alone.
 */
export async function provePlonk(
  { commit, quotient, signal }: UniversalProtocolContext<PlonkPart>,
  { zkey, polynomials: ofKey }: Pick<KeyForProof<PlonkZkey>, 'polynomials'> & { readonly zkey: KeyHeader },
  { values, publicSignals }: Wires,
  blinding: readonly bigint[],
): Promise<PlonkProofParts> {
  const { points, k1, k2 } = zkey;
  const { on, size: n, domain, coefficients: keyed } = ofKey;
  const { curve } = on;
  const { modulus: r } = CURVES[curve].fr;
  const call = { signal };
  const scope = new VectorScope();
  const interpolate = (onDomain: Vector): Promise<Vector> => scope.add(on.inverseNtt(onDomain, domain, call));
  /** Takes the place of the coefficients, which are released. */
  const plus = async (coefficients: Vector, monomials: readonly Monomial[]): Promise<Vector> => {
    const sum = await scope.add(on.addMonomials(coefficients, monomials, n + EXTRA));
    coefficients.release();
    return sum;
  };
  /** The polynomial with these values, plus (b_i + b_j X + ..) (X^n - 1), for the scalars of these numbers. */
  const blinded = async (onDomain: Vector, ...numbers: readonly number[]): Promise<Vector> =>
    plus(
      await interpolate(onDomain),
      blindingMonomials(
        n,
        numbers.map((number) => blinding[number - 1]!),
      ),
    );
  try {
    // Round 1: the wires.
    const a = await blinded(values[0], 2, 1);
    const b = await blinded(values[1], 4, 3);
    const c = await blinded(values[2], 6, 5);
    const [A, B, C] = await Promise.all([commit('A', a), commit('B', b), commit('C', c)]);

    // Round 2: the grand product of the permutation.
    const { beta, gamma } = roundTwo(curve, { key: points, publicSignals, commitments: { A, B, C } });
    const { products, closes } = await grandProduct(ofKey, values, { beta, gamma }, zkey, call);
    await scope.add(products);
    const z = await blinded(products, 9, 8, 7);
    products.release();
    const [Z] = await Promise.all([commit('Z', z), closes]);

    // Round 3: the quotient t, cut into three parts. b_10 and b_11 blind the parts and cancel in t.
    const alpha = roundThree(curve, { beta, gamma }, { Z });
    const inputValues = await scope.add(publicInputValues(on, n, publicSignals));
    const publicInputs = await interpolate(inputValues);
    inputValues.release();
    const challenges = { alpha, beta, gamma, k1, k2 };
    const t = await quotient((onProgress) =>
      quotientPolynomial(ofKey, { a, b, c, z, publicInputs }, challenges, { signal, onProgress }),
    );
    publicInputs.release();
    for (const part of t) await scope.add(part);
    const [low, middle, high, rest] = t as [Vector, Vector, Vector, Vector];
    const [b10, b11] = blinding.slice(-2) as [bigint, bigint];
    const highest = await scope.add(on.slice(rest, 0, EXTRA));
    const t1 = await plus(low, [at(n, b10)]);
    const t2 = await plus(middle, [at(0, -b10), at(n, b11)]);
    const t3 = await plus(await scope.add(on.concatenate([high, highest])), [at(0, -b11)]);
    high.release();
    const [T1, T2, T3, isPolynomial] = await Promise.all([
      commit('T1', t1),
      commit('T2', t2),
      commit('T3', t3),
      // Its degree is at most 3 n + 5 if it is a polynomial at all.
      on.isZeroFrom(rest, EXTRA),
    ]);
    if (!isPolynomial) throw unsatisfied('the gates of this key');
    rest.release();

    // Round 4: evaluations at xi. The division that opens z at xi w gives its value there.
    const xi = roundFour(curve, alpha, { T1, T2, T3 });
    const open = async (): Promise<{ readonly wxiw: Vector; readonly eval_zw: bigint }> => {
      const { quotient: part, remainder } = await on.divideByBinomial(z, (xi * rootOfDomain(curve, n)) % r, call);
      return { wxiw: await scope.add(part), eval_zw: (await remainder)[0]! };
    };
    const [{ wxiw, eval_zw }, eval_a, eval_b, eval_c, eval_s1, eval_s2] = (await Promise.all([
      open(),
      ...[a, b, c, keyed.S1, keyed.S2].map((polynomial) => on.evaluate(polynomial, xi, call)),
    ])) as [Awaited<ReturnType<typeof open>>, bigint, bigint, bigint, bigint, bigint];
    const evaluations = { eval_a, eval_b, eval_c, eval_s1, eval_s2, eval_zw };

    // Round 5: the openings at xi, by a random linear combination with the linearisation. The constants that the paper
    // subtracts change the remainder of the division alone.
    const v = roundFive(curve, xi, evaluations);
    const atXi = evaluateDomain(curve, n, xi, []);
    if (atXi === undefined)
      throw new PippinError('INTERNAL', 'expected xi outside of the domain, got one of its elements');
    const factors = linearisation(curve, { ...challenges, xi }, evaluations, atXi);
    const linearised: Record<LinearisedPolynomial, Vector> = { ...keyed, Z: z, T1: t1, T2: t2, T3: t3 };
    const combined = await scope.add(
      on.linearCombination(
        [
          ...Object.entries(factors).map(([name, factor]) => ({
            vector: linearised[name as LinearisedPolynomial],
            factor,
          })),
          ...[a, b, c, keyed.S1, keyed.S2].map((vector, i) => ({ vector, factor: power(v, BigInt(i + 1), r) })),
        ],
        call,
      ),
    );
    const wxi = await scope.add((await on.divideByBinomial(combined, xi, call)).quotient);
    const [Wxi, Wxiw] = await Promise.all([commit('Wxi', wxi), commit('Wxiw', wxiw)]);
    return { commitments: { A, B, C, Z, T1, T2, T3, Wxi, Wxiw }, evaluations };
  } finally {
    scope.end();
  }
}

function at(index: number, value: bigint): Monomial {
  return { index, value };
}
