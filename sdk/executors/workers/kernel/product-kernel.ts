import { PippinError } from '../../../base/errors.js';
import { pointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type GroupId, pointBytes } from '../../../curves/index.js';
import { countOf, expectGroup, type WholeInstance } from './kernel-instance.js';
import { LOAD_CHUNK, loadPrepared } from './load-prepared.js';
import { BucketMethod } from './msm/bucket-method.js';
import { pointKernel } from './point-kernel.js';
import type { KernelTask } from './steps.js';

/** Points and as many scalars. */
export interface ProductsArgs {
  readonly group: GroupId;
  /** Affine in the boundary form, finite, and in G1 of a curve with an endomorphism in the subgroup. */
  readonly points: Uint8Array;
  readonly scalars: Uint8Array;
}

/** A kernel's method for a multi-scalar multiplication over points that are used once. */
export function productKernel(instance: WholeInstance) {
  const { curve, memory } = instance;
  const { scalarBytes } = CURVES[curve];
  const { prepareBases } = pointKernel(instance);

  return {
    /** sum k_i P_i, by buckets. `INVALID_POINT` for a point that is not on the curve. */
    async sumProducts({ group: id, points, scalars }: ProductsArgs, task?: KernelTask): Promise<Uint8Array> {
      const group = expectGroup(instance, id);
      const [bytes, preparedBytes] = [pointBytes(curve, id), preparedPointBytes(curve, id)];
      const count = countOf(scalars, scalarBytes, 'scalars');
      const args = { group: id, form: pointForm(curve, id), encoding: 'canonical', points } as const;
      const prepared = await prepareBases(args, task);
      if (points.length !== count * bytes || prepared.kept !== count) {
        throw new PippinError('INVALID_LENGTH', `expected ${count} finite points, as scalars, got ${prepared.kept}`);
      }
      return memory.scope(async (allocate) => {
        const at = allocate(count * group.baseSize());
        const packed = allocate(Math.min(count, LOAD_CHUNK) * preparedBytes);
        loadPrepared(memory, group, { points: prepared.points, bytes: preparedBytes, packed, target: at });
        const scalarsAt = allocate(scalars.length);
        memory.write(scalarsAt, scalars);
        const [sum, target] = [allocate(group.sumSize()), allocate(bytes)];
        group.setIdentity(sum);
        const bases = { at, stride: 0, plan: undefined };
        await new BucketMethod(instance, id, allocate, task).addProducts(bases, scalarsAt, count, undefined, sum);
        group.storeAffine(target, sum);
        return memory.read(target, bytes);
      });
    },
  };
}
