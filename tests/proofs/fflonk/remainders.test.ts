import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { record } from '../../../sdk/base/records.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { inverse, mod, power } from '../../../sdk/curves/modular.js';
import {
  FFLONK_COMMITMENTS,
  FFLONK_EVALUATIONS,
  parseFflonkProof,
  parseFflonkVerificationKey,
} from '../../../sdk/files/snarkjs/fflonk-json.js';
import { rootOfDomain } from '../../../sdk/polynomials/domain.js';
import {
  fflonkCombinationChallenge,
  fflonkEvaluationPoint,
  fflonkOpeningPoint,
  fflonkPermutationChallenges,
} from '../../../sdk/proofs/fflonk/challenges.js';
import { solidityInverse } from '../../../sdk/proofs/fflonk/prove.js';
import { openingSets } from '../../../sdk/proofs/fflonk/remainders.js';
import { evaluateDomain } from '../../../sdk/proofs/lagrange.js';
import { encodeAffine } from '../../../sdk/proofs/verified-points.js';
import { FFLONK_CIRCUITS, fflonkCircuit, MAKING_TIMEOUT, snarkjsFflonkProof } from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';

const r = bn254.fr.modulus;
const scalar = fc.bigInt(1n, r - 1n);
const domain = { domainSize: 64, publicSignals: 2, k1: 2n, k2: 3n };
const curve = 'bn254';

afterAll(endSnarkjs);

/** Lagrange's interpolation, as the definition has it: the value at y. */
function interpolated(points: readonly bigint[], values: readonly bigint[], y: bigint): bigint {
  return points.reduce((sum, point, i) => {
    const basis = points.reduce(
      (product, other, j) => (j === i ? product : mod(product * (y - other) * inverse(point - other, r), r)),
      values[i]!,
    );
    return mod(sum + basis, r);
  }, 0n);
}

const polynomial =
  (...coefficients: bigint[]) =>
  (x: bigint) =>
    coefficients.reduceRight((value, coefficient) => mod(value * x + coefficient, r), 0n);

describe('the opening sets at y', () => {
  it('vanish and interpolate as products and sums over their points do', () => {
    const evaluations = fc.tuple(...FFLONK_EVALUATIONS.map(() => scalar));
    fc.assert(
      fc.property(scalar, scalar, scalar, scalar, evaluations, (seed, y, beta, gamma, values) => {
        const own = record(FFLONK_EVALUATIONS, (name) => values[FFLONK_EVALUATIONS.indexOf(name)]!);
        const xi = power(seed, 24n, r);
        const w = rootOfDomain(curve, 64);
        const atXi = evaluateDomain(curve, 64, xi, [5n, 7n]);
        const sets = atXi && openingSets({ curve, domain }, { xi, y, beta, gamma }, own, atXi);
        // xi in the domain, or y in a set: the generator likes 1.
        if (atXi === undefined || sets === undefined) return fc.pre(false);
        const cubeRoot = power(w, inverse(3n, 64n), r);
        // The roots of unity of order 3 that are not 1: 7 generates the multiplicative group's part of that order.
        const w3 = power(7n, (r - 1n) / 3n, r);
        expect(mod(w3 ** 2n + w3 + 1n, r)).toBe(0n);
        const multiples = (first: bigint, root: bigint, count: bigint) =>
          Array.from({ length: Number(count) }, (_, i) => mod(first * power(root, BigInt(i), r), r));
        const s0 = multiples(power(seed, 3n, r), rootOfDomain(curve, 8), 8n);
        const s1 = multiples(power(seed, 6n, r), rootOfDomain(curve, 4), 4n);
        const h2 = power(seed, 8n, r);
        const [atXiRoots, atXiwRoots] = [multiples(h2, w3, 3n), multiples(h2 * cubeRoot, w3, 3n)];
        const vanishing = (points: readonly bigint[]) =>
          points.reduce((product, point) => mod(product * (y - point), r), 1n);
        expect(sets.vanishing).toEqual([vanishing(s0), vanishing(s1), vanishing([...atXiRoots, ...atXiwRoots])]);

        const { ql, qr, qm, qo, qc, s1: e1, s2: e2, s3: e3, a, b, c, z, zw, t1w, t2w } = own;
        const { zh, lagrange1, publicInput } = atXi;
        const gate = ql * a + qr * b + qm * a * b + qo * c + qc + publicInput;
        const t0 = mod(gate * inverse(zh, r), r);
        const t1 = mod(lagrange1 * (z - 1n) * inverse(zh, r), r);
        const numerator = (a + beta * xi + gamma) * (b + 2n * beta * xi + gamma) * (c + 3n * beta * xi + gamma) * z;
        const denominator = (a + beta * e1 + gamma) * (b + beta * e2 + gamma) * (c + beta * e3 + gamma) * zw;
        const t2 = mod((numerator - denominator) * inverse(zh, r), r);
        const c0 = polynomial(ql, qr, qo, qm, qc, e1, e2, e3);
        const c1 = polynomial(a, b, c, t0);
        const [c2, c2w] = [polynomial(z, t1, t2), polynomial(zw, t1w, t2w)];
        expect(sets.remainders).toEqual([
          interpolated(s0, s0.map(c0), y),
          interpolated(s1, s1.map(c1), y),
          interpolated([...atXiRoots, ...atXiwRoots], [...atXiRoots.map(c2), ...atXiwRoots.map(c2w)], y),
        ]);
      }),
      { numRuns: 10 },
    );
  });

  it('are undefined where the verifier would divide by 0', () => {
    const evaluations = record(FFLONK_EVALUATIONS, () => 1n);
    const xi = power(5n, 24n, r);
    const w = rootOfDomain(curve, 64);
    const at = (point: bigint, y: bigint) =>
      openingSets(
        { curve, domain },
        { xi: point, y, beta: 1n, gamma: 1n },
        evaluations,
        evaluateDomain(curve, 64, point, [])!,
      );
    expect(at(xi, 11n)).toBeDefined();
    // In S0 alone nothing is divided.
    expect(at(xi, power(5n, 3n, r))).toBeDefined();
    expect(at(xi, power(5n, 6n, r))).toBeUndefined();
    expect(at(xi, power(5n, 8n, r))).toBeUndefined();
    expect(at(xi, mod(power(5n, 8n, r) * power(w, inverse(3n, 64n), r), r))).toBeUndefined();
    expect(at(0n, 11n)).toBeUndefined();
  });
});

describe.each(FFLONK_CIRCUITS)('the inverse for Solidity in a proof for %s', (name) => {
  it('equals what snarkjs writes', { timeout: MAKING_TIMEOUT }, async () => {
    const circuit = await fflonkCircuit(name);
    const { proof, publicSignals } = await snarkjsFflonkProof(circuit);
    const { C0, ...key } = parseFflonkVerificationKey(circuit.verificationKey);
    const { commitments: points, evaluations } = parseFflonkProof(proof, curve);
    const commitments = record(FFLONK_COMMITMENTS, (member) => encodeAffine(curve, 'g1', points[member])!);
    const { gamma } = fflonkPermutationChallenges(curve, {
      C0: encodeAffine(curve, 'g1', C0)!,
      publicSignals: publicSignals.map(BigInt),
      commitments,
    });
    const point = fflonkEvaluationPoint(curve, gamma, commitments);
    const y = fflonkOpeningPoint(curve, fflonkCombinationChallenge(curve, point, evaluations), commitments);
    expect(solidityInverse(curve, key, { xi: point.xi, y })).toBe(BigInt(proof.evaluations.inv));
  });
});

it('the inverse for Solidity is 0 where a denominator is', () => {
  const w = rootOfDomain(curve, 64);
  expect(solidityInverse(curve, domain, { xi: w, y: 5n })).toBe(0n);
  expect(solidityInverse(curve, domain, { xi: 5n, y: 0n })).not.toBe(0n);
});
