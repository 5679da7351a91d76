import { writeBigint } from '../../sdk/base/bytes.js';
import { type PreparedBases, pointForm, preparedCoordinates } from '../../sdk/bases/prepared.js';
import { CURVES, type CurveId, type CurveParameters, EDWARDS_FORMS } from '../../sdk/curves/index.js';
import { packedMontgomeryBits, packedWords } from '../../sdk/curves/limbs.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import { type AffinePoint, addAffine, multiplyAffine, negateAffine } from './curve-reference.js';
import { multipleOf } from './points.js';
import type { Random } from './random.js';

/**
 * Points with known discrete logarithms: `points[i]` = `logs[i]` G. So an expected sum takes only one scalar
 * multiplication.
 */
export interface KnownPoints {
  readonly points: readonly (readonly [bigint, bigint])[];
  readonly logs: readonly bigint[];
}

/** `count` points that look random: (a + i b) G for random a and b. The point at infinity is not among them. */
export function randomPoints(curve: CurveId, count: number, random: Random): KnownPoints {
  const parameters = CURVES[curve];
  const r = parameters.fr.modulus;
  const step = random.below(r);
  const stepPoint = multipleOf(parameters, step);
  let log = random.below(r);
  let point = multipleOf(parameters, log);
  const points: (readonly [bigint, bigint])[] = [];
  const logs: bigint[] = [];
  while (points.length < count) {
    if (point !== undefined) {
      points.push(point);
      logs.push(log);
    }
    log = mod(log + step, r);
    point = addAffine(parameters, point, stepPoint);
  }
  return { points, logs };
}

/** -P. */
export function negate(curve: CurveId, [x, y]: readonly [bigint, bigint]): readonly [bigint, bigint] {
  return negateAffine(CURVES[curve], [x, y]);
}

/** sum k_i P_i for points with known logarithms. */
export function expectedSum(curve: CurveId, logs: readonly bigint[], scalars: readonly bigint[]): AffinePoint {
  return multipleOf(
    CURVES[curve],
    logs.reduce((sum, a, i) => sum + a * scalars[i]!, 0n),
  );
}

/** Affine points as prepared bases in packed form. */
export function packBases(curve: CurveId, points: readonly (readonly [bigint, bigint])[]): PreparedBases {
  const parameters = CURVES[curve];
  const form = pointForm(curve, 'g1');
  const bytes = packedWords(parameters.fq.bits) * 4;
  const coordinates = preparedCoordinates(form, 'g1');
  const packed = new Uint8Array(points.length * coordinates * bytes);
  points.forEach((point, i) => {
    const values = form === 'edwards' ? edwardsOperand(parameters, point) : point;
    values.forEach((value, k) => {
      writeBigint(packed, (i * coordinates + k) * bytes, bytes, toMontgomery(parameters, value));
    });
  });
  return {
    curve,
    group: 'g1',
    form,
    count: points.length,
    kept: points.length,
    points: packed,
    indices: undefined,
    exceptional: [],
  };
}

/** A point as the GPU stores a sum: four packed coordinates, scaled by z so that they do not look affine. */
export function packSum(curve: CurveId, point: AffinePoint, z: bigint): Uint32Array {
  const parameters = CURVES[curve];
  const m = parameters.fq.modulus;
  const words = packedWords(parameters.fq.bits);
  const coordinates =
    pointForm(curve, 'g1') === 'edwards' ? edwardsExtended(parameters, point, z) : xyzz(point, z).map((v) => mod(v, m));
  const bytes = new Uint8Array(16 * words);
  coordinates.forEach((value, k) => {
    writeBigint(bytes, 4 * words * k, 4 * words, toMontgomery(parameters, value));
  });
  return new Uint32Array(bytes.buffer);
}

/**
 * The affine point of four packed coordinates; all-zero words are infinity. Throws when the coordinates contradict each
 * other.
 */
export function unpackSum(curve: CurveId, words: Uint32Array): AffinePoint {
  const parameters = CURVES[curve];
  const m = parameters.fq.modulus;
  const fromMontgomery = inverse(mod(1n << BigInt(packedMontgomeryBits(parameters.fq.bits)), m), m);
  const coordinates = [0, 1, 2, 3].map((k) => mod(packed(words, k, parameters) * fromMontgomery, m));
  if (words.every((word) => word === 0)) return undefined;
  return pointForm(curve, 'g1') === 'edwards'
    ? fromEdwards(parameters, coordinates)
    : fromXyzz(parameters, coordinates);
}

/** Whether all four coordinates are below p. */
function isCanonicalSum(curve: CurveId, words: Uint32Array): boolean {
  const parameters = CURVES[curve];
  return [0, 1, 2, 3].every((k) => packed(words, k, parameters) < parameters.fq.modulus);
}

/** Words of one sum. */
export function sumWords(curve: CurveId): number {
  return 4 * packedWords(CURVES[curve].fq.bits);
}

/** sum 2^(c w) S_w of window sums S_w, with c = `windowBits`. Throws when a coordinate of a sum is not below p. */
export function evaluateWindows(curve: CurveId, sums: Uint8Array, windowBits: number): AffinePoint {
  const parameters = CURVES[curve];
  const words = new Uint32Array(sums.buffer, sums.byteOffset, sums.byteLength / 4);
  const size = sumWords(curve);
  let result: AffinePoint;
  for (let w = words.length / size - 1; w >= 0; w--) {
    result = multiplyAffine(parameters, result, 1n << BigInt(windowBits));
    const sum = words.subarray(w * size, (w + 1) * size);
    if (!isCanonicalSum(curve, sum))
      throw new RangeError(`the sum of window ${w} has a coordinate that is not below p`);
    result = addAffine(parameters, result, unpackSum(curve, sum));
  }
  return result;
}

function packed(words: Uint32Array, coordinate: number, parameters: CurveParameters): bigint {
  const count = packedWords(parameters.fq.bits);
  let value = 0n;
  for (let w = count - 1; w >= 0; w--) value = (value << 32n) | BigInt(words[coordinate * count + w]!);
  return value;
}

function toMontgomery({ fq }: CurveParameters, value: bigint): bigint {
  return mod(value << BigInt(packedMontgomeryBits(fq.bits)), fq.modulus);
}

function xyzz(point: AffinePoint, z: bigint): readonly bigint[] {
  if (point === undefined) return [0n, 0n, 0n, 0n];
  return [point[0] * z * z, point[1] * z * z * z, z * z, z * z * z];
}

function fromXyzz({ fq }: CurveParameters, [x, y, zz, zzz]: readonly bigint[]): AffinePoint {
  const m = fq.modulus;
  if (zz === 0n) return undefined;
  if (mod(zz! ** 3n - zzz! * zzz!, m) !== 0n) throw new RangeError('ZZ^3 differs from ZZZ^2');
  return [mod(x! * inverse(zz!, m), m), mod(y! * inverse(zzz!, m), m)];
}

/** The Weierstrass form of the Edwards point (x, y), which must be neither neutral nor of order 2. */
export function edwardsToWeierstrass(
  { id, fq }: CurveParameters,
  [x, y]: readonly [bigint, bigint],
): readonly [bigint, bigint] {
  const m = fq.modulus;
  const xm = mod((1n + y) * inverse(mod(1n - y, m), m), m);
  const { alpha, s, scale } = EDWARDS_FORMS[id]!;
  const ym = mod(scale * xm * inverse(x, m), m);
  const unscale = inverse(s, m);
  return [mod(xm * unscale + alpha, m), mod(ym * unscale, m)];
}

/** The affine Edwards coordinates of a point (see `EdwardsParameters`); the neutral element is (0, 1). */
function toEdwards({ id, boundary, fq }: CurveParameters, point: AffinePoint): readonly [bigint, bigint] {
  const m = fq.modulus;
  if (point === undefined) return [0n, 1n];
  if (boundary === 'edwards') return point;
  const { alpha, s, scale } = EDWARDS_FORMS[id]!;
  const x = mod(s * (point[0] - alpha), m);
  const y = mod(s * point[1], m);
  return [mod(scale * x * inverse(y, m), m), mod((x - 1n) * inverse(x + 1n, m), m)];
}

/** The coordinates of a base in Edwards form: Y - X, Y + X, 2 d X Y. */
function edwardsOperand(parameters: CurveParameters, point: AffinePoint): readonly bigint[] {
  const m = parameters.fq.modulus;
  const [x, y] = toEdwards(parameters, point);
  return [mod(y - x, m), mod(y + x, m), mod(2n * EDWARDS_FORMS[parameters.id]!.d * x * y, m)];
}

function edwardsExtended(parameters: CurveParameters, point: AffinePoint, z: bigint): readonly bigint[] {
  const m = parameters.fq.modulus;
  const [x, y] = toEdwards(parameters, point);
  return [mod(x * z, m), mod(y * z, m), mod(z, m), mod(x * y * z, m)];
}

function fromEdwards(parameters: CurveParameters, [x, y, z, t]: readonly bigint[]): AffinePoint {
  const { boundary, fq } = parameters;
  const m = fq.modulus;
  if (z === 0n) throw new RangeError('Z is zero');
  if (mod(x! * y! - z! * t!, m) !== 0n) throw new RangeError('X Y differs from Z T');
  if (x === 0n && y === z) return undefined;
  const ex = mod(x! * inverse(z!, m), m);
  const ey = mod(y! * inverse(z!, m), m);
  if (boundary === 'edwards') return [ex, ey];
  return edwardsToWeierstrass(parameters, [ex, ey]);
}
