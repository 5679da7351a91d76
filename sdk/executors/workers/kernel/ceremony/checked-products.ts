import { copyBytes, equalBytes, newBytes } from '../../../../base/bytes.js';
import { PippinError } from '../../../../base/errors.js';
import { preparedPointBytes } from '../../../../bases/prepared.js';
import { type GroupId, hasCofactor, pointBytes } from '../../../../curves/index.js';
import { countOf, expectGroup, type WholeInstance } from '../kernel-instance.js';
import { LOAD_CHUNK, loadPrepared } from '../load-prepared.js';
import { type PointEncoding, pointKernel } from '../point-kernel.js';
import { RootKernel } from '../root-kernel.js';
import { type KernelTask, Steps } from '../steps.js';
import { subgroupKernel } from '../subgroup-kernel.js';
import { outsideSubgroup } from './point-rows.js';
import { RandomWeights } from './random-sums.js';

/*
 * What the workers do for a GPU that multiplies points: each slice goes through `pointsToScale` before, and through
 * `checkedProducts` afterwards.
 */

export interface PointsToScaleArgs {
  readonly group: GroupId;
  readonly encoding: PointEncoding;
  /** Points as a file has them. */
  readonly points: Uint8Array;
  /** The number of the first, and the points' name, in messages. */
  readonly firstIndex: number;
  readonly what: string;
}

/**
 * Prepared points, zeros for infinite ones, over a curve in Weierstrass form. `INVALID_POINT` names the first that is
 * not on the curve, and the vector where a point is not in the subgroup of prime order, by the chances of `subsetSums`.
 */
export async function pointsToScale(
  instance: WholeInstance,
  args: PointsToScaleArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { kept, indices, points: finite } = await preparedMembers(instance, args, task);
  if (indices === undefined) return finite;
  const { curve } = instance;
  const { group, points } = args;
  const size = preparedPointBytes(curve, group);
  const all = newBytes(countOf(points, pointBytes(curve, group), 'points') * size);
  for (let i = 0; i < kept; i++) all.set(finite.subarray(i * size, (i + 1) * size), indices[i]! * size);
  return all;
}

/** The finite points, prepared. `INVALID_POINT` as `pointsToScale`. */
async function preparedMembers(
  instance: WholeInstance,
  { group, encoding, points, firstIndex, what }: PointsToScaleArgs,
  task: KernelTask | undefined,
) {
  const given = { group, form: 'weierstrass', encoding, points, firstIndex } as const;
  const prepared = await pointKernel(instance).prepareBases(given, task);
  if (!(await areMembers(instance, group, prepared.points, task))) throw outsideSubgroup(what);
  return prepared;
}

/** Whether prepared points are in the subgroup of prime order. */
async function areMembers(
  instance: WholeInstance,
  group: GroupId,
  points: Uint8Array,
  task: KernelTask | undefined,
): Promise<boolean> {
  const { curve } = instance;
  if (!hasCofactor(curve, group) || points.length === 0) return true;
  const { subsetSums, sumsInSubgroup } = subgroupKernel(instance);
  const sums = await subsetSums({ group, form: 'weierstrass', points }, task);
  return sumsInSubgroup({ group, points: sums, terms: 1 });
}

export interface CheckedProductsArgs {
  readonly group: GroupId;
  /** Prepared points of the subgroup of prime order, zeros for infinite ones. */
  readonly points: Uint8Array;
  /** What the GPU made of them, prepared as they are. */
  readonly products: Uint8Array;
  /** From 1 to r - 1, canonical. */
  readonly scalar: Uint8Array;
  /** The curve's compiled module of square roots, which also writes points as a .zkey has them. */
  readonly module: WebAssembly.Module;
}

/**
 * The products as a .zkey has them. `RESULT_INVALID` unless each is the scalar s times its point P_i: infinite where
 * the point is, otherwise a point Q_i of the subgroup of prime order, and
 *
 *     sum w_i Q_i = s sum w_i P_i
 *
 * for random weights, which wrong products pass with a probability of at most 2^-40.
 */
export async function checkedProducts(
  instance: WholeInstance,
  { group, points, products, scalar, module }: CheckedProductsArgs,
  task: KernelTask | undefined,
): Promise<Uint8Array> {
  const { curve } = instance;
  const size = preparedPointBytes(curve, group);
  const count = countOf(points, size, 'prepared points');
  if (products.length !== points.length) {
    throw new PippinError('INVALID_LENGTH', `expected ${count} products, got ${products.length} bytes`);
  }
  const finite = finitePoints(points, size);
  const finiteProducts = finitePoints(products, size);
  if (finite.length !== finiteProducts.length || finite.some((index, i) => index !== finiteProducts[i])) throw wrong();
  const written = (await RootKernel.of(instance, module)).toMontgomery(group, products);
  await expectMembers(instance, group, written, task);
  const [sum, sumOfProducts] = await randomSums(instance, group, [points, products], finite, task);
  const { combine } = pointKernel(instance);
  if (!equalBytes(await combine({ group, points: sum!, scalars: copyBytes(scalar) }), sumOfProducts!)) throw wrong();
  return written;
}

/** The numbers of the points that are not zeros. */
function finitePoints(points: Uint8Array, size: number): Uint32Array {
  const words = new Uint32Array(points.buffer, points.byteOffset, points.length / 4);
  const each = size / 4;
  const finite = new Uint32Array(words.length / each);
  let found = 0;
  for (let i = 0; i < finite.length; i++) {
    let at = i * each;
    while (at < (i + 1) * each && words[at] === 0) at++;
    if (at < (i + 1) * each) finite[found++] = i;
  }
  return finite.subarray(0, found);
}

/** `RESULT_INVALID` unless points of a .zkey are infinite or in the subgroup of prime order. */
async function expectMembers(
  instance: WholeInstance,
  group: GroupId,
  points: Uint8Array,
  task: KernelTask | undefined,
): Promise<void> {
  const args = { group, encoding: 'montgomery', points, firstIndex: 0, what: 'products' } as const;
  await preparedMembers(instance, args, task).catch((error: unknown) => {
    throw error instanceof PippinError && error.code === 'INVALID_POINT' ? wrong(error) : error;
  });
}

/** The MSM of each vector of prepared points with the same random weights, in the boundary form. */
async function randomSums(
  instance: WholeInstance,
  id: GroupId,
  vectors: readonly Uint8Array[],
  finite: Uint32Array,
  task: KernelTask | undefined,
): Promise<Uint8Array[]> {
  const { curve, core, memory } = instance;
  const group = expectGroup(instance, id);
  const bytes = preparedPointBytes(curve, id);
  const count = vectors[0]!.length / bytes;
  const steps = new Steps(task, 4 * vectors.length * count);
  return memory.scope(async (allocate) => {
    const weights = new RandomWeights({ exports: core, group, memory, allocate, steps }, finite.length);
    const bases = allocate(count * group.baseSize());
    const packed = allocate(Math.min(count, LOAD_CHUNK) * bytes);
    const references = allocate(4 * finite.length);
    // A reference is an address divided by 8.
    const list = finite.map((index) => (bases + index * group.baseSize()) / 8);
    memory.viewUint32(references, list.length).set(list);
    const sums: Uint8Array[] = [];
    for (const points of vectors) {
      loadPrepared(memory, group, { points, bytes, packed, target: bases });
      sums.push(await weights.sum(references, pointBytes(curve, id)));
    }
    return sums;
  });
}

function wrong(cause?: PippinError): PippinError {
  return new PippinError('RESULT_INVALID', "expected the GPU's products of points to be right, got others", { cause });
}
