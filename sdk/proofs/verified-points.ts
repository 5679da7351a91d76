import { bigintToBytes, joinBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { G2_GENERATORS } from '../curves/g2-generators.js';
import { CURVES, type CurveId, type GroupId, SCALAR_BYTES } from '../curves/index.js';
import { mod } from '../curves/modular.js';
import { decodePoint, encodePoint } from '../curves/point-bytes.js';
import type { G1Value, G2Value } from '../files/snarkjs/json-values.js';
import type { PairingArithmetic } from './pairings.js';

/** The points of proofs and verification keys: from their parsed form to bytes, and checked for their group. */

/**
 * The boundary form of a parsed point. undefined for (0, 0): it is not on the curve, but would have the bytes of
 * infinity.
 */
export function encodeAffine(curve: CurveId, group: GroupId, value: G1Value | G2Value): Uint8Array | undefined {
  const bytes = encodePoint(curve, group, value && [value.x, value.y]);
  return value !== undefined && isInfinity(bytes) ? undefined : bytes;
}

/** The negation of a point of G1 whose coordinates are below p. */
export function negated(curve: CurveId, point: Uint8Array): Uint8Array {
  const { x, y, infinity } = decodePoint(curve, 'g1', point);
  const { modulus } = CURVES[curve].fq;
  return infinity ? point : encodePoint(curve, 'g1', [x, (modulus - (y as bigint)) % modulus]);
}

function isInfinity(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/**
 * Checks that points of a key are in their group: all at once, and, if that fails, one by one to name the first that is
 * not.
 */
export async function expectMembers(
  arithmetic: PairingArithmetic,
  group: GroupId,
  points: readonly Uint8Array[],
  nameOf: (index: number) => string,
): Promise<void> {
  if (await arithmetic.isInSubgroup({ group, points: joinBytes(points) })) return;
  for (const [i, point] of points.entries()) {
    ofKey((await arithmetic.isInSubgroup({ group, points: point })) ? point : undefined, nameOf(i));
  }
}

export function ofKey(point: Uint8Array | undefined, name: string): Uint8Array {
  if (point === undefined) {
    throw new PippinError('INVALID_POINT', `expected ${name} in the group of prime order, got a point outside of it`);
  }
  return point;
}

export function finite(point: Uint8Array, name: string): Uint8Array {
  if (isInfinity(point)) throw new PippinError('INVALID_POINT', `expected ${name} as a finite point, got infinity`);
  return point;
}

/** A group's generator, in the boundary form. The group must have one (`G2_GENERATORS`). */
export function generator(curve: CurveId, group: GroupId): Uint8Array {
  return encodePoint(curve, group, group === 'g1' ? CURVES[curve].g1.generator : G2_GENERATORS[curve]);
}

/**
 * Whether a point of G1 is the same multiple of `base`, by default the generator, as a point of G2 is of its group's
 * generator: e(P, G2) = e(base, Q).
 */
export function isSameMultiple(
  arithmetic: PairingArithmetic,
  curve: CurveId,
  inG1: Uint8Array,
  inG2: Uint8Array,
  base = generator(curve, 'g1'),
): Promise<boolean> {
  return arithmetic.pairingProductIsOne({
    g1: joinBytes([inG1, negated(curve, base)]),
    g2: joinBytes([generator(curve, 'g2'), inG2]),
  });
}

/** sum k_i P_i over points of G1 in the boundary form, with any integers k_i. */
export function multiples(
  { combine }: PairingArithmetic,
  curve: CurveId,
  terms: readonly (readonly [point: Uint8Array, factor: bigint])[],
): Promise<Uint8Array> {
  const r = CURVES[curve].fr.modulus;
  return combine({
    group: 'g1',
    points: joinBytes(terms.map(([point]) => point)),
    scalars: joinBytes(terms.map(([, factor]) => bigintToBytes(mod(factor, r), SCALAR_BYTES))),
  });
}
