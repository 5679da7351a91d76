import { newBytes } from '../../../../base/bytes.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { type GroupId, pointBytes, SCALAR_BYTES } from '../../../../curves/index.js';
import { reverseCoordinates } from '../../../../curves/point-bytes.js';
import { countOf, type WholeInstance } from '../kernel-instance.js';
import type { Allocate } from '../memory.js';
import { RootKernel } from '../root-kernel.js';
import { type KernelTask, Steps } from '../steps.js';
import { SIGN } from './point-pairs.js';
import { BATCH, PointRows } from './point-rows.js';
import { RowKernel } from './row-kernel.js';
import { EachScaledBatch, UNITS } from './scale-each.js';

export interface PointButterfliesArgs {
  readonly group: GroupId;
  /** Prepared points of the subgroup of prime order, or zeros for infinity: all a_i, then all b_i. */
  readonly points: Uint8Array;
  /** A canonical factor from 1 to r - 1 for each pair, or nothing if all are 1. */
  readonly factors: Uint8Array;
  /** The curve's compiled modules: of square roots, and of rows of points. */
  readonly module: WebAssembly.Module;
  readonly rows: WebAssembly.Module;
}

/** The butterflies of an NTT over points: all a_i + w_i b_i, then all a_i - w_i b_i, prepared or zeros. */
export async function pointButterflies(
  instance: WholeInstance,
  { group, points, factors, module, rows }: PointButterfliesArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { curve, memory } = instance;
  const bytes = preparedPointBytes(curve, group);
  const count = countOf(points, 2 * bytes, 'pairs of prepared points');
  const roots = await RootKernel.of(instance, module);
  const result = newBytes(points.length);
  const kernel = await RowKernel.of(instance, rows);
  const steps = new Steps(task, UNITS * count);
  const compute = async (allocate: Allocate, allocateRows: Allocate): Promise<void> => {
    const table = new PointRows(kernel, group, allocateRows, bytes, 2);
    const batch = new ButterflyBatch(instance, group, allocate, { batch: table, roots, steps });
    batch.allocateOperands(allocate);
    for (let from = 0; from < count; from += BATCH) {
      const to = Math.min(count, from + BATCH);
      const part = (of: Uint8Array, first: number): Uint8Array =>
        of.subarray((first + from) * bytes, (first + to) * bytes);
      const own = factors.subarray(from * SCALAR_BYTES, to * SCALAR_BYTES);
      const [sums, differences] = await batch.run(part(points, 0), part(points, count), own);
      result.set(sums, from * bytes);
      result.set(differences, (count + from) * bytes);
    }
  };
  await memory.scope((allocate) => kernel.memory.scope((allocateRows) => compute(allocate, allocateRows)));
  return result;
}

class ButterflyBatch extends EachScaledBatch {
  private operands = 0;
  private sums = 0;
  private factors = 0;

  allocateOperands(allocate: Allocate): void {
    const row = BATCH * this.group.baseSize();
    [this.operands, this.sums] = [allocate(2 * row), allocate(row)];
    this.factors = allocate(BATCH * SCALAR_BYTES);
  }

  async run(a: Uint8Array, b: Uint8Array, factors: Uint8Array): Promise<readonly [Uint8Array, Uint8Array]> {
    const count = a.length / this.packedBytes;
    const numbers = Array.from({ length: count }, (_, i) => i);
    const hasPoint = (points: Uint8Array) => (i: number) => !isZero(this.pointOf(points, i));
    const finite = numbers.filter(hasPoint(b));
    const hasFactor = (i: number): boolean => factors.length > 0 && !isOne(factors, i * SCALAR_BYTES);
    const scaled = finite.filter(hasFactor);
    const products = await this.products(b, factors, scaled);
    const firsts = this.loadSome(a, numbers.filter(hasPoint(a)), this.operands);
    const plain = finite.filter((i) => !hasFactor(i));
    const seconds = this.loadSome(b, plain, this.operands + BATCH * this.group.baseSize());
    for (const [i, at] of products) seconds.set(i, at);
    return [this.combined(count, firsts, seconds, 0), this.combined(count, firsts, seconds, SIGN)];
  }

  /** The products of the points with these numbers: their addresses. */
  private async products(points: Uint8Array, factors: Uint8Array, numbers: number[]): Promise<Map<number, number>> {
    if (numbers.length === 0) return new Map();
    const { memory } = this.instance;
    for (const [k, i] of numbers.entries()) {
      memory.write(this.factors + k * SCALAR_BYTES, factors.subarray(i * SCALAR_BYTES, (i + 1) * SCALAR_BYTES));
    }
    const sums = await this.scale(this.gathered(points, numbers), this.factors);
    return new Map(numbers.map((i, k) => [i, sums + k * this.group.baseSize()]));
  }

  private loadSome(points: Uint8Array, numbers: readonly number[], target: number): Map<number, number> {
    this.load(this.gathered(points, numbers), target);
    return new Map(numbers.map((i, k) => [i, target + k * this.group.baseSize()]));
  }

  /** a_i + b_i, or a_i - b_i with the sign: prepared or zeros. Operands without an address are infinite. */
  private combined(
    count: number,
    firsts: ReadonlyMap<number, number>,
    seconds: ReadonlyMap<number, number>,
    sign: number,
  ): Uint8Array {
    const { memory } = this.instance;
    const size = this.group.baseSize();
    const target = this.sums;
    memory.clear(target, count * size);
    for (let i = 0; i < count; ) {
      let end = i;
      while (end < count && firsts.has(end) && seconds.has(end)) end++;
      const from = i;
      if (end > from) {
        this.addPairs(target + from * size, 2 * (end - from), (entries) => {
          for (let k = from; k < end; k++) {
            entries[2 * (k - from)] = firsts.get(k)! / 8;
            entries[2 * (k - from) + 1] = seconds.get(k)! / 8 + sign;
          }
        });
        i = end;
        continue;
      }
      const [first, second] = [firsts.get(i), seconds.get(i)];
      const only = first === undefined ? second && second / 8 + sign : first / 8;
      if (only !== undefined) this.addPairs(target + i * size, 1, (entries) => entries.set([only]));
      i++;
    }
    return this.stored(target, count);
  }

  /** Points as they are prepared, with zeros for those that are infinite. */
  private stored(points: number, count: number): Uint8Array {
    const { memory } = this.instance;
    const size = this.group.baseSize();
    const infinite: number[] = [];
    let finite = -1;
    for (let i = 0; i < count; i++) {
      if (isZero(memory.view(points + i * size, size))) infinite.push(i);
      else finite = i;
    }
    if (finite < 0) return newBytes(count * this.packedBytes);
    for (const i of infinite) memory.copy(points + i * size, points + finite * size, size);
    const stored = this.store(points, count).slice();
    for (const i of infinite) this.pointOf(stored, i).fill(0);
    return stored;
  }

  private pointOf(points: Uint8Array, i: number): Uint8Array {
    return points.subarray(i * this.packedBytes, (i + 1) * this.packedBytes);
  }

  private gathered(points: Uint8Array, numbers: readonly number[]): Uint8Array {
    const bytes = newBytes(numbers.length * this.packedBytes);
    for (const [k, i] of numbers.entries()) bytes.set(this.pointOf(points, i), k * this.packedBytes);
    return bytes;
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function isOne(scalars: Uint8Array, at: number): boolean {
  return scalars[at] === 1 && scalars.subarray(at + 1, at + SCALAR_BYTES).every((byte) => byte === 0);
}

export interface WritePointsArgs {
  readonly group: GroupId;
  /** Finite points or zeros: prepared, for a .ptau file; or as in such a file, for a hash. */
  readonly points: Uint8Array;
  readonly to: 'ptau' | 'hash';
  readonly module: WebAssembly.Module;
}

/** Points as a .ptau file has them, or as ceremonies hash them: canonical and big-endian, c1 before c0. */
export async function writePoints(
  instance: WholeInstance,
  { group, points, to, module }: WritePointsArgs,
): Promise<Uint8Array> {
  const roots = await RootKernel.of(instance, module);
  if (to === 'ptau') return roots.toMontgomery(group, points);
  const canonical = roots.fromMontgomery(group, points);
  reverseCoordinates(canonical, pointBytes(instance.curve, group));
  return canonical;
}
