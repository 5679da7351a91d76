import { SCALAR_BYTES } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { type Job, U32_BYTES } from '../runtime/stage.js';
import { CHUNK_BYTES } from '../runtime/staging.js';
import type { Write } from '../runtime/submitter.js';
import type { DigitsFrom } from './digit-stage.js';

/** What the digits come from, and how it is brought to the GPU. */
export interface DigitInput {
  readonly digitsFrom: DigitsFrom;
  /** Brings what belongs to the scalars `from` to `to` - 1 of the job. */
  upload(job: Job, from: number, to: number, write: Write): Promise<void>;
}

/**
 * Digits that are cut elsewhere: those of the scalars `from` to `to` - 1, in the form of the kernel's `cutDigits`. Asked for
 * once for each pass over the points, in their order.
 */
export type DigitSource = (windowBits: number, from: number, to: number) => Promise<Uint32Array>;

/** Scalars of one upload: a chunk of them, so that the GPU works on the first while the next are on their way. */
export const SLICE_SCALARS = CHUNK_BYTES / SCALAR_BYTES;

/** The number of a job's first scalar among all. */
function firstScalar({ plan, firstOfBatch, firstPoint }: Job): number {
  return firstOfBatch * plan.points + firstPoint;
}

/** Input of 32-byte canonical scalars. */
export function scalarInput(scalars: Uint8Array): DigitInput {
  return {
    digitsFrom: 'scalars',
    async upload(job, from, to, write) {
      const first = firstScalar(job);
      const slice = scalars.subarray((first + from) * SCALAR_BYTES, (first + to) * SCALAR_BYTES);
      await write('source', from * SCALAR_BYTES, slice);
    },
  };
}

/** Input of digits from elsewhere. */
export function digitInput(source: DigitSource): DigitInput {
  return {
    digitsFrom: 'digits',
    async upload(job, from, to, write) {
      // The digits of a window lie together for each multiplication: no slice goes over two of them.
      for (let start = from; start < to; ) {
        const stop = Math.min(to, start - (start % job.points) + job.points);
        await writeDigits(source, job, start, stop, write);
        start = stop;
      }
    },
  };
}

async function writeDigits(source: DigitSource, job: Job, from: number, to: number, write: Write): Promise<void> {
  const { plan, points, firstWindow, windows } = job;
  const first = firstScalar(job);
  const digits = await source(plan.windowBits, first + from, first + to);
  const count = to - from;
  if (digits.length !== count * plan.windows) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected ${count * plan.windows} digits of ${count} scalars, got ${digits.length}`,
    );
  }
  const firstRow = Math.floor(from / points) * windows;
  for (let w = 0; w < windows; w++) {
    const row = digits.subarray((firstWindow + w) * count, (firstWindow + w + 1) * count);
    await write('source', ((firstRow + w) * points + (from % points)) * U32_BYTES, row);
  }
}
