import { bigintToBytes, newBytes } from '../../../../base/bytes.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { type GroupId, pointBytes, SCALAR_BYTES } from '../../../../curves/index.js';
import { elementExports } from '../element-exports.js';
import { countOf, type WholeInstance } from '../kernel-instance.js';
import type { Allocate } from '../memory.js';
import { RootKernel } from '../root-kernel.js';
import { type KernelTask, Steps } from '../steps.js';
import { compressInto } from './compressed-points.js';
import { BATCH, PointRows } from './point-rows.js';
import { RowKernel } from './row-kernel.js';
import { EachScaledBatch, UNITS } from './scale-each.js';

export interface ScaleByPowersArgs {
  readonly group: GroupId;
  /** Prepared points of the subgroup of prime order. */
  readonly points: Uint8Array;
  /** Point i is multiplied by first ratio^(from + i). Both are from 1 to r - 1, canonical. */
  readonly first: Uint8Array;
  readonly ratio: Uint8Array;
  readonly from: number;
  /**
   * The curve's compiled modules: of square roots, which also writes points in other forms, of rows of points, and of
   * vectors.
   */
  readonly module: WebAssembly.Module;
  readonly rows: WebAssembly.Module;
  readonly elements: WebAssembly.Module;
}

/**
 * Each point times the next power of a number: affine as in a .ptau file (coordinates times R mod p), and behind all of
 * them once more in compressed form, as ceremonies hash them: x big-endian, c1 before c0, and the sign of y.
 */
export async function scaleByPowers(
  instance: WholeInstance,
  { group, points, first, ratio, from, module, rows: rowModule, elements }: ScaleByPowersArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { curve, memory } = instance;
  const { elements_scaleByPowers: multiply } = await elementExports(instance, elements);
  const [packedBytes, bytes] = [preparedPointBytes(curve, group), pointBytes(curve, group)];
  const count = countOf(points, packedBytes, 'prepared points');
  const roots = await RootKernel.of(instance, module);
  const result = newBytes(count * (bytes + bytes / 2));
  const kernel = await RowKernel.of(instance, rowModule);
  const steps = new Steps(task, UNITS * count);
  const scale = async (allocate: Allocate, allocateRows: Allocate): Promise<void> => {
    const rows = new PointRows(kernel, group, allocateRows, packedBytes, 2);
    const batch = new ByPowersBatch(instance, group, allocate, { batch: rows, roots, steps });
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
  };
  await memory.scope((allocate) => kernel.memory.scope((allocateRows) => scale(allocate, allocateRows)));
  return result;
}

class ByPowersBatch extends EachScaledBatch {
  async products(points: Uint8Array, scalars: number): Promise<Uint8Array> {
    return this.store(await this.scale(points, scalars), points.length / this.packedBytes);
  }
}
