import type { Groth16Proof, Groth16VerificationKey } from '../../api/index.js';
import { bytesToBigint } from '../../base/bytes.js';
import { describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import {
  curveNamedIn,
  expectArray,
  expectObject,
  expectProof,
  type G1Value,
  type G2Value,
  g2PointToJson,
  malformed,
  parseG1,
  parseG2,
  pointToJson,
  snarkjsName,
  toInteger,
} from './json-values.js';
import type { KeyPoints } from './zkey.js';

/** A parsed proof. */
export interface ProofPoints {
  readonly a: G1Value;
  readonly b: G2Value;
  readonly c: G1Value;
}

/** A parsed verification key. */
export interface VerificationKeyPoints {
  readonly curve: CurveId;
  readonly alpha1: G1Value;
  readonly beta2: G2Value;
  readonly gamma2: G2Value;
  readonly delta2: G2Value;
  readonly ic: readonly G1Value[];
}

/**
 * The curve that a verification key in snarkjs' form names; BN254 if it names none. Errors as in
 * `parseVerificationKey`.
 */
export function curveOfVerificationKey(json: unknown): CurveId {
  return curveNamedIn(json, 'groth16', 'a verification key');
}

/** The same for a proof. */
export function curveOfProof(json: unknown): CurveId {
  return curveNamedIn(json, 'groth16', 'a proof');
}

/**
 * Reads a verification key in snarkjs' form, as `JSON.parse` or `plainCopy` gives it. `MALFORMED_FILE` for a member
 * that is missing or not a decimal number, `INVALID_POINT` for a coordinate that is not below p, `UNSUPPORTED_FORMAT`
 * and `CURVE_MISMATCH` for another protocol or curve.
 *
 * A point has three coordinates, where z is 0 (infinity) or 1, or two coordinates, which are both zero for infinity.
 * `vk_alphabeta_12` is not needed and not read.
 */
export function parseVerificationKey(json: unknown): VerificationKeyPoints {
  const curve = curveOfVerificationKey(json);
  const key = expectObject(json, 'a verification key');
  const ic = expectArray(key.IC, 'IC').map((point, i) => parseG1(curve, point, `IC[${i}]`));
  if (ic.length === 0 || (key.nPublic !== undefined && toInteger(key.nPublic, /^[0-9]+$/) !== BigInt(ic.length - 1))) {
    throw malformed(`IC of nPublic + 1 points (nPublic is ${describeValue(key.nPublic)})`, `${ic.length} points`);
  }
  return {
    curve,
    alpha1: parseG1(curve, key.vk_alpha_1, 'vk_alpha_1'),
    beta2: parseG2(curve, key.vk_beta_2, 'vk_beta_2'),
    gamma2: parseG2(curve, key.vk_gamma_2, 'vk_gamma_2'),
    delta2: parseG2(curve, key.vk_delta_2, 'vk_delta_2'),
    ic,
  };
}

/**
 * Reads a proof over `curve` in snarkjs' form; points and errors as in `parseVerificationKey`. The names of the
 * protocol and the curve may be missing, since some provers leave them out.
 */
export function parseProof(json: unknown, curve: CurveId): ProofPoints {
  const proof = expectProof(json, 'groth16', curve);
  return {
    a: parseG1(curve, proof.pi_a, 'pi_a'),
    b: parseG2(curve, proof.pi_b, 'pi_b'),
    c: parseG1(curve, proof.pi_c, 'pi_c'),
  };
}

/** A proof's three points, affine in the boundary form, as snarkjs writes them. */
export function proofToJson(curve: CurveId, a: Uint8Array, b: Uint8Array, c: Uint8Array): Groth16Proof {
  return {
    pi_a: pointToJson(curve, a),
    pi_b: g2PointToJson(curve, b),
    pi_c: pointToJson(curve, c),
    protocol: 'groth16',
    curve: snarkjsName(curve),
  };
}

/**
 * The verification key that belongs to a proving key, with its members in snarkjs' order.
 *
 * `alphaBeta` is the value of the reduced pairing e(alpha1, beta2): its 12 coefficients in F_p as canonical
 * little-endian bytes, in ffjavascript's order. With it the result equals what snarkjs exports. Without it the result
 * lacks `vk_alphabeta_12`, which no verifier needs.
 */
export function verificationKeyToJson(
  curve: CurveId,
  points: KeyPoints,
  alphaBeta?: Uint8Array,
): Groth16VerificationKey {
  return {
    protocol: 'groth16',
    curve: snarkjsName(curve),
    nPublic: points.ic.length - 1,
    vk_alpha_1: pointToJson(curve, points.alpha1),
    vk_beta_2: g2PointToJson(curve, points.beta2),
    vk_gamma_2: g2PointToJson(curve, points.gamma2),
    vk_delta_2: g2PointToJson(curve, points.delta2),
    ...(alphaBeta === undefined ? {} : { vk_alphabeta_12: pairingValueToJson(curve, alphaBeta) }),
    IC: points.ic.map((point) => pointToJson(curve, point)),
  };
}

/** A value in F_p^12 as decimals: two elements of F_p^6, each of three in F_p^2, each of two in F_p. */
function pairingValueToJson(curve: CurveId, bytes: Uint8Array): string[][][] {
  const size = CURVES[curve].coordinateBytes;
  if (bytes.length !== 12 * size) {
    throw new PippinError('INTERNAL', `expected a pairing value of ${12 * size} bytes, got ${bytes.length}`);
  }
  const coefficient = (i: number): string => String(bytesToBigint(bytes, i * size, size));
  return [0, 6].map((half) => [0, 2, 4].map((pair) => [coefficient(half + pair), coefficient(half + pair + 1)]));
}
