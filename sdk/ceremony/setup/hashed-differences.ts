import { throwIfAborted } from '../../base/abort.js';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { CURVES, type Curve, type CurveId, pointBytes } from '../../curves/index.js';
import { inverse, mod } from '../../curves/modular.js';
import { reverseCoordinates } from '../../curves/point-bytes.js';
import { FACTOR } from '../../executors/workers/kernel/ceremony/linear-combinations.js';
import { prepareBases } from '../../executors/workers/pool/prepare.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { partOf } from '../../files/byte-source.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import { type CeremonyWork, CHUNK_POINTS } from '../ceremony-work.js';
import type { PreparedPtau } from './prepared-ptau.js';

/** Differences of one job. */
const JOB_POINTS = 1 << 11;
/** snarkjs hashes differences in chunks of so many, the last of which it does not shorten. */
const HASHED_CHUNK = 1 << 14;

/**
 * What the hash of a circuit has in the place of the points H: (tau^n - 1) tau^i in G1 for the domain of n elements, as
 * they are hashed, chunk by chunk in order. There are n - 1, but snarkjs 0.7.6 adds another one for domains beyond
 * 2^14. That one takes tau^(2n - 1), which a file for domains of exactly n does not have: it then computes with the
 * bytes behind the powers, and so does this.
 */
export async function* hashedDifferences(
  work: CeremonyWork,
  ptau: PreparedPtau,
  n: number,
  module: WebAssembly.Module,
  onProgress: (points: number) => void,
): AsyncGenerator<Uint8Array> {
  const { curve, powers } = ptau;
  const count = n - 1 > HASHED_CHUNK ? n : n - 1;
  const within = Math.min(count, powers.count - n);
  for (let from = 0; from < within; from += CHUNK_POINTS) {
    throwIfAborted(work.signal);
    const to = Math.min(within, from + CHUNK_POINTS);
    yield await differences(work, ptau, { n, from, to, module });
    onProgress(to - from);
  }
  if (within === count) return;
  const size = pointBytes(curve, 'g1');
  const [behind, last] = [await ptau.behindPowers(size), await powers.bytes.read((n - 1) * size, size)];
  yield differenceOf(CURVES[curve], behind, last);
}

/** tau^(n + i) - tau^i for i from `from` to `to`. */
async function differences(
  work: CeremonyWork,
  { curve, powers }: PreparedPtau,
  { n, from, to, module }: { n: number; from: number; to: number; module: WebAssembly.Module },
): Promise<Uint8Array> {
  const count = to - from;
  const [high, low] = [
    await preparedPowers(work, curve, powers, n + from, count),
    await preparedPowers(work, curve, powers, from, count),
  ];
  const size = pointBytes(curve, 'g1');
  const hashed = new Uint8Array(count * size);
  const subtract = async (begin: number, end: number): Promise<void> => {
    const result = await retryOnDeadWorker(() => {
      const terms = termsOf([high, low], preparedPointBytes(curve, 'g1'), begin, end);
      const args = { group: 'g1' as const, ...terms, scalars: new Uint8Array(), module };
      return work.pool.call(curve, 'linearCombinations', args, { signal: work.signal, moved: true });
    });
    hashed.set(result.subarray(result.length / 2), begin * size);
    freeMemory(result);
  };
  await eachSlice(work.pool, count, JOB_POINTS, subtract, { signal: work.signal });
  freeMemory(high.points, low.points);
  return hashed;
}

/** Prepared points, and the place of each among them; undefined if all are finite. */
interface Powers {
  readonly points: Uint8Array;
  readonly places: ReadonlyMap<number, number> | undefined;
}

/** The terms of differences of two vectors. Points at infinity have none. */
function termsOf(vectors: readonly [Powers, Powers], bytes: number, from: number, to: number) {
  const points = new Uint8Array(2 * (to - from) * bytes);
  const factors = new Uint8Array(2 * (to - from));
  const offsets = new Uint32Array(to - from + 1);
  let terms = 0;
  for (let i = from; i < to; i++) {
    for (const [k, { points: all, places }] of vectors.entries()) {
      const place = places === undefined ? i : places.get(i);
      if (place === undefined) continue;
      points.set(all.subarray(place * bytes, (place + 1) * bytes), terms * bytes);
      factors[terms++] = k === 0 ? FACTOR.one : FACTOR.minusOne;
    }
    offsets[i - from + 1] = terms;
  }
  const isWhole = terms === factors.length;
  return isWhole
    ? { points, factors, offsets }
    : { points: points.slice(0, terms * bytes), factors: factors.slice(0, terms), offsets };
}

/** Reads powers of tau, checked to be on the curve. */
async function preparedPowers(
  { pool, signal }: CeremonyWork,
  curve: CurveId,
  { bytes }: PreparedPtau['powers'],
  firstIndex: number,
  count: number,
): Promise<Powers> {
  const size = pointBytes(curve, 'g1');
  const points = partOf(bytes, firstIndex * size, count * size);
  const request = { curve, group: 'g1', encoding: 'montgomery', count, firstIndex, points } as const;
  const prepared = await prepareBases(pool, request, { signal });
  return {
    points: prepared.points,
    places: prepared.indices && new Map([...prepared.indices].map((index, place) => [index, place])),
  };
}

/**
 * `one` - `other` as it is hashed, where `one` need not be a point. The chord through both is computed in the order of
 * ffjavascript's formula, in arithmetic modulo p on words that hold numbers up to R: a coordinate that is not below p
 * is not reduced, and makes differences wrap around R.
 *
 * @param one any bytes, and `other` a finite point, both with coordinates times R mod p.
 */
export function differenceOf({ fq, coordinateBytes }: Curve, one: Uint8Array, other: Uint8Array): Uint8Array {
  const p = fq.modulus;
  const R = 1n << BigInt(8 * coordinateBytes);
  const negativeInverse = R - inverse(p, R);
  const sub = (a: bigint, b: bigint): bigint => (a < b ? (a - b + p + R) % R : a - b);
  const add = (a: bigint, b: bigint): bigint => (a + b >= p ? (a + b - p) % R : a + b);
  const mul = (a: bigint, b: bigint): bigint => {
    const product = (a * b + ((a * b * negativeInverse) % R) * p) / R;
    return product >= p ? (product - p) % R : product;
  };
  const coordinate = (point: Uint8Array, i: number): bigint =>
    bytesToBigint(point, i * coordinateBytes, coordinateBytes);
  const [x1, y1] = [coordinate(one, 0), coordinate(one, 1)];
  const [x2, y2] = [coordinate(other, 0), sub(0n, coordinate(other, 1))];

  const h = sub(x2, x1);
  const square = mul(h, h);
  const i = add(add(square, square), add(square, square));
  const j = mul(h, i);
  const difference = sub(y2, y1);
  const r = add(difference, difference);
  const v = mul(x1, i);
  const x3 = sub(sub(mul(r, r), j), add(v, v));
  const product = mul(y1, j);
  const y3 = sub(mul(sub(v, x3), r), add(product, product));

  // From Jacobian coordinates times R to affine ones.
  const inverseZ = inverse(mod(add(h, h), p), p);
  const x = mod(x3 * inverseZ * inverseZ * R, p);
  const y = mod(y3 * inverseZ * inverseZ * inverseZ * R * R, p);
  const point = joinBytes([bigintToBytes(x, coordinateBytes), bigintToBytes(y, coordinateBytes)]);
  reverseCoordinates(point, 2 * coordinateBytes);
  return point;
}
