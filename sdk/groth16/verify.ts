import { bn254 as curve } from '@noble/curves/bn254.js';
import { PippinError } from '../errors.js';
import { type G1Value, type G2Value, parseProof, parsePublicSignals, parseVerificationKey } from './proof-json.js';

const G1 = curve.G1.Point;
const G2 = curve.G2.Point;
const { Fp2, Fp12 } = curve.fields;
type G1Point = InstanceType<typeof G1>;
type G2Point = InstanceType<typeof G2>;

/**
 * Whether a Groth16 proof holds: e(A, B) = e(alpha, beta) e(IC_0 + sum x_i IC_i, gamma) e(C, delta) (Groth, 2016/260, section
 * 3.2), by one product of pairings. Key, signals and proof are in snarkjs' JSON form.
 *
 * A proof with a point off its curve or outside the subgroup does not hold; in a key that is `INVALID_POINT`, and so is infinity
 * for alpha, beta, gamma or delta. `INVALID_LENGTH` when the signals are not as many as the key asks for, `INVALID_SCALAR` for
 * one that is not below r, `MALFORMED_FILE` and the like for what is no key, proof or signals at all.
 */
export function verifyProof(verificationKey: unknown, publicSignals: unknown, proof: unknown): boolean {
  const key = parseVerificationKey(verificationKey);
  const signals = parsePublicSignals(publicSignals);
  const values = parseProof(proof);
  if (signals.length !== key.ic.length - 1) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected ${key.ic.length - 1} public signals for this key, got ${signals.length}`,
    );
  }
  const alpha = finite(ofKey(g1(key.alpha1), 'vk_alpha_1'), 'vk_alpha_1');
  const beta = finite(ofKey(g2(key.beta2), 'vk_beta_2'), 'vk_beta_2');
  const gamma = finite(ofKey(g2(key.gamma2), 'vk_gamma_2'), 'vk_gamma_2');
  const delta = finite(ofKey(g2(key.delta2), 'vk_delta_2'), 'vk_delta_2');
  const ic = key.ic.map((value, i) => ofKey(g1(value), `IC[${i}]`));
  const [a, b, c] = [g1(values.a), g2(values.b), g1(values.c)];
  if (a === undefined || b === undefined || c === undefined) return false;

  let input = ic[0]!;
  for (const [i, signal] of signals.entries()) {
    // The signals are public, so that their multiples need not all take the same time.
    input = input.add(ic[i + 1]!.multiplyUnsafe(signal));
  }
  const pairs = [
    { g1: a.negate(), g2: b },
    { g1: alpha, g2: beta },
    { g1: input, g2: gamma },
    { g1: c, g2: delta },
  ];
  // A pairing with infinity is 1; noble wants it left out.
  const product = curve.pairingBatch(pairs.filter((pair) => !pair.g1.is0() && !pair.g2.is0()));
  return Fp12.eql(product, Fp12.ONE);
}

/** A point of G1, which is all of its curve; undefined when it is off the curve. */
function g1(value: G1Value): G1Point | undefined {
  return value === undefined ? G1.ZERO : valid(G1.fromAffine(value));
}

/** A point of the subgroup of order r of the twist; undefined when it is none. */
function g2(value: G2Value): G2Point | undefined {
  if (value === undefined) return G2.ZERO;
  return valid(G2.fromAffine({ x: Fp2.fromBigTuple([...value.x]), y: Fp2.fromBigTuple([...value.y]) }));
}

function valid<Point extends G1Point | G2Point>(point: Point): Point | undefined {
  // (0, 0) is on neither curve; noble takes it for infinity.
  if (point.is0()) return undefined;
  try {
    point.assertValidity();
    return point;
  } catch {
    return undefined;
  }
}

function ofKey<Point>(point: Point | undefined, name: string): Point {
  if (point === undefined) {
    throw new PippinError('INVALID_POINT', `expected ${name} in the group of prime order, got a point outside of it`);
  }
  return point;
}

function finite<Point extends G1Point | G2Point>(point: Point, name: string): Point {
  if (point.is0()) throw new PippinError('INVALID_POINT', `expected ${name} as a finite point, got infinity`);
  return point;
}
