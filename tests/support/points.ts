import { type Curve, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { bigintToBytes, joinBytes } from '../../sdk/field/bytes.js';
import { mod } from '../../sdk/field/modular.js';
import { encodePoint } from '../../sdk/field/point-bytes.js';
import { type AffinePoint, addAffine, multiplyAffine } from './curve-reference.js';

/** The multiples start G, (start + step) G, ... of the generator G, and their factors mod r. */
export function progression(
  curve: Curve,
  count: number,
  start: bigint,
  step: bigint,
): { points: AffinePoint[]; factors: bigint[] } {
  const difference = multiplyAffine(curve, curve.g1.generator, step);
  const points: AffinePoint[] = [];
  const factors: bigint[] = [];
  let point = multiplyAffine(curve, curve.g1.generator, start);
  for (let i = 0; i < count; i++) {
    points.push(point);
    factors.push((start + BigInt(i) * step) % curve.fr.modulus);
    point = addAffine(curve, point, difference);
  }
  return { points, factors };
}

/** factor * generator, for any integer factor. */
export function multipleOf(curve: Curve, factor: bigint): AffinePoint {
  const n = curve.fr.modulus;
  return multiplyAffine(curve, curve.g1.generator, ((factor % n) + n) % n);
}

/**
 * A point of order 2 on a curve with an Edwards form. It is an exceptional point: it has no image under the map between that form and the
 * Weierstrass form. It is also outside of the subgroup of prime order.
 */
export function pointOfOrderTwo({ id, boundary, edwards, fq }: Curve): readonly [bigint, bigint] {
  if (edwards === undefined) throw new Error(`expected a curve with an Edwards form, got ${id}`);
  return boundary === 'edwards' ? [0n, fq.modulus - 1n] : [mod(edwards.alpha, fq.modulus), 0n];
}

/** sum k_i a_i. */
export function dot(a: readonly bigint[], b: readonly bigint[]): bigint {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0n);
}

export function encodePoints(curve: Curve, points: readonly AffinePoint[]): Uint8Array {
  return joinBytes(points.map((point) => encodePoint(curve.id, 'g1', point)));
}

export function encodeScalars(scalars: readonly bigint[]): Uint8Array {
  return joinBytes(scalars.map((scalar) => bigintToBytes(scalar, SCALAR_BYTES)));
}
