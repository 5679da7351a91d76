import { bn254 as curve } from '@noble/curves/bn254.js';
import { PippinError } from '../errors.js';
import { type G1Value, type G2Value, parseProof, parsePublicSignals, parseVerificationKey } from './proof-json.js';

const G1 = curve.G1.Point;
const G2 = curve.G2.Point;
type G1Point = InstanceType<typeof G1>;
type G2Point = InstanceType<typeof G2>;

/**
 * Whether a Groth16 proof holds: e(A, B) = e(alpha, beta) e(sum x_i IC_i, gamma) e(C, delta) (Groth, 2016/260, section 3.2), by
 * one product of pairings. Points off their curve or outside the subgroup are `INVALID_POINT` in a key, and in a proof mean that
 * it does not hold. `INVALID_LENGTH` when the signals are not as many as the key asks for.
 */
export function verifyProof(verificationKey: unknown, publicSignals: unknown, proof: unknown): boolean {
  const key = parseVerificationKey(verificationKey);
  const signals = parsePublicSignals(publicSignals);
  const { a, b, c } = parseProof(proof);
  if (signals.length !== key.ic.length - 1) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected ${key.ic.length - 1} public signals for this key, got ${signals.length}`,
    );
  }
  const fromKey = <T>(make: () => T): T => {
    try {
      return make();
    } catch (error) {
      throw new PippinError('INVALID_POINT', 'expected a verification key of points in the prime-order groups', {
        cause: error,
      });
    }
  };
  const [alpha, beta, gamma, delta, ic] = fromKey(
    () => [g1(key.alpha1), g2(key.beta2), g2(key.gamma2), g2(key.delta2), key.ic.map(g1)] as const,
  );
  let points: readonly [G1Point, G2Point, G1Point];
  try {
    points = [g1(a), g2(b), g1(c)];
  } catch {
    return false;
  }
  const input = signals.reduce((sum, x, i) => (x === 0n ? sum : sum.add(ic[i + 1]!.multiply(x))), ic[0]!);
  const pairs = [
    { g1: points[0].negate(), g2: points[1] },
    { g1: alpha, g2: beta },
    { g1: input, g2: gamma },
    { g1: points[2], g2: delta },
  ].filter((pair) => !pair.g1.is0() && !pair.g2.is0());
  const { Fp12 } = curve.fields;
  return Fp12.eql(curve.pairingBatch(pairs), Fp12.ONE);
}

/** A checked point of G1, which has no other subgroup. */
function g1(value: G1Value): G1Point {
  if (value === undefined) return G1.ZERO;
  const point = G1.fromAffine(value);
  point.assertValidity();
  return point;
}

/** A point of G2, checked to be on the twist and in the subgroup of order r. */
function g2(value: G2Value): G2Point {
  if (value === undefined) return G2.ZERO;
  const { Fp2 } = curve.fields;
  const point = G2.fromAffine({ x: Fp2.fromBigTuple([...value.x]), y: Fp2.fromBigTuple([...value.y]) });
  point.assertValidity();
  return point;
}
