import { bigintToBytes } from '../../../../base/bytes.js';
import { PippinError } from '../../../../base/errors.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../../../curves/index.js';
import { reverseCoordinates } from '../../../../curves/point-bytes.js';
import { countOf, type WholeInstance } from '../kernel-instance.js';
import { RootKernel } from '../root-kernel.js';
import type { KernelTask } from '../steps.js';

/**
 * The compressed form of ceremonies: x big-endian, c1 before c0. Bits of its first byte: y is the larger of the two
 * roots; or the point is infinite.
 */
const LARGER = 0x80;
const INFINITE = 0x40;

/** Writes finite points of the boundary form in compressed form. */
export function compressInto(target: Uint8Array, curve: CurveId, group: GroupId, points: Uint8Array): void {
  const half = halfOfModulus(curve);
  const size = pointBytes(curve, group) / 2;
  for (let x = 0, to = 0; x < points.length; x += 2 * size, to += size) {
    for (let i = 0; i < size; i++) target[to + i] = points[x + size - 1 - i]!;
    if (isLarger(points, x + size, x + 2 * size, half)) target[to]! |= LARGER;
  }
}

export interface DecompressPointsArgs {
  readonly group: GroupId;
  /** Finite points in compressed form. */
  readonly compressed: Uint8Array;
  /** What the points are, and the number of the first, in messages. */
  readonly what: string;
  readonly first: number;
  /** The curve's compiled module of square roots. */
  readonly module: WebAssembly.Module;
}

/**
 * Points of ceremonies from their compressed form, as a .ptau file has them. `INVALID_POINT` names the first that is
 * infinite, or whose x is not below p or belongs to no point of the curve.
 */
export async function decompressPoints(
  instance: WholeInstance,
  { group, compressed, what, first, module }: DecompressPointsArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { curve } = instance;
  const { coordinateBytes, fq } = CURVES[curve];
  const size = pointBytes(curve, group);
  const count = countOf(compressed, size / 2, 'compressed points');
  const roots = await RootKernel.of(instance, module);
  const xs = compressed.slice();
  for (let i = 0; i < count; i++) {
    const at = (i * size) / 2;
    if (xs[at]! & INFINITE) {
      throw new PippinError('INVALID_POINT', `expected ${what} as finite points, got infinity at ${first + i}`);
    }
    xs[at]! &= ~LARGER;
  }
  reverseCoordinates(xs, size);
  const modulus = bigintToBytes(fq.modulus, coordinateBytes);
  for (let at = 0; at < xs.length; at += coordinateBytes) {
    if (isAbove(modulus, xs.subarray(at, at + coordinateBytes))) continue;
    const index = first + Math.floor(at / (size / 2));
    throw new PippinError('INVALID_POINT', `expected ${what} with an x below p, got a larger one at ${index}`);
  }
  const written = await roots.decompress(
    { group, compressed: roots.toMontgomeryOfCanonical(group, xs), what, first },
    task,
  );
  const canonical = roots.fromMontgomery(group, written);
  const half = halfOfModulus(curve);
  for (let i = 0; i < count; i++) {
    const y = i * size + size / 2;
    const isWanted = isLarger(canonical, y, y + size / 2, half) === (compressed[(i * size) / 2]! & LARGER) > 0;
    if (!isWanted) negate(written.subarray(y, y + size / 2), modulus);
  }
  return written;
}

/** (p - 1) / 2. */
function halfOfModulus(curve: CurveId): Uint8Array {
  const { coordinateBytes, fq } = CURVES[curve];
  return bigintToBytes((fq.modulus - 1n) / 2n, coordinateBytes);
}

/** Whether y is above (p - 1) / 2; over F_p^2 its second coefficient, or the first where that is 0. */
function isLarger(bytes: Uint8Array, from: number, to: number, half: Uint8Array): boolean {
  for (let end = to; end > from; end -= half.length) {
    const coefficient = bytes.subarray(end - half.length, end);
    if (coefficient.every((byte) => byte === 0)) continue;
    return isAbove(coefficient, half);
  }
  return false;
}

/** Whether a little-endian number is above another one. */
function isAbove(number: Uint8Array, bound: Uint8Array): boolean {
  for (let i = bound.length - 1; i >= 0; i--) if (number[i] !== bound[i]) return number[i]! > bound[i]!;
  return false;
}

/** p - c for each coefficient c that is not 0, in place. */
function negate(element: Uint8Array, modulus: Uint8Array): void {
  for (let at = 0; at < element.length; at += modulus.length) {
    const coefficient = element.subarray(at, at + modulus.length);
    if (coefficient.every((byte) => byte === 0)) continue;
    let borrow = 0;
    for (let i = 0; i < modulus.length; i++) {
      const difference = modulus[i]! - coefficient[i]! - borrow;
      borrow = difference < 0 ? 1 : 0;
      coefficient[i] = difference;
    }
  }
}
