import { bigintToBytes, newBytes } from '../../../../base/bytes.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, pointBytes, SCALAR_BYTES } from '../../../../curves/index.js';
import { countOf, expectPart, type WholeInstance } from '../kernel-instance.js';
import { RootKernel } from '../root-kernel.js';
import { type KernelTask, Steps } from '../steps.js';
import { BATCH } from './point-batch.js';
import { EachScaledBatch, UNITS } from './scale-each.js';

export interface ScaleByPowersArgs {
  readonly group: GroupId;
  /** Prepared points of the subgroup of prime order. */
  readonly points: Uint8Array;
  /** Point i is multiplied by first ratio^(from + i). Both are from 1 to r - 1, canonical. */
  readonly first: Uint8Array;
  readonly ratio: Uint8Array;
  readonly from: number;
  /** The curve's compiled module of square roots, which also writes points in other forms. */
  readonly module: WebAssembly.Module;
}

/** A bit of the first byte of a compressed point: y is the larger of the two roots. */
const LARGER = 0x80;

/**
 * Each point times the next power of a number: affine as in a .ptau file (coordinates times R mod p), and behind all of
 * them once more in compressed form, as ceremonies hash them: x big-endian, c1 before c0, and the sign of y.
 */
export async function scaleByPowers(
  instance: WholeInstance,
  { group, points, first, ratio, from, module }: ScaleByPowersArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { curve, memory } = instance;
  const { elements_scaleByPowers: multiply } = expectPart(curve, 'elements', instance.elements);
  const [packedBytes, bytes] = [preparedPointBytes(curve, group), pointBytes(curve, group)];
  const count = countOf(points, packedBytes, 'prepared points');
  const roots = await RootKernel.of(instance, module);
  const result = newBytes(count * (bytes + bytes / 2));
  await memory.scope(async (allocate) => {
    const batch = new ByPowersBatch(instance, group, allocate, roots, new Steps(task, UNITS * count));
    const [scalars, power, base] = [allocate(BATCH * SCALAR_BYTES), allocate(SCALAR_BYTES), allocate(SCALAR_BYTES)];
    const one = bigintToBytes(1n, SCALAR_BYTES);
    memory.write(power, first);
    memory.write(base, ratio);
    // first ratio^from, by squares of the ratio.
    for (let rest = from; rest > 0; rest = Math.floor(rest / 2)) {
      memory.write(scalars, one);
      if (rest % 2 === 1) multiply(scalars, 1, power, base);
      memory.write(scalars, one);
      memory.copy(scalars + SCALAR_BYTES, base, SCALAR_BYTES);
      multiply(scalars, 1, base, scalars + SCALAR_BYTES);
    }
    memory.write(base, ratio);
    for (let at = 0; at < count; at += BATCH) {
      const some = Math.min(BATCH, count - at);
      for (let i = 0; i < some; i++) memory.write(scalars + i * SCALAR_BYTES, one);
      multiply(scalars, some, power, base);
      const packed = await batch.products(points.subarray(at * packedBytes, (at + some) * packedBytes), scalars);
      result.set(roots.toMontgomery(group, packed), at * bytes);
      const target = result.subarray(count * bytes + (at * bytes) / 2);
      compressInto(target, curve, group, roots.toCanonical(group, packed));
    }
  });
  return result;
}

class ByPowersBatch extends EachScaledBatch {
  async products(points: Uint8Array, scalars: number): Promise<Uint8Array> {
    return this.store(await this.scale(points, scalars), points.length / this.packedBytes, this.packedBytes);
  }
}

/** Writes finite points of the boundary form in compressed form. */
function compressInto(target: Uint8Array, curve: CurveId, group: GroupId, points: Uint8Array): void {
  const { coordinateBytes, fq } = CURVES[curve];
  const half = bigintToBytes((fq.modulus - 1n) / 2n, coordinateBytes);
  const size = pointBytes(curve, group) / 2;
  for (let x = 0, to = 0; x < points.length; x += 2 * size, to += size) {
    for (let i = 0; i < size; i++) target[to + i] = points[x + size - 1 - i]!;
    if (isLarger(points, x + size, x + 2 * size, half)) target[to]! |= LARGER;
  }
}

/** Whether y is above (p - 1) / 2; over F_p^2 its second coefficient, or the first where that is 0. */
function isLarger(bytes: Uint8Array, from: number, to: number, half: Uint8Array): boolean {
  for (let end = to; end > from; end -= half.length) {
    const coefficient = bytes.subarray(end - half.length, end);
    if (coefficient.every((byte) => byte === 0)) continue;
    for (let i = half.length - 1; i >= 0; i--) if (coefficient[i] !== half[i]) return coefficient[i]! > half[i]!;
    return false;
  }
  return false;
}
