import { bigintToBytes, bytesToBigint } from '../../../../base/bytes.js';
import { PippinError } from '../../../../base/errors.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { CURVES, type GroupId, SCALAR_BYTES } from '../../../../curves/index.js';
import { packedMontgomeryBits } from '../../../../curves/limbs.js';
import { inverse } from '../../../../curves/modular.js';
import type { EndomorphismExports, GroupExports } from '../exports.js';
import { expectGroup, type WholeInstance } from '../kernel-instance.js';
import type { Allocate } from '../memory.js';
import type { RootKernel } from '../root-kernel.js';
import type { Steps } from '../steps.js';
import { PointPairs, SIGN } from './point-pairs.js';
import { BATCH, OPPOSITE, type PointRows, ROWS } from './point-rows.js';
import { HALF_BYTES } from './scale-points.js';

/** Digits of half a scalar, of 4 bits each: all are odd, and below 16 in absolute value. */
const DIGITS = 2 * HALF_BYTES;
/** Units of work of a point: its digits, and the multiples of it and of its image. */
export const UNITS = DIGITS + 2 * ROWS;
const HALF_WORDS = HALF_BYTES / 4;
/** Flags of half a scalar: it is negative; it was even. */
const NEGATIVE = 1;
const EVEN = 2;

/** What points are multiplied by. */
export interface ScaledBy {
  /** With rows for images of the points, too. */
  readonly batch: PointRows;
  readonly roots: RootKernel;
  readonly steps: Steps;
}

/**
 * Points times a scalar each. As each scalar has its own digits, all digits are made odd, so that all points take the
 * same steps: of an odd number m below 2^127 digit i is 2 n - 15, where n is digit i to the base 16 of (m + 2^128 - 1)
 * / 2 (Joye, Tunstall, "Exponent recoding and regular exponentiation algorithms", 2009). Even halves are made odd by
 * adding 1, which is taken back at the end. In G2 the endomorphism is computed as in G1.
 */
export class EachScaledBatch extends PointPairs {
  private readonly halves: number;
  private readonly list: number;
  private readonly flags: number;
  /** Bases: the products, the points or their images, and differences of both. */
  private readonly scaled: number;
  private readonly points: number;
  private readonly differences: number;
  private readonly endomorphism: EndomorphismExports;
  /** What x is multiplied by in G2, for images of its points. */
  private readonly beta: bigint | undefined;

  constructor(
    instance: WholeInstance,
    private readonly id: GroupId,
    allocate: Allocate,
    private readonly by: ScaledBy,
  ) {
    super(instance, expectGroup(instance, id), allocate, preparedPointBytes(instance.curve, id));
    const { endomorphism, curve } = instance;
    if (endomorphism === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with an endomorphism, got ${curve}`);
    }
    this.endomorphism = endomorphism;
    this.halves = allocate(BATCH * SCALAR_BYTES);
    this.list = allocate(4 * BATCH);
    this.flags = allocate(2 * BATCH);
    const row = BATCH * this.group.baseSize();
    [this.scaled, this.points, this.differences] = [allocate(row), allocate(row), allocate(row)];
    const list = instance.memory.viewUint32(this.list, BATCH);
    for (let i = 0; i < BATCH; i++) list[i] = i;
    this.beta = id === 'g2' ? betaOfG2(instance, endomorphism, allocate) : undefined;
  }

  /**
   * The products of up to `BATCH` prepared points with their scalars, as addresses of bases one after another.
   *
   * @param scalars where canonical scalars from 1 to r - 1 are.
   */
  async scale(points: Uint8Array, scalars: number): Promise<number> {
    const { beta } = this;
    const { batch, steps } = this.by;
    const { rows, sums, addends } = batch;
    const [both, second] = addends;
    const count = points.length / this.packedBytes;
    this.split(scalars, count);
    batch.load(points, rows[0]!);
    batch.makeMultiples(0, count);
    if (beta === undefined) batch.mapMultiples(count);
    else {
      batch.load(this.images(points, beta), rows[ROWS]!);
      batch.makeMultiples(ROWS, count);
    }
    steps.advance(2 * ROWS * count);
    let digit = DIGITS - 1;
    await steps.repeat(() => {
      batch.select(both, count, (selectors) => this.selectInto(selectors, 0, digit));
      batch.select(second, count, (selectors) => this.selectInto(selectors, 1, digit));
      batch.add(both, both, { row: second, isNegative: false }, count);
      const addend = { row: both, isNegative: false };
      if (digit === DIGITS - 1) batch.set(sums, addend, count);
      else {
        for (let i = 0; i < 3; i++) batch.double(sums, count);
        batch.doubleAndAdd(sums, addend, count);
      }
      steps.advance(count);
      return --digit >= 0;
    });
    this.load(batch.store(sums, count), this.scaled);
    for (const half of [0, 1]) this.takeBack(half, count);
    return this.scaled;
  }

  /** Prepared points as they are under the endomorphism of G2. */
  private images(points: Uint8Array, beta: bigint): Uint8Array {
    const images = this.by.roots.multiplied(this.id, points, beta);
    const half = this.packedBytes / 2;
    for (let at = half; at < points.length; at += this.packedBytes) images.set(points.subarray(at, at + half), at);
    return images;
  }

  /** Splits the scalars in halves, and leaves (m + 2^128 - 1) / 2 of each, and its flags. */
  private split(scalars: number, count: number): void {
    const { memory } = this.instance;
    memory.copy(this.halves, scalars, count * SCALAR_BYTES);
    this.endomorphism.splitScalars(this.halves, this.list, 0, count);
    const words = memory.viewUint32(this.halves, 2 * count * HALF_WORDS);
    const flags = memory.view(this.flags, 2 * count);
    for (let i = 0; i < 2 * count; i++) {
      const at = i * HALF_WORDS;
      const top = words[at + 3]!;
      flags[i] = (top >>> 31 ? NEGATIVE : 0) | (words[at]! & 1 ? 0 : EVEN);
      for (let j = 0; j < 3; j++) words[at + j] = (words[at + j]! >>> 1) | (words[at + j + 1]! << 31);
      words[at + 3] = ((top & 0x7fffffff) >>> 1) | 0x80000000;
    }
  }

  /** What a digit of half a scalar adds, as selectors of the table's rows. */
  private selectInto(selectors: Uint8Array, half: number, digit: number): void {
    const { memory } = this.instance;
    const words = memory.viewUint32(this.halves, selectors.length * 2 * HALF_WORDS);
    const flags = memory.view(this.flags, 2 * selectors.length);
    const [word, shift] = [half * HALF_WORDS + (digit >> 3), 4 * (digit & 7)];
    for (let i = 0; i < selectors.length; i++) {
      const n = (words[i * 2 * HALF_WORDS + word]! >>> shift) & 15;
      const isNegative = n < 8 !== ((flags[2 * i + half]! & NEGATIVE) !== 0);
      selectors[i] = half * ROWS + (n < 8 ? 7 - n : n - 8) + (isNegative ? OPPOSITE : 0);
    }
  }

  /** Subtracts the point, or its image, where 1 was added to half its scalar. */
  private takeBack(half: number, count: number): void {
    const { memory } = this.instance;
    const { scaled, points, differences } = this;
    const { batch } = this.by;
    const flags = memory.view(this.flags, 2 * count);
    const even: number[] = [];
    for (let i = 0; i < count; i++) if (flags[2 * i + half]! & EVEN) even.push(i);
    const size = this.group.baseSize();
    this.load(batch.store(batch.rows[half * ROWS]!, count), points);
    this.addPairs(differences, 2 * even.length, (entries) => {
      for (const [k, i] of even.entries()) {
        const isNegative = (flags[2 * i + half]! & NEGATIVE) !== 0;
        entries[2 * k] = (scaled + i * size) / 8;
        entries[2 * k + 1] = (points + i * size) / 8 + (isNegative ? 0 : SIGN);
      }
    });
    for (const [k, i] of even.entries()) memory.copy(scaled + i * size, differences + k * size, size);
  }
}

/**
 * The cube root of unity with which (x, y) -> (beta x, y) multiplies by the same number in G2 as the endomorphism in
 * G1: the square of beta of G1, which the image of G1's generator tells.
 */
function betaOfG2(instance: WholeInstance, { g1_mapPoints }: EndomorphismExports, allocate: Allocate): bigint {
  const { curve, memory } = instance;
  const { fq, g1, coordinateBytes } = CURVES[curve];
  const group: GroupExports = expectGroup(instance, 'g1');
  const p = fq.modulus;
  const packedOf = (value: bigint): bigint => (value << BigInt(packedMontgomeryBits(fq.bits))) % p;
  const [x, y] = g1.generator.map(packedOf) as [bigint, bigint];
  const [packed, bases] = [allocate(2 * coordinateBytes), allocate(2 * group.baseSize())];
  memory.write(packed, bigintToBytes(x, coordinateBytes));
  memory.write(packed + coordinateBytes, bigintToBytes(y, coordinateBytes));
  group.loadBases(packed, 1, bases);
  memory.copy(bases + group.baseSize(), bases, group.baseSize());
  g1_mapPoints(bases, 0, 2);
  group.storeMultiples(bases, 1, packed, 0);
  const beta = (bytesToBigint(memory.view(packed, coordinateBytes)) * inverse(x, p)) % p;
  return (beta * beta) % p;
}
