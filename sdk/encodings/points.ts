import { bigintToBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { CURVES, type Curve, type CurveId, type GroupId } from '../curves/index.js';
import { encodePoint } from '../curves/point-bytes.js';
import { expectOnCurve } from '../files/snarkjs/curve-equation.js';
import {
  curveOfProof,
  type ProofPoints,
  parseProof,
  parseVerificationKey,
  type VerificationKeyPoints,
} from '../files/snarkjs/groth16-json.js';
import { type G1Value, type G2Value, parsePublicSignals } from '../files/snarkjs/json-values.js';

/**
 * The points of a proof in snarkjs' form, and its curve. Errors as in `parseProof`; `INVALID_POINT` for a point that is
 * not on its curve.
 */
export function proofPoints(proof: unknown): ProofPoints & { readonly curve: Curve } {
  const curve = CURVES[curveOfProof(proof)];
  const points = parseProof(proof, curve.id);
  expectOn(curve, 'g1', points.a, 'pi_a');
  expectOn(curve, 'g2', points.b, 'pi_b');
  expectOn(curve, 'g1', points.c, 'pi_c');
  return { ...points, curve };
}

/** The same for a verification key. */
export function verificationKeyPoints(verificationKey: unknown): Omit<VerificationKeyPoints, 'curve'> & {
  readonly curve: Curve;
} {
  const points = parseVerificationKey(verificationKey);
  const curve = CURVES[points.curve];
  expectOn(curve, 'g1', points.alpha1, 'vk_alpha_1');
  expectOn(curve, 'g2', points.beta2, 'vk_beta_2');
  expectOn(curve, 'g2', points.gamma2, 'vk_gamma_2');
  expectOn(curve, 'g2', points.delta2, 'vk_delta_2');
  for (const [i, point] of points.ic.entries()) expectOn(curve, 'g1', point, `IC[${i}]`);
  return { ...points, curve };
}

/**
 * Public signals as numbers. `MALFORMED_FILE` for anything else, `INVALID_SCALAR` for one that is negative or not below
 * r.
 */
export function publicSignalValues(publicSignals: unknown, curve: CurveId): bigint[] {
  const signals = parsePublicSignals(publicSignals, curve);
  if (signals === undefined) {
    throw new PippinError('INVALID_SCALAR', 'expected public signals from 0 to r - 1, got one out of this range');
  }
  return signals;
}

/** `CURVE_MISMATCH` unless the target has the curve. */
export function expectCurve(curve: Curve, target: string, ids: readonly CurveId[]): void {
  if (ids.includes(curve.id)) return;
  const names = ids.map((id) => CURVES[id].name).join(' or ');
  throw new PippinError('CURVE_MISMATCH', `expected ${names} for ${target}, got ${curve.name}`);
}

/** `INVALID_POINT` unless a parsed point is infinity or on its curve. */
export function expectOn(curve: Curve, group: GroupId, value: G1Value | G2Value, name: string): void {
  if (value === undefined) return;
  const bytes = encodePoint(curve.id, group, [value.x, value.y]);
  if (bytes.every((byte) => byte === 0)) {
    throw new PippinError('INVALID_POINT', `expected ${name} on its curve, got (0, 0)`);
  }
  expectOnCurve(curve, group, bytes, name);
}

/** `value` (0 <= value < 2^(8 length)) as `length` bytes, the highest first. */
export function bigEndian(value: bigint, length: number): Uint8Array {
  return bigintToBytes(value, length).reverse();
}
