import { bigintToBytes } from '../../../../base/bytes.js';
import { windowBias } from '../../../../bases/digits.js';
import type { EndomorphismExports, MsmExports } from '../exports.js';
import type { Steps } from '../steps.js';
import type { Windows } from './windows.js';
import type { ScalarsWorkspace } from './workspace.js';

/** Some of the terms k_i P_i of a multiplication, as lists of u32 at addresses in the kernel's memory. */
export interface Terms {
  /** References to the points. */
  readonly references: number;
  /** The indices of their scalars. */
  readonly numbers: number;
  readonly count: number;
}

/** What an MSM takes each window's digits from. */
export interface WindowDigits {
  readonly count: number;
  readonly windows: Omit<Windows, 'scalarBytes'>;
  /** Writes the digits of one window and part, `count` u32: the absolute value in the low 31 bits, the sign above. */
  cut(window: number, part: number, target: number): Promise<void>;
}

/** Scalars that one call into WASM splits, or cuts a digit of: well under a millisecond's work. */
const SPLIT_CHUNK = 1 << 13;
const CUT_CHUNK = 1 << 16;

/**
 * Scalars from which signed digits are cut, one window at a time. 2^(c-1) is added to every window but the highest
 * once, and subtracted from each digit when it is cut, so that no carries are passed on (see addBias in
 * wasm/msm/digits.ts).
 */
export class SignedDigits implements WindowDigits {
  private constructor(
    private readonly exports: MsmExports,
    private readonly steps: Steps,
    private readonly numbers: number,
    readonly count: number,
    readonly windows: Windows,
  ) {}

  /**
   * Prepares the scalars that the terms name, which are in ascending order. All scalars at the address `scalars` are
   * overwritten.
   */
  static async of(
    { exports, memory, steps }: ScalarsWorkspace,
    split: EndomorphismExports | undefined,
    scalars: number,
    { numbers: list, count }: Terms,
    windows: Windows,
  ): Promise<SignedDigits> {
    await memory.scope((allocate) => {
      const { scalarBytes } = windows;
      const bias = allocate(scalarBytes);
      memory.write(bias, bigintToBytes(biasOf(windows), scalarBytes));
      const prepare = (from: number, to: number): void => {
        if (split === undefined) exports.scalars_gather(scalars, list, from, to);
        else split.splitScalars(scalars, list, from, to);
        exports.scalars_addBias(scalars, from, to, bias);
      };
      return steps.run(count, SPLIT_CHUNK, prepare, 0);
    });
    return new SignedDigits(exports, steps, scalars, count, windows);
  }

  cut(window: number, part: number, target: number): Promise<void> {
    const { scalarBytes, parts, bits, buckets } = this.windows;
    const size = scalarBytes / parts;
    const numbers = this.numbers + part * size;
    const isHighest = window === buckets.length - 1;
    // A half's highest bit is its sign, which no digit reaches: the generator of the splitting checks that.
    const room = parts === 1 ? 8 * size : 8 * size - 1;
    const width = isHighest ? Math.min(Math.log2(buckets[window]!) + 1, room - window * bits) : bits;
    const bias = isHighest ? 0 : 2 ** (bits - 1);
    const cut = (from: number, to: number) =>
      this.exports.scalars_cutWindow(numbers, size, from, to, window * bits, width, bias, target);
    return this.steps.run(this.count, CUT_CHUNK, cut, 0);
  }
}

/** The number that has 2^(c-1) in every window but the highest, for each part. */
function biasOf({ scalarBytes, parts, bits, buckets }: Windows): bigint {
  const bias = windowBias(2 ** (bits - 1), bits, buckets.length);
  return parts === 1 ? bias : bias + (bias << BigInt(4 * scalarBytes));
}
