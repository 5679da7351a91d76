import { SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { type Job, U32_BYTES } from './stage.js';
import type { Write } from './submitter.js';

/** Where the digits come from. */
export interface DigitInput {
  /** Whether `upload` brings scalars, which the GPU then cuts into digits, or the digits themselves. */
  readonly brings: 'scalars' | 'digits';
  /** Brings what belongs to the job's points `from` to `to` - 1. */
  upload(job: Job, from: number, to: number, write: Write): void | Promise<void>;
}

/**
 * Digits that are cut elsewhere: those of the scalars `from` to `to` - 1, in the form of `KernelApi.cutDigits`. Asked for
 * once for each pass over the points, in their order.
 */
export type DigitSource = (windowBits: number, from: number, to: number) => Promise<Uint32Array>;

/** Points of one upload: 4 MiB of scalars, so that the GPU works on the first while the next are on their way. */
export const SLICE_POINTS = 2 ** 17;

/** Input of 32-byte canonical scalars. */
export function scalarInput(scalars: Uint8Array): DigitInput {
  return {
    brings: 'scalars',
    upload({ firstPoint }, from, to, write) {
      const slice = scalars.subarray((firstPoint + from) * SCALAR_BYTES, (firstPoint + to) * SCALAR_BYTES);
      write('scalars', from * SCALAR_BYTES, slice);
    },
  };
}

/** Input of digits from elsewhere. */
export function digitInput(source: DigitSource): DigitInput {
  return {
    brings: 'digits',
    async upload({ plan, firstWindow, windows, firstPoint, points }, from, to, write) {
      const digits = await source(plan.windowBits, firstPoint + from, firstPoint + to);
      const count = to - from;
      if (digits.length !== count * plan.windows) {
        throw new PippinError(
          'INVALID_LENGTH',
          `expected ${count * plan.windows} digits of ${count} scalars, got ${digits.length}`,
        );
      }
      for (let w = 0; w < windows; w++) {
        const row = digits.subarray((firstWindow + w) * count, (firstWindow + w + 1) * count);
        write('digits', (w * points + from) * U32_BYTES, row);
      }
    },
  };
}
