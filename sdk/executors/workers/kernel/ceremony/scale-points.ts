import { newBytes } from '../../../../base/bytes.js';
import { PippinError } from '../../../../base/errors.js';
import { wipe } from '../../../../base/free-memory.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { CURVES, type GroupId, pointBytes } from '../../../../curves/index.js';
import type { GroupExports } from '../exports.js';
import { countOf, expectGroup, type WholeInstance } from '../kernel-instance.js';
import type { KernelMemory } from '../memory.js';
import { RootKernel } from '../root-kernel.js';
import { type KernelTask, Steps } from '../steps.js';
import { BATCH, PointBatch, ROWS } from './point-batch.js';

/** Digits are odd and below 2^(WINDOW_BITS - 1) in absolute value, or 0. */
const WINDOW_BITS = 5;
/** Bytes of half a scalar, with its sign in the highest bit (wasm/curve/endomorphism.ts). */
export const HALF_BYTES = 16;

export interface ScalePointsArgs {
  readonly group: GroupId;
  /** Prepared points of the subgroup of prime order. */
  readonly points: Uint8Array;
  /** From 1 to r - 1, canonical. */
  readonly scalar: Uint8Array;
  /**
   * The curve's compiled module of square roots, which also writes points as a .zkey has them. Without it products are
   * prepared as the points are.
   */
  readonly module?: WebAssembly.Module;
}

/** The digits of a scalar, or of half of it, lowest first; and the rows of the table that they select from. */
interface Digits {
  readonly values: Int8Array;
  /** Whether the whole number is negative. */
  readonly isNegative: boolean;
  /** The first row: the second half takes the images of the points under the endomorphism. */
  readonly firstRow: number;
}

/**
 * Each point times one scalar, affine as in a .zkey (coordinates times R mod p), or prepared. All points take the same
 * steps of double-and-add, in affine coordinates: a step of `BATCH` points shares one inversion. `INVALID_ARGUMENT` for
 * the scalar 0, `INVALID_POINT` if a multiple of a point on the way is infinity, which none of a point of the subgroup
 * is.
 */
export async function scalePoints(
  instance: WholeInstance,
  { group: id, points, scalar, module }: ScalePointsArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { curve, memory } = instance;
  const { scalarBytes } = CURVES[curve];
  const group = expectGroup(instance, id);
  if (scalar.length !== scalarBytes || scalar.every((byte) => byte === 0)) {
    throw new PippinError('INVALID_ARGUMENT', `expected a scalar of ${scalarBytes} bytes from 1 to r - 1`);
  }
  const roots = module && (await RootKernel.of(instance, module));
  const [packedBytes, bytes] = [preparedPointBytes(curve, id), pointBytes(curve, id)];
  const count = countOf(points, packedBytes, 'prepared points');
  const result = newBytes(count * bytes);
  const secret: Digits[] = [];
  try {
    await memory.scope(async (allocate) => {
      secret.push(...digitsOf(instance, id, scalar, allocate));
      const steps = new Steps(task, count * (secret[0]!.values.length + ROWS));
      const batch = new ScaledBatch(instance, group, allocate, steps, secret);
      for (let from = 0; from < count; from += BATCH) {
        const some = points.subarray(from * packedBytes, (from + BATCH) * packedBytes);
        const scaled = await batch.scale(some, packedBytes);
        result.set(roots === undefined ? scaled : roots.toMontgomery(id, scaled), from * bytes);
      }
    });
    return result;
  } finally {
    for (const { values } of secret) values.fill(0);
  }
}

/** The digits of a scalar, or of its halves where the group has an endomorphism. */
function digitsOf(
  { curve, memory, endomorphism }: WholeInstance,
  group: GroupId,
  scalar: Uint8Array,
  allocate: (bytes: number) => number,
): Digits[] {
  if (group !== 'g1' || endomorphism === undefined) {
    return [{ values: signedWindows(scalar), isNegative: false, firstRow: 0 }];
  }
  const [halves, list] = [allocate(CURVES[curve].scalarBytes), allocate(4)];
  memory.write(halves, scalar);
  memory.writeUint32(list, 0);
  endomorphism.splitScalars(halves, list, 0, 1);
  return [0, 1].map((half) => {
    const { value, isNegative } = halfOfScalar(memory, halves, half);
    const values = signedWindows(value);
    wipe(value);
    return { values, isNegative, firstRow: half * ROWS };
  });
}

/** A half of a scalar that was split at this address: its absolute value and its sign. */
export function halfOfScalar(memory: KernelMemory, at: number, half: number) {
  const value = memory.read(at + half * HALF_BYTES, HALF_BYTES);
  const isNegative = (value[HALF_BYTES - 1]! & 0x80) !== 0;
  value[HALF_BYTES - 1]! &= 0x7f;
  return { value, isNegative };
}

/** What a digit adds to the sums: a row of the table, or its negation. */
interface Addend {
  readonly row: number;
  readonly isNegative: boolean;
}

/** The steps of up to `BATCH` points. */
class ScaledBatch extends PointBatch {
  constructor(
    instance: WholeInstance,
    group: GroupExports,
    allocate: (bytes: number) => number,
    private readonly steps: Steps,
    private readonly digits: readonly Digits[],
  ) {
    super(instance, group, allocate, digits.length);
  }

  /** The products of some points, prepared as they are. */
  async scale(points: Uint8Array, packedBytes: number): Promise<Uint8Array> {
    const { steps, sums, rows } = this;
    const count = points.length / packedBytes;
    this.load(points, packedBytes, rows[0]!);
    this.makeMultiples(0, count);
    if (this.digits.length > 1) this.mapMultiples(count);
    steps.advance(ROWS * count);
    let at = Math.max(...this.digits.map(({ values }) => values.length)) - 1;
    let isEmpty = true;
    await steps.repeat(() => {
      if (at < 0) return false;
      const addends = this.addendsAt(at);
      if (!isEmpty) this.doubleAndAdd(addends, count);
      else if (addends.length > 0) {
        const [{ row, isNegative }, second] = addends as [Addend, Addend?];
        this.set(row, isNegative, count);
        if (second !== undefined) this.add(sums, sums, second, count);
        isEmpty = false;
      }
      steps.advance(count);
      at--;
      return true;
    });
    return this.store(sums, count, packedBytes);
  }

  /** The rows that the digits at a place select; at most one for each half of the scalar. */
  private addendsAt(place: number): Addend[] {
    return this.digits.flatMap(({ values, isNegative, firstRow }) => {
      const digit = values[place] ?? 0;
      if (digit === 0) return [];
      const row = this.rows[firstRow + ((Math.abs(digit) - 1) >> 1)]!;
      return [{ row, isNegative: digit < 0 !== isNegative }];
    });
  }

  /**
   * 2 S + P as (S + P) + S, and 2 S + P + Q as (S + P) + (S + Q): an addition takes less than a doubling. No S is the
   * opposite of a P: the digits before are worth more than the next one.
   */
  private doubleAndAdd([first, second]: readonly Addend[], count: number): void {
    const { sums, doubles } = this;
    if (first === undefined) {
      this.double(sums, count);
      return;
    }
    this.add(doubles, sums, first, count);
    if (second !== undefined) this.add(sums, sums, second, count);
    this.add(sums, doubles, { row: sums, isNegative: false }, count);
  }

  /** sums = row, or its negation: the sum of twice the row and of the opposite of the row, or that row itself. */
  private set(row: number, isNegative: boolean, count: number): void {
    const { memory } = this.instance;
    memory.copy(this.sums, row, count * this.group.baseSize());
    if (!isNegative) return;
    // -P = P - 2 P.
    memory.copy(this.doubles, row, count * this.group.baseSize());
    this.double(this.doubles, count);
    this.add(this.sums, this.sums, { row: this.doubles, isNegative: true }, count);
  }
}

/**
 * The signed digits of a little-endian number in sliding windows, lowest first: sum_i d_i 2^i, where at most one of
 * `windowBits` neighbours is not 0 (Solinas, "Efficient arithmetic on Koblitz curves", 2000, section 4).
 */
export function signedWindows(number: Uint8Array, windowBits = WINDOW_BITS): Int8Array {
  const bits = 8 * number.length;
  const digits = new Int8Array(bits + 1);
  const bit = (i: number): number => (i < bits ? (number[i >> 3]! >> (i & 7)) & 1 : 0);
  let carry = 0;
  for (let at = 0; at <= bits; ) {
    const lowest = bit(at) + carry;
    if ((lowest & 1) === 0) {
      carry = lowest >> 1;
      at++;
      continue;
    }
    let digit = carry;
    for (let i = 0; i < windowBits; i++) digit += bit(at + i) << i;
    carry = digit >= 2 ** (windowBits - 1) ? 1 : 0;
    digits[at] = digit - carry * 2 ** windowBits;
    at += windowBits;
  }
  return digits;
}
