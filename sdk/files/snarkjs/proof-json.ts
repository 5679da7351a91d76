import type { Groth16Proof, Groth16VerificationKey } from '../../api/index.js';
import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { type CoordinateValue, decodePoint } from '../../curves/point-bytes.js';
import type { KeyPoints } from './zkey.js';

/** An affine point of the boundary form in snarkjs' projective decimals: [x, y, "1"], infinity ["0", "1", "0"]. */
export function pointToJson(curve: CurveId, bytes: Uint8Array): string[] {
  const { x, y, infinity } = decodePoint(curve, 'g1', bytes);
  return infinity ? ['0', '1', '0'] : [String(x), String(y), '1'];
}

/** The same for G2, where each coordinate is a pair [c0, c1]. */
export function g2PointToJson(curve: CurveId, bytes: Uint8Array): string[][] {
  const { x, y, infinity } = decodePoint(curve, 'g2', bytes);
  const pair = (value: CoordinateValue): string[] => (value as readonly bigint[]).map(String);
  if (infinity) {
    return [
      ['0', '0'],
      ['1', '0'],
      ['0', '0'],
    ];
  }
  return [pair(x), pair(y), ['1', '0']];
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

/** The curve's name in snarkjs. */
export function snarkjsName(curve: CurveId): string {
  const { snarkjs, name } = CURVES[curve];
  if (snarkjs === undefined) throw new PippinError('CURVE_MISMATCH', `expected a curve that snarkjs has, got ${name}`);
  return snarkjs.name;
}
