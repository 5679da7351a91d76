import { writeBigint } from '../../sdk/base/bytes.js';
import { type Curve, type CurveParameters, EDWARDS_FORMS } from '../../sdk/curves/index.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { multiplyAffine } from '../../tests/support/curve-reference.js';

/** Distinct points whose discrete logarithms are known. */
export interface KnownPoints {
  /** The points in boundary form. */
  readonly bytes: Uint8Array;
  /** Point i is (first + i) times the generator. */
  readonly first: bigint;
}

/**
 * The `count` consecutive multiples first G, (first + 1) G, ... of the generator G. Adding m G to each of the points
 * 0..m-1 gives the next m points; these additions share one inversion (Montgomery's trick).
 */
export function consecutiveMultiples(curve: CurveParameters, count: number, first: bigint): KnownPoints {
  const p = curve.fq.modulus;
  const size = curve.coordinateBytes;
  const { denominator, sum } = curve.boundary === 'edwards' ? edwardsAddition(curve) : weierstrassAddition(curve);
  const points: Point[] = [multiple(curve, first)];
  while (points.length < count) {
    const m = Math.min(points.length, count - points.length);
    const step = multiple(curve, BigInt(points.length));
    const prefix = [1n];
    for (let i = 0; i < m; i++) prefix.push((prefix[i]! * denominator(points[i]!, step)) % p);
    let inverted = inverse(prefix[m]!, p);
    const sums: Point[] = new Array(m);
    for (let i = m - 1; i >= 0; i--) {
      sums[i] = sum(points[i]!, step, (prefix[i]! * inverted) % p);
      inverted = (inverted * denominator(points[i]!, step)) % p;
    }
    for (const point of sums) points.push(point);
  }
  const bytes = new Uint8Array(2 * size * count);
  for (const [i, [x, y]] of points.entries()) {
    writeWords(bytes, 2 * i * size, size, x);
    writeWords(bytes, (2 * i + 1) * size, size, y);
  }
  return { bytes, first };
}

type Point = readonly [x: bigint, y: bigint];

/**
 * The addition of two points of the generator's group, which must be neither neutral nor equal nor opposite. The caller
 * inverts the denominator.
 */
interface Addition {
  readonly denominator: (a: Point, b: Point) => bigint;
  /** @param inverted 1 / denominator(a, b). */
  readonly sum: (a: Point, b: Point, inverted: bigint) => Point;
}

function weierstrassAddition({ fq: { modulus: p } }: CurveParameters): Addition {
  return {
    denominator: (a, b) => mod(b[0] - a[0], p),
    sum: (a, b, inverted) => {
      const slope = (mod(b[1] - a[1], p) * inverted) % p;
      const x = mod(slope * slope - a[0] - b[0], p);
      return [x, mod(slope * (a[0] - x) - a[1], p)];
    },
  };
}

/** With t = d x1 x2 y1 y2, the addition law divides by 1 + t and by 1 - t. The inverse of their product gives both. */
function edwardsAddition({ id, fq: { modulus: p } }: CurveParameters): Addition {
  const { d } = EDWARDS_FORMS[id]!;
  const product = ([x1, y1]: Point, [x2, y2]: Point): bigint => (((((d * x1) % p) * x2) % p) * ((y1 * y2) % p)) % p;
  return {
    denominator: (a, b) => mod(1n - product(a, b) ** 2n, p),
    sum: (a, b, inverted) => {
      const t = product(a, b);
      const x = mod((a[0] * b[1] + a[1] * b[0]) * (1n - t), p);
      const y = mod((a[1] * b[1] + a[0] * b[0]) * (1n + t), p);
      return [(x * inverted) % p, (y * inverted) % p];
    },
  };
}

/**
 * sum k_i (first + (i mod period)) mod r: the result's factor of the generator, when the bases repeat the first
 * `period` points.
 */
export function expectedFactor(
  curve: CurveParameters,
  points: KnownPoints,
  scalars: Uint8Array,
  period = Number.POSITIVE_INFINITY,
): bigint {
  const words = new BigUint64Array(scalars.buffer, scalars.byteOffset, scalars.length / 8);
  const size = curve.scalarBytes / 8;
  let total = 0n;
  for (let i = 0; i < words.length / size; i++) {
    let scalar = 0n;
    for (let w = size - 1; w >= 0; w--) scalar = (scalar << 64n) | words[size * i + w]!;
    if (scalar !== 0n) total += scalar * (points.first + BigInt(i % period));
  }
  return mod(total, curve.fr.modulus);
}

/** factor * generator in boundary form. */
export function multipleBytes(curve: Curve, factor: bigint): Uint8Array {
  return encodePoint(curve.id, 'g1', multiplyAffine(curve, curve.g1.generator, factor));
}

/** factor * generator, for 0 < factor < r. */
function multiple(curve: CurveParameters, factor: bigint): Point {
  return multiplyAffine(curve, curve.g1.generator, factor)!;
}

/** `writeBigint`, but faster; `length` must be a multiple of 8. */
function writeWords(bytes: Uint8Array, offset: number, length: number, value: bigint): void {
  const view = new DataView(bytes.buffer);
  let rest = value;
  for (let at = 0; at < length; at += 8) {
    view.setBigUint64(offset + at, BigInt.asUintN(64, rest), true);
    rest >>= 64n;
  }
}

/**
 * `count` reproducible scalars of which the part `density` is of `bits` bits, 2 to all that the order has, and the rest
 * 0 and 1, in halves.
 */
export function makeSparseScalars(curve: CurveParameters, count: number, density: number, bits: number): Uint8Array {
  const scalars = makeScalars(curve, count, 'uniform');
  const words = new Uint32Array(scalars.buffer);
  const size = curve.scalarBytes / 4;
  // By the golden ratio, so that every run of scalars has its part of each kind.
  for (let i = 0; i < count; i++) {
    const place = (i * 0.618_033_988_75) % 1;
    const scalar = words.subarray(size * i, size * (i + 1));
    if (place >= density) {
      scalar.fill(0);
      scalar[0] = place >= density + (1 - density) / 2 ? 1 : 0;
    } else if (bits < curve.fr.bits) {
      const top = (bits - 1) >> 5;
      scalar.fill(0, top + 1);
      scalar[top] = ((scalar[top]! % 2 ** ((bits - 1) & 31)) + 2 ** ((bits - 1) & 31)) >>> 0;
    }
  }
  return scalars;
}

export const DISTRIBUTIONS = ['uniform', 'sparse', 'clustered', 'all equal', 'circuit', 'signed'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

/**
 * `count` reproducible scalars below the curve's order, of its `scalarBytes` each. `sparse`: 60% zeros, 25% ones, the
 * rest uniform. `clustered`: 32 distinct values. `circuit`, like the witness of a circuit with bit decompositions and
 * hashes: 30% zeros, 30% ones, 10% of 8 bits, 10% of 32 bits, the rest uniform. `signed`: numbers of 20 bits, half of
 * them negative.
 */
export function makeScalars(curve: CurveParameters, count: number, distribution: Distribution): Uint8Array {
  const bytes = new Uint8Array(count * curve.scalarBytes);
  const size = curve.scalarBytes / 4;
  const words = new Uint32Array(bytes.buffer);
  let state = 0x9e3779b9;
  const next = (): number => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const top = Math.ceil(curve.fr.bits / 32) - 1;
  const topWord = Number(curve.fr.modulus >> BigInt(32 * top));
  const scalar = new Uint32Array(size);
  const uniform = (): Uint32Array => {
    for (let w = 0; w < top; w++) scalar[w] = next();
    // The top word is below that of the order, so the scalar is below the order.
    scalar[top] = next() % topWord;
    return scalar;
  };
  const pool = Array.from({ length: distribution === 'all equal' ? 1 : 32 }, () => uniform().slice());
  for (let i = 0; i < count; i++) {
    if (distribution === 'uniform') words.set(uniform(), size * i);
    else if (distribution === 'sparse') {
      const kind = next() % 100;
      if (kind >= 85) words.set(uniform(), size * i);
      else if (kind >= 60) words[size * i] = 1;
    } else if (distribution === 'circuit') {
      const kind = next() % 100;
      if (kind >= 80) words.set(uniform(), size * i);
      else if (kind >= 70) words[size * i] = next();
      else if (kind >= 60) words[size * i] = next() & 0xff;
      else if (kind >= 30) words[size * i] = 1;
    } else if (distribution === 'signed') {
      const value = next() >>> 12;
      if (value % 2 === 0) words[size * i] = value;
      else writeBigint(bytes, i * curve.scalarBytes, curve.scalarBytes, curve.fr.modulus - BigInt(value));
    } else words.set(pool[next() % pool.length]!, size * i);
  }
  return bytes;
}
