import { bigintToBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { windowBias } from '../../../bases/digits.js';
import { type PointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../../curves/index.js';
import { packedWords } from '../../../curves/limbs.js';
import {
  type BatchScalars,
  countOf,
  countOfBatch,
  expectForm,
  expectGroup,
  type WholeInstance,
  writeBatch,
} from './kernel-instance.js';
import { LOAD_CHUNK, loadPrepared } from './load-prepared.js';
import { BucketMethod } from './msm/bucket-method.js';
import { type KernelTask, Steps } from './steps.js';

/** Scalars whose digits are weighted by one call into WASM: about a millisecond's work. */
const WEIGHT_CHUNK = 1 << 12;
const WORD_BYTES = 4;
/** Bytes of a limb of a weight, and of a weight of a row. */
const LIMB_BYTES = 4;
const ROW_WEIGHT_BYTES = 8;

/** Bytes of a check scalar: short ones have 73 bits (`SHORT_CHECK_BITS`). */
export function checkScalarBytes(curve: CurveId, reduced: boolean): number {
  return reduced ? CURVES[curve].scalarBytes : 3 * WORD_BYTES;
}

export interface CheckScalarsArgs extends BatchScalars {
  readonly batch: number;
  readonly windowBits: number;
  /** Windows of each scalar. */
  readonly windows: number;
  /** Whether a scalar s above half the order r is cut as r - s, with the opposite digits; by default it is not. */
  readonly isCentred?: boolean;
  /** `limbs` u32 for each window of each multiplication, lowest first. */
  readonly weights: Uint8Array;
  readonly limbs: number;
  /** Whether the results are reduced below the group's order, and of full length. */
  readonly reduced: boolean;
  /** The key of 16 bytes from which the masks follow, and the number of the first point. */
  readonly key: Uint8Array;
  readonly first: number;
}

export interface MaskSumArgs {
  readonly group: GroupId;
  readonly form: PointForm;
  /** Prepared points. */
  readonly points: Uint8Array;
  readonly key: Uint8Array;
  readonly first: number;
}

export interface CombineRowsArgs {
  readonly group: GroupId;
  readonly form: PointForm;
  /** The bit sums, row after row, each lowest bit first, in the form of `PartialSums`. */
  readonly sums: Uint8Array;
  /** Bits of a row. */
  readonly bits: number;
  /** A u64 below 2^`weightBits` for each row. */
  readonly weights: Uint8Array;
  readonly weightBits: number;
}

/** A kernel's methods for the check of MSMs by a random linear combination (docs/strategies/checked-msm.md). */
export function checkKernel(instance: WholeInstance) {
  const { curve, core, memory } = instance;
  const { fr, fq, scalarBytes } = CURVES[curve];

  return {
    /**
     * For each point its mask, plus the signed digits of its scalars, each times the weight of its window: scalars of
     * `checkScalarBytes`.
     */
    async checkScalars(
      {
        batch,
        windowBits,
        windows,
        isCentred = false,
        weights,
        limbs,
        reduced,
        key,
        first,
        ...given
      }: CheckScalarsArgs,
      task?: KernelTask,
    ): Promise<Uint8Array> {
      const count = countOfBatch(given, batch, scalarBytes);
      const weightBytes = windows * limbs * LIMB_BYTES;
      if (weights.length !== batch * weightBytes) {
        throw new PippinError('INTERNAL', `expected ${batch * weightBytes} bytes of weights, got ${weights.length}`);
      }
      return memory.scope(async (allocate) => {
        const [scalarsAt, weightsAt, keyAt] = [
          allocate(batch * count * scalarBytes),
          allocate(weights.length),
          allocate(key.length),
        ];
        const size = reduced ? core.longAccumulatorSize() : core.shortAccumulatorSize();
        const accumulators = allocate(count * size);
        const [order, bias] = [allocate(scalarBytes), allocate(scalarBytes)];
        writeBatch(memory, scalarsAt, given, batch, count * scalarBytes);
        memory.write(weightsAt, weights);
        memory.write(keyAt, key);
        memory.write(order, bigintToBytes(fr.modulus, scalarBytes));
        memory.write(bias, bigintToBytes(windowBias(2 ** (windowBits - 1) - 1, windowBits, windows), scalarBytes));
        core.setMasks(accumulators, size, count, first, keyAt);
        const signs = isCentred ? allocate(count) : 0;
        const addDigits = reduced ? core.scalars_addDigits : core.scalars_addShortDigits;
        const steps = new Steps(task, batch * count);
        for (let m = 0; m < batch; m++) {
          const own = scalarsAt + m * count * scalarBytes;
          await steps.run(count, WEIGHT_CHUNK, (from, to) => {
            if (isCentred) core.scalars_centre(own, from, to, order, signs);
            if (!reduced) core.scalars_addBias(own, from, to, bias);
            addDigits(
              accumulators + from * size,
              own + from * scalarBytes,
              to - from,
              windowBits,
              windows,
              weightsAt + m * weightBytes,
              isCentred ? signs + from : 0,
            );
          });
        }
        const bytes = count * checkScalarBytes(curve, reduced);
        const target = allocate(bytes);
        if (reduced) core.scalars_storeCheck(accumulators, count, order, target);
        else core.storeShortScalars(accumulators, count, target);
        return memory.read(target, bytes);
      });
    },

    /** The MSM of points and masks: an affine point in the boundary form. */
    async maskSum({ group: id, form, points, key, first }: MaskSumArgs, task?: KernelTask): Promise<Uint8Array> {
      expectForm(instance, id, form);
      const group = expectGroup(instance, id);
      const [baseSize, preparedBytes] = [group.baseSize(), preparedPointBytes(curve, id)];
      const count = countOf(points, preparedBytes, 'prepared points');
      return memory.scope(async (allocate) => {
        const bases = allocate(count * baseSize);
        const packed = allocate(Math.min(count, LOAD_CHUNK) * preparedBytes);
        loadPrepared(memory, group, { points, bytes: preparedBytes, packed, target: bases });
        const keyAt = allocate(key.length);
        memory.write(keyAt, key);
        const size = core.longAccumulatorSize();
        const accumulators = allocate(count * size);
        const [order, scalars] = [allocate(scalarBytes), allocate(count * scalarBytes)];
        memory.write(order, bigintToBytes(fr.modulus, scalarBytes));
        core.setMasks(accumulators, size, count, first, keyAt);
        core.scalars_storeCheck(accumulators, count, order, scalars);
        const sum = allocate(group.sumSize());
        group.setIdentity(sum);
        const method = new BucketMethod(instance, id, allocate, task);
        const stride = count * baseSize;
        await method.addProducts({ at: bases, stride, plan: undefined }, scalars, count, undefined, sum);
        const target = allocate(pointBytes(curve, id));
        group.storeAffine(target, sum);
        return memory.read(target, pointBytes(curve, id));
      });
    },

    /**
     * The random linear combination of the rows: an affine point in the boundary form. undefined if one of the bit sums
     * is not on the curve: the group law does not hold for it.
     */
    async combineRows({
      group: id,
      form,
      sums,
      bits,
      weights,
      weightBits,
    }: CombineRowsArgs): Promise<Uint8Array | undefined> {
      expectForm(instance, id, form);
      const group = expectGroup(instance, id);
      const sumBytes = 4 * 4 * packedWords(fq.bits) * (id === 'g2' ? 2 : 1);
      const count = countOf(sums, sumBytes, 'bit sums');
      const rows = countOf(weights, ROW_WEIGHT_BYTES, 'weights of rows');
      if (count !== rows * bits) {
        throw new PippinError('INTERNAL', `expected ${rows * bits} bit sums, got ${count}`);
      }
      return memory.scope((allocate) => {
        const source = allocate(sums.length);
        memory.write(source, sums);
        for (let i = 0; i < count; i++) {
          if (group.isSumOnCurve(source + i * sumBytes) === 0) return undefined;
        }
        const weightsAt = allocate(weights.length);
        memory.write(weightsAt, weights);
        const scratch = allocate(rows * group.rowSize());
        const target = allocate(pointBytes(curve, id));
        group.combineRows(source, rows, bits, weightsAt, weightBits, scratch, target);
        return memory.read(target, pointBytes(curve, id));
      });
    },
  };
}
