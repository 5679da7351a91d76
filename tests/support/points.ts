import { Field } from '@noble/curves/abstract/modular.js';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { CURVES, type Curve, type CurveId, EDWARDS_FORMS } from '../../sdk/curves/index.js';
import { mod } from '../../sdk/curves/modular.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { type AffinePoint, addAffine, multiplyAffine, sumAffine } from './curve-reference.js';

/** A group's generator times 2^i, as far as they were needed, and the multiples that were asked for. */
interface KnownMultiples {
  readonly doublings: AffinePoint[];
  readonly multiples: Map<bigint, AffinePoint>;
}

/** Suites run for every module of a curve, with the same points. */
const KNOWN = new Map<CurveId, KnownMultiples>();

/** The multiples start G, (start + step) G, ... of the generator G, and their factors mod r. */
export function progression(
  curve: Curve,
  count: number,
  start: bigint,
  step: bigint,
): { points: AffinePoint[]; factors: bigint[] } {
  const { multiples } = knownOf(curve);
  const difference = multipleOf(curve, step);
  const points: AffinePoint[] = [];
  const factors: bigint[] = [];
  for (let i = 0; i < count; i++) {
    const factor = mod(start + BigInt(i) * step, curve.fr.modulus);
    if (i > 0 && !multiples.has(factor)) multiples.set(factor, addAffine(curve, points[i - 1], difference));
    points.push(multipleOf(curve, factor));
    factors.push(factor);
  }
  return { points, factors };
}

/** factor * generator, for any integer factor. */
export function multipleOf(curve: Curve, factor: bigint): AffinePoint {
  const { doublings, multiples } = knownOf(curve);
  const reduced = mod(factor, curve.fr.modulus);
  if (multiples.has(reduced)) return multiples.get(reduced);
  const bits = [...reduced.toString(2)].reverse();
  while (doublings.length < bits.length) doublings.push(addAffine(curve, doublings.at(-1), doublings.at(-1)));
  const sum = sumAffine(
    curve,
    doublings.filter((_, i) => bits[i] === '1'),
  );
  multiples.set(reduced, sum);
  return sum;
}

function knownOf(curve: Curve): KnownMultiples {
  let known = KNOWN.get(curve.id);
  if (known === undefined) {
    known = { doublings: [curve.g1.generator], multiples: new Map() };
    KNOWN.set(curve.id, known);
  }
  return known;
}

/**
 * A point of order 2 on a curve with an Edwards form. It is an exceptional point: it has no image under the map between
 * that form and the Weierstrass form. It is also outside of the subgroup of prime order.
 */
export function pointOfOrderTwo({ id, boundary, edwards, fq }: Curve): readonly [bigint, bigint] {
  if (edwards === undefined) throw new Error(`expected a curve with an Edwards form, got ${id}`);
  return boundary === 'edwards' ? [0n, fq.modulus - 1n] : [mod(EDWARDS_FORMS[id]!.alpha, fq.modulus), 0n];
}

/** A point whose order is a power of 2 above 2, so that doublings lead to the point of order 2. */
export function pointOfEvenOrder(curve: Curve): readonly [bigint, bigint] {
  const { fq, fr, g1, boundary } = curve;
  const field = Field(fq.modulus);
  // (x, 0) has order 4 on the Edwards form -x^2 + y^2 = 1 + d x^2 y^2.
  if (boundary === 'edwards') return [field.sqrt(fq.modulus - 1n), 0n];
  const odd = (n: bigint): bigint => (n % 2n === 0n ? odd(n / 2n) : n);
  for (let x = 1n; x < 100n; x++) {
    const square = mod(x ** 3n + g1.b, fq.modulus);
    if (field.pow(square, (fq.modulus - 1n) / 2n) !== 1n) continue;
    const even = multiplyAffine(curve, [x, field.sqrt(square)], fr.modulus * odd(g1.cofactor));
    if (even !== undefined && even[1] !== 0n) return even;
  }
  throw new Error('expected a point of even order, found none');
}

/** sum k_i a_i. */
export function dot(a: readonly bigint[], b: readonly bigint[]): bigint {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0n);
}

export function encodePoints(curve: Curve, points: readonly AffinePoint[]): Uint8Array {
  return joinBytes(points.map((point) => encodePoint(curve.id, 'g1', point)));
}

/** Scalars of a curve as callers give them; most curves have the same size of scalars. */
export function encodeScalars(scalars: readonly bigint[], curve: CurveId = 'bn254'): Uint8Array {
  return joinBytes(scalars.map((scalar) => bigintToBytes(scalar, CURVES[curve].scalarBytes)));
}
