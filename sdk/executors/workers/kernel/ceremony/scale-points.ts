import { newBytes } from '../../../../base/bytes.js';
import { PippinError } from '../../../../base/errors.js';
import { wipe } from '../../../../base/free-memory.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { CURVES, type GroupId, pointBytes } from '../../../../curves/index.js';
import { countOf, type WholeInstance } from '../kernel-instance.js';
import type { KernelMemory } from '../memory.js';
import { RootKernel } from '../root-kernel.js';
import { type KernelTask, Steps } from '../steps.js';
import { type Addend, BATCH, PointRows, ROWS } from './point-rows.js';
import { RowKernel } from './row-kernel.js';

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
  /** The curve's compiled module of rows of points. */
  readonly rows: WebAssembly.Module;
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
  { group, points, scalar, rows, module }: ScalePointsArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { curve } = instance;
  const { scalarBytes } = CURVES[curve];
  if (scalar.length !== scalarBytes || scalar.every((byte) => byte === 0)) {
    throw new PippinError('INVALID_ARGUMENT', `expected a scalar of ${scalarBytes} bytes from 1 to r - 1`);
  }
  const roots = module && (await RootKernel.of(instance, module));
  const kernel = await RowKernel.of(instance, rows);
  const [packedBytes, bytes] = [preparedPointBytes(curve, group), pointBytes(curve, group)];
  const count = countOf(points, packedBytes, 'prepared points');
  const result = newBytes(count * bytes);
  const secret: Digits[] = [];
  try {
    secret.push(...(await digitsOf(instance, group, scalar)));
    await kernel.memory.scope(async (allocate) => {
      const steps = new Steps(task, count * (secret[0]!.values.length + ROWS));
      const batch = new PointRows(kernel, group, allocate, packedBytes, secret.length);
      for (let from = 0; from < count; from += BATCH) {
        const some = points.subarray(from * packedBytes, (from + BATCH) * packedBytes);
        batch.load(some, batch.rows[0]!);
        await scale(batch, some.length / packedBytes, secret, steps);
        const scaled = batch.store(batch.sums, some.length / packedBytes);
        result.set(roots === undefined ? scaled : roots.toMontgomery(group, scaled), from * bytes);
      }
    });
    return result;
  } finally {
    for (const { values } of secret) values.fill(0);
  }
}

/** The digits of a scalar, or of its halves where the group has an endomorphism. */
async function digitsOf(
  { curve, memory, endomorphism }: WholeInstance,
  group: GroupId,
  scalar: Uint8Array,
): Promise<Digits[]> {
  if (group !== 'g1' || endomorphism === undefined) {
    return [{ values: signedWindows(scalar), isNegative: false, firstRow: 0 }];
  }
  return memory.scope((allocate) => {
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
  });
}

/** A half of a scalar that was split at this address: its absolute value and its sign. */
export function halfOfScalar(memory: KernelMemory, at: number, half: number) {
  const value = memory.read(at + half * HALF_BYTES, HALF_BYTES);
  const isNegative = (value[HALF_BYTES - 1]! & 0x80) !== 0;
  value[HALF_BYTES - 1]! &= 0x7f;
  return { value, isNegative };
}

/** Makes the sums of a batch the products of the points in its first row, by the digits of the scalar. */
async function scale(batch: PointRows, count: number, digits: readonly Digits[], steps: Steps): Promise<void> {
  const {
    sums,
    addends: [both],
  } = batch;
  batch.makeMultiples(0, count);
  if (digits.length > 1) batch.mapMultiples(count);
  steps.advance(ROWS * count);
  let place = Math.max(...digits.map(({ values }) => values.length)) - 1;
  let isEmpty = true;
  await steps.repeat(() => {
    if (place < 0) return false;
    const [first, second] = addendsAt(batch, digits, place);
    if (first !== undefined) {
      let addend = first;
      if (second !== undefined) {
        // P + Q or P - Q, with the sign of P.
        batch.add(both, first.row, { row: second.row, isNegative: first.isNegative !== second.isNegative }, count);
        addend = { row: both, isNegative: first.isNegative };
      }
      if (isEmpty) batch.set(sums, addend, count);
      else batch.doubleAndAdd(sums, addend, count);
      isEmpty = false;
    } else if (!isEmpty) batch.double(sums, count);
    steps.advance(count);
    place--;
    return true;
  });
}

/** The rows that the digits at a place select; at most one for each half of the scalar. */
function addendsAt({ rows }: PointRows, digits: readonly Digits[], place: number): Addend[] {
  return digits.flatMap(({ values, isNegative, firstRow }) => {
    const digit = values[place] ?? 0;
    if (digit === 0) return [];
    const row = rows[firstRow + ((Math.abs(digit) - 1) >> 1)]!;
    return [{ row, isNegative: digit < 0 !== isNegative }];
  });
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
