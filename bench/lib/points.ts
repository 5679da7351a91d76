import { type CurveParameters, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { writeBigint } from '../../sdk/field/bytes.js';
import { inverse, mod } from '../../sdk/field/modular.js';

/** Distinct points whose discrete logarithms are known, in the form in which a caller gives them. */
export interface KnownPoints {
  /** Affine, canonical: the boundary form. */
  readonly bytes: Uint8Array;
  /** Point i is (first + i) times the generator. */
  readonly first: bigint;
}

/**
 * `count` consecutive multiples of the generator: from the points 0..m-1 the next m follow by adding m G to each, all with one
 * inversion (Montgomery's trick).
 */
export function consecutiveMultiples(curve: CurveParameters, count: number, first: bigint): KnownPoints {
  const p = curve.fq.modulus;
  const size = curve.coordinateBytes;
  const start = multiple(curve, first);
  const xs = [start[0]];
  const ys = [start[1]];
  while (xs.length < count) {
    const m = Math.min(xs.length, count - xs.length);
    const [dx, dy] = multiple(curve, BigInt(xs.length));
    const prefix = [1n];
    for (let i = 0; i < m; i++) prefix.push((prefix[i]! * mod(dx - xs[i]!, p)) % p);
    let inverted = inverse(prefix[m]!, p);
    const sums: [bigint, bigint][] = new Array(m);
    for (let i = m - 1; i >= 0; i--) {
      const x = xs[i]!;
      const slope = (mod(dy - ys[i]!, p) * ((prefix[i]! * inverted) % p)) % p;
      inverted = (inverted * mod(dx - x, p)) % p;
      const sumX = mod(slope * slope - x - dx, p);
      sums[i] = [sumX, mod(slope * (x - sumX) - ys[i]!, p)];
    }
    for (const [x, y] of sums) {
      xs.push(x);
      ys.push(y);
    }
  }
  const bytes = new Uint8Array(2 * size * count);
  for (let i = 0; i < count; i++) {
    writeWords(bytes, 2 * i * size, size, xs[i]!);
    writeWords(bytes, (2 * i + 1) * size, size, ys[i]!);
  }
  return { bytes, first };
}

/** sum k_i (first + i mod period) mod r: the factor of the result when the first `period` points come again and again. */
export function expectedFactor(
  curve: CurveParameters,
  points: KnownPoints,
  scalars: Uint8Array,
  period = Number.POSITIVE_INFINITY,
): bigint {
  const words = new BigUint64Array(scalars.buffer, scalars.byteOffset, scalars.length / 8);
  let total = 0n;
  for (let i = 0; i < words.length / 4; i++) {
    const scalar =
      words[4 * i]! | (words[4 * i + 1]! << 64n) | (words[4 * i + 2]! << 128n) | (words[4 * i + 3]! << 192n);
    if (scalar !== 0n) total += scalar * (points.first + BigInt(i % period));
  }
  return mod(total, curve.fr.modulus);
}

/** factor * generator in boundary bytes. */
export function multipleBytes(curve: CurveParameters, factor: bigint): Uint8Array {
  const bytes = new Uint8Array(2 * curve.coordinateBytes);
  if (factor === 0n) return bytes;
  const [x, y] = multiple(curve, factor);
  writeBigint(bytes, 0, curve.coordinateBytes, x);
  writeBigint(bytes, curve.coordinateBytes, curve.coordinateBytes, y);
  return bytes;
}

/** Double-and-add; the factor is above 0 and no intermediate result is infinity. */
function multiple(curve: CurveParameters, factor: bigint): [bigint, bigint] {
  const p = curve.fq.modulus;
  let result: [bigint, bigint] | undefined;
  for (const bit of factor.toString(2)) {
    if (result !== undefined) {
      const slope = mod(3n * result[0] * result[0] * inverse(2n * result[1], p), p);
      const x = mod(slope * slope - 2n * result[0], p);
      result = [x, mod(slope * (result[0] - x) - result[1], p)];
    }
    if (bit === '1') result = result === undefined ? [...curve.g1.generator] : add(result, curve.g1.generator, p);
  }
  return result!;
}

function add(a: readonly [bigint, bigint], b: readonly [bigint, bigint], p: bigint): [bigint, bigint] {
  const slope = mod((b[1] - a[1]) * inverse(b[0] - a[0], p), p);
  const x = mod(slope * slope - a[0] - b[0], p);
  return [x, mod(slope * (a[0] - x) - a[1], p)];
}

/** A fast `writeBigint` for lengths of whole 64-bit words. */
function writeWords(bytes: Uint8Array, offset: number, length: number, value: bigint): void {
  const view = new DataView(bytes.buffer);
  let rest = value;
  for (let at = 0; at < length; at += 8) {
    view.setBigUint64(offset + at, BigInt.asUintN(64, rest), true);
    rest >>= 64n;
  }
}

export const DISTRIBUTIONS = ['uniform', 'sparse', 'clustered', 'all equal', 'circuit'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

/**
 * Scalars of 32 bytes below the curve's order, reproducible. `sparse`: 60% zeros, 25% ones, the rest uniform. `clustered`: 32
 * distinct values. `circuit`, as a witness of bit decompositions and hashes: 30% zeros, 30% ones, 10% of 8 and 10% of 32 bits,
 * the rest uniform.
 */
export function makeScalars(curve: CurveParameters, count: number, distribution: Distribution): Uint8Array {
  const bytes = new Uint8Array(count * SCALAR_BYTES);
  const words = new Uint32Array(bytes.buffer);
  let state = 0x9e3779b9;
  const next = (): number => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const topWord = Number(curve.fr.modulus >> 224n);
  const scalar = new Uint32Array(8);
  const uniform = (): Uint32Array => {
    for (let w = 0; w < 7; w++) scalar[w] = next();
    // A top word below the order's makes the scalar smaller than the order.
    scalar[7] = next() % topWord;
    return scalar;
  };
  const pool = Array.from({ length: distribution === 'all equal' ? 1 : 32 }, () => uniform().slice());
  for (let i = 0; i < count; i++) {
    if (distribution === 'uniform') words.set(uniform(), 8 * i);
    else if (distribution === 'sparse') {
      const kind = next() % 100;
      if (kind >= 85) words.set(uniform(), 8 * i);
      else if (kind >= 60) words[8 * i] = 1;
    } else if (distribution === 'circuit') {
      const kind = next() % 100;
      if (kind >= 80) words.set(uniform(), 8 * i);
      else if (kind >= 70) words[8 * i] = next();
      else if (kind >= 60) words[8 * i] = next() & 0xff;
      else if (kind >= 30) words[8 * i] = 1;
    } else words.set(pool[next() % pool.length]!, 8 * i);
  }
  return bytes;
}
