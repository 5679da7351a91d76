import { randomBytes } from '../../../../curves/random.js';
import type { WindowDigits } from '../msm/signed-digits.js';
import { addWindows } from '../msm/window-sums.js';
import type { Workspace } from '../msm/workspace.js';
import { SIGN } from './point-pairs.js';

/**
 * Windows of weights. A digit is from 1 to `buckets`, or the opposite of such a number: there are (2 buckets)^windows
 * weights, at least 2^40. As `addWindows` takes them, buckets fill a table of 2^floor(log2(buckets) / 2) columns.
 */
const CHOICES = [
  { windows: 3, buckets: 5184 },
  { windows: 4, buckets: 512 },
  { windows: 5, buckets: 128 },
] as const;
/** Additions for each bucket, beside one for each point. */
const BUCKET_COST = 1.2;

/**
 * A random weight for each of `count` points, below 2^44 in absolute value. Weights are drawn digit by digit, as many
 * digits of 40 random bits in all as make an MSM take the fewest additions. No two weights are the same number modulo
 * r, and none has more than a chance of 2^-40.
 *
 * So if any of some points of prime order r is not infinity, their MSM with weights drawn afterwards is infinity with
 * a probability of at most 2^-40: given the other weights, a single value of this one makes it so.
 */
export class RandomWeights implements WindowDigits {
  readonly windows: WindowDigits['windows'];
  private readonly digits: Uint32Array;

  constructor(
    private readonly workspace: Workspace,
    readonly count: number,
  ) {
    const cost = (some: (typeof CHOICES)[number]): number => some.windows * (count + BUCKET_COST * some.buckets);
    const { windows, buckets } = CHOICES.reduce((best, some) => (cost(some) < cost(best) ? some : best));
    this.windows = {
      parts: 1,
      // So wide that digits of either sign are told apart.
      bits: Math.ceil(Math.log2(2 * buckets + 1)),
      buckets: Array.from({ length: windows }, () => buckets),
      rows: windows,
    };
    const digits = new Uint32Array(randomBytes(4 * windows * count).buffer);
    for (let i = 0; i < digits.length; i++) {
      // Each of 2 buckets values with a chance of 1 / (2 buckets), but for 2^-32.
      const value = Math.floor((digits[i]! * 2 * buckets) / 2 ** 32);
      digits[i] = (value >> 1) + 1 + (value & 1 ? SIGN : 0);
    }
    this.digits = digits;
  }

  async cut(window: number, _part: number, target: number): Promise<void> {
    const { count, digits, workspace } = this;
    workspace.memory.viewUint32(target, count).set(digits.subarray(window * count, (window + 1) * count));
  }

  /** The MSM of points, given by the address of their references, as an affine point of `bytes` bytes. */
  async sum(references: number, bytes: number): Promise<Uint8Array> {
    const { memory, group } = this.workspace;
    return memory.scope(async (allocate) => {
      const [sum, target] = [allocate(group.sumSize()), allocate(bytes)];
      group.setIdentity(sum);
      if (this.count > 0) await addWindows({ ...this.workspace, allocate }, undefined, [references], this, sum);
      group.storeAffine(target, sum);
      return memory.read(target, bytes);
    });
  }
}
