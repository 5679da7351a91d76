import { type CurveParameters, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { writeBigint } from '../../sdk/field/bytes.js';
import { inverse, mod } from '../../sdk/field/modular.js';
import { type Affine, additionLaw } from './addition-law.js';

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
  const law = additionLaw(curve);
  const points = [multiple(curve, first)];
  while (points.length < count) {
    const m = Math.min(points.length, count - points.length);
    const step = multiple(curve, BigInt(points.length));
    const prefix = [1n];
    for (let i = 0; i < m; i++) prefix.push((prefix[i]! * law.denominator(points[i]!, step)) % p);
    let inverted = inverse(prefix[m]!, p);
    const sums: Affine[] = new Array(m);
    for (let i = m - 1; i >= 0; i--) {
      sums[i] = law.sum(points[i]!, step, (prefix[i]! * inverted) % p);
      inverted = (inverted * law.denominator(points[i]!, step)) % p;
    }
    for (const sum of sums) points.push(sum);
  }
  const bytes = new Uint8Array(2 * size * count);
  for (const [i, [x, y]] of points.entries()) {
    writeWords(bytes, 2 * i * size, size, x);
    writeWords(bytes, (2 * i + 1) * size, size, y);
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

/** Double-and-add; the factor is above 0 and no intermediate result is the neutral element. */
function multiple(curve: CurveParameters, factor: bigint): Affine {
  const { generator } = curve.g1;
  const law = additionLaw(curve);
  let result: Affine | undefined;
  for (const bit of factor.toString(2)) {
    if (result !== undefined) result = law.double(result);
    if (bit !== '1') continue;
    if (result === undefined) result = generator;
    else result = law.sum(result, generator, inverse(law.denominator(result, generator), curve.fq.modulus));
  }
  return result!;
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
