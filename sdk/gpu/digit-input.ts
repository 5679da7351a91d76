import { SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { type Job, U32_BYTES } from './stage.js';

/** Where the digits come from. */
export interface DigitInput {
  /** Whether `upload` brings scalars, which the GPU then cuts into digits, or the digits themselves. */
  readonly brings: 'scalars' | 'digits';
  /** Brings what belongs to the job's points `from` to `to` - 1. */
  upload(job: Job, from: number, to: number): Promise<void>;
}

/**
 * Digits that are cut elsewhere: those of the scalars `from` to `to` - 1, in the form of `KernelApi.cutDigits`. Asked for
 * once for each pass over the points, in their order.
 */
export type DigitSource = (windowBits: number, from: number, to: number) => Promise<Uint32Array>;

/** Points of one upload: 4 MiB of scalars, so that the GPU works on the first while the next are on their way. */
export const SLICE_POINTS = 2 ** 17;

/** Writes to a buffer on the GPU; rejects with what WebGPU finds wrong with it. */
type Write = (byteOffset: number, data: Uint8Array | Uint32Array) => Promise<void>;

/** Input of 32-byte canonical scalars; `write` writes to the buffer `scalars`. */
export function scalarInput(scalars: Uint8Array, write: Write): DigitInput {
  return {
    brings: 'scalars',
    upload({ firstPoint }, from, to) {
      const slice = scalars.subarray((firstPoint + from) * SCALAR_BYTES, (firstPoint + to) * SCALAR_BYTES);
      return write(from * SCALAR_BYTES, slice);
    },
  };
}

/** Input of digits from elsewhere; `write` writes to the buffer `digits`. */
export function digitInput(source: DigitSource, write: Write): DigitInput {
  return {
    brings: 'digits',
    async upload({ plan, firstWindow, windows, firstPoint, points }, from, to) {
      const digits = await source(plan.windowBits, firstPoint + from, firstPoint + to);
      const count = to - from;
      if (digits.length !== count * plan.windows) {
        throw new PippinError(
          'INVALID_LENGTH',
          `expected ${count * plan.windows} digits of ${count} scalars, got ${digits.length}`,
        );
      }
      const rows = Array.from({ length: windows }, (_, w) => {
        const row = digits.subarray((firstWindow + w) * count, (firstWindow + w + 1) * count);
        return write((w * points + from) * U32_BYTES, row);
      });
      await Promise.all(rows);
    },
  };
}
