import { bigintToBytes, bytesToBigint } from '../../../../base/bytes.js';
import { PippinError } from '../../../../base/errors.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { CURVES, type GroupId, SCALAR_BYTES } from '../../../../curves/index.js';
import { packedMontgomeryBits } from '../../../../curves/limbs.js';
import { inverse } from '../../../../curves/modular.js';
import type { EndomorphismExports, GroupExports } from '../exports.js';
import { expectGroup, type WholeInstance } from '../kernel-instance.js';
import type { RootKernel } from '../root-kernel.js';
import type { Steps } from '../steps.js';
import { BATCH, PointBatch, ROWS, SIGN } from './point-batch.js';
import { HALF_BYTES } from './scale-points.js';

/** Digits of half a scalar, of 4 bits each: all are odd, and below 16 in absolute value. */
const DIGITS = 2 * HALF_BYTES;
/** Units of work of a point: its digits, and the multiples of it and of its image. */
export const UNITS = DIGITS + 2 * ROWS;
const HALF_WORDS = HALF_BYTES / 4;
/** Flags of half a scalar: it is negative; it was even. */
const NEGATIVE = 1;
const EVEN = 2;

/**
 * Points times a scalar each. As each scalar has its own digits, all digits are made odd, so that all points take the
 * same steps: of an odd number m below 2^127 digit i is 2 n - 15, where n is digit i to the base 16 of (m + 2^128 - 1)
 * / 2 (Joye, Tunstall, "Exponent recoding and regular exponentiation algorithms", 2009). Even halves are made odd by
 * adding 1, which is taken back at the end. In G2 the endomorphism is computed as in G1.
 */
export class EachScaledBatch extends PointBatch {
  private readonly halves: number;
  private readonly list: number;
  private readonly flags: number;
  protected readonly packedBytes: number;
  private readonly endomorphism: EndomorphismExports;
  /** What x is multiplied by in G2, for images of its points. */
  private readonly beta: bigint | undefined;

  constructor(
    instance: WholeInstance,
    protected readonly id: GroupId,
    allocate: (bytes: number) => number,
    protected readonly roots: RootKernel,
    protected readonly steps: Steps,
  ) {
    super(instance, expectGroup(instance, id), allocate, 2);
    const { endomorphism, curve } = instance;
    if (endomorphism === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with an endomorphism, got ${curve}`);
    }
    this.endomorphism = endomorphism;
    this.packedBytes = preparedPointBytes(curve, id);
    this.halves = allocate(BATCH * SCALAR_BYTES);
    this.list = allocate(4 * BATCH);
    this.flags = allocate(2 * BATCH);
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
    const { rows, sums, steps, beta } = this;
    const count = points.length / this.packedBytes;
    this.split(scalars, count);
    this.load(points, this.packedBytes, rows[0]!);
    this.makeMultiples(0, count);
    if (beta === undefined) this.mapMultiples(count);
    else {
      this.load(this.images(points, beta), this.packedBytes, rows[ROWS]!);
      this.makeMultiples(ROWS, count);
    }
    steps.advance(2 * ROWS * count);
    let at = DIGITS - 1;
    await steps.repeat(() => {
      if (at < DIGITS - 1) {
        for (let i = 0; i < 3; i++) this.double(sums, count);
        // 2 S + P + Q as (S + P) + (S + Q): an addition takes less than a doubling.
        this.addDigits(this.doubles, sums, { half: 0, digit: at, count });
        this.addDigits(sums, sums, { half: 1, digit: at, count });
        this.add(sums, this.doubles, { row: sums, isNegative: false }, count);
      } else this.setToDigits(count);
      steps.advance(count);
      return --at >= 0;
    });
    for (const half of [0, 1]) this.takeBack(half, count);
    return sums;
  }

  /** Prepared points as they are under the endomorphism of G2. */
  private images(points: Uint8Array, beta: bigint): Uint8Array {
    const images = this.roots.multiplied(this.id, points, beta);
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

  /** The reference to what a digit of half a scalar adds, as a function of the point's number. */
  private referTo(half: number, digit: number): (point: number) => number {
    const { memory } = this.instance;
    const words = memory.viewUint32(this.halves, BATCH * 2 * HALF_WORDS);
    const flags = memory.view(this.flags, 2 * BATCH);
    const size = this.group.baseSize() / 8;
    const rows = this.rows.slice(half * ROWS, (half + 1) * ROWS).map((row) => row / 8);
    const [word, shift] = [half * HALF_WORDS + (digit >> 3), 4 * (digit & 7)];
    return (point) => {
      const n = (words[point * 2 * HALF_WORDS + word]! >>> shift) & 15;
      const isNegative = n < 8 !== ((flags[2 * point + half]! & NEGATIVE) !== 0);
      return rows[n < 8 ? 7 - n : n - 8]! + point * size + (isNegative ? SIGN : 0);
    };
  }

  /** target_i = a_i + what the digit adds. */
  private addDigits(
    target: number,
    a: number,
    { half, digit, count }: { readonly half: number; readonly digit: number; readonly count: number },
  ): void {
    const size = this.group.baseSize() / 8;
    const referTo = this.referTo(half, digit);
    this.addPairs(target, 2 * count, (entries) => {
      for (let i = 0; i < count; i++) {
        entries[2 * i] = a / 8 + i * size;
        entries[2 * i + 1] = referTo(i);
      }
    });
  }

  /** sums_i = what the highest digits of both halves add. */
  private setToDigits(count: number): void {
    const [first, second] = [this.referTo(0, DIGITS - 1), this.referTo(1, DIGITS - 1)];
    this.addPairs(this.sums, 2 * count, (entries) => {
      for (let i = 0; i < count; i++) {
        entries[2 * i] = first(i);
        entries[2 * i + 1] = second(i);
      }
    });
  }

  /** Subtracts the point, or its image, where 1 was added to half its scalar. */
  private takeBack(half: number, count: number): void {
    const { memory } = this.instance;
    const flags = memory.view(this.flags, 2 * count);
    const even: number[] = [];
    for (let i = 0; i < count; i++) if (flags[2 * i + half]! & EVEN) even.push(i);
    const size = this.group.baseSize();
    const row = this.rows[half * ROWS]!;
    this.addPairs(this.doubles, 2 * even.length, (entries) => {
      for (const [k, i] of even.entries()) {
        const isNegative = (flags[2 * i + half]! & NEGATIVE) !== 0;
        entries[2 * k] = (this.sums + i * size) / 8;
        entries[2 * k + 1] = (row + i * size) / 8 + (isNegative ? 0 : SIGN);
      }
    });
    for (const [k, i] of even.entries()) memory.copy(this.sums + i * size, this.doubles + k * size, size);
  }
}

/**
 * The cube root of unity with which (x, y) -> (beta x, y) multiplies by the same number in G2 as the endomorphism in
 * G1: the square of beta of G1, which the image of G1's generator tells.
 */
function betaOfG2(
  instance: WholeInstance,
  { g1_mapPoints }: EndomorphismExports,
  allocate: (bytes: number) => number,
): bigint {
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
