import { PippinError } from '../../../base/errors.js';
import type { HostScalars, ScalarPieces } from '../../../bases/scalar-vector.js';
import { SCALAR_BYTES } from '../../../curves/index.js';
import type { GpuScalars } from '../gpu-scalars.js';
import { U32_BYTES } from '../runtime/stage.js';
import type { Step, Write } from '../runtime/steps.js';
import type { DigitsFrom } from './plan.js';
import { placeOf } from './plan.js';
import type { ScalarSlice } from './stages/digit-stage.js';
import { gatherStage } from './stages/gather.js';
import type { MsmBuffer } from './stages/msm-stage.js';
import { type PassChunk, windowsOf } from './stages/pass-chunk.js';

/** The source of the digits, and how it gets to the GPU. */
export interface DigitInput {
  readonly digitsFrom: DigitsFrom;
  /** Whether it is on the device already, and its bytes there, which reduce the memory for MSMs. */
  readonly isOnDevice: boolean;
  readonly bytesOnDevice: number;
  /**
   * Words of a scalar in `source`, where these are the source: as many as the curve's scalars have, or fewer for short
   * ones, which are not centred.
   */
  readonly scalarWords: number;
  /** The steps that bring a slice of a chunk's scalars or digits to `source`. */
  bring(slice: ScalarSlice): readonly Step<MsmBuffer>[];
}

/**
 * Digits cut elsewhere, of the scalars `from` to `to` - 1, in the form of the kernel's `cutDigits`. Called for all
 * scalars in order, once per pass over the points. Each result is a separate array, which is overwritten after use.
 */
export type DigitSource = (windowBits: number, from: number, to: number) => Promise<Uint32Array>;

/** Cuts scalars into digits, in the form of the kernel's `cutDigits`. */
export type CutDigits = (
  request: { readonly scalars: Uint8Array; readonly windowBits: number },
  signal?: AbortSignal,
) => Promise<Uint32Array>;

/**
 * Scalars per upload: 4 MiB, a staging chunk on most devices, so that the GPU works on the first while the next are in
 * transit.
 */
export function sliceScalars(scalarBytes: number): number {
  return Math.floor((4 * 2 ** 20) / scalarBytes);
}

/** Bytes that stay in a core's cache between their check and their copy. */
const BLOCK_BYTES = 2 ** 18;

/** The index of a chunk's first scalar among all. */
function firstScalar({ plan, firstOfBatch, firstPoint }: PassChunk): number {
  return firstOfBatch * plan.points + firstPoint;
}

/** Input of canonical scalars. Each slice waits until its own scalars are available. */
export function scalarInput(
  scalars: Uint8Array,
  scalarBytes: number,
  available?: HostScalars['available'],
): DigitInput {
  return {
    digitsFrom: 'scalars',
    isOnDevice: false,
    bytesOnDevice: 0,
    scalarWords: scalarBytes / U32_BYTES,
    bring: ({ chunk, from, to }) => {
      const first = firstScalar(chunk);
      const [begin, end] = [(first + from) * scalarBytes, (first + to) * scalarBytes];
      const run = async (write: Write): Promise<void> => {
        for (let at = begin; at < end; at += BLOCK_BYTES) {
          const block = scalars.subarray(at, Math.min(at + BLOCK_BYTES, end));
          await available?.(at + block.length);
          await write(at - first * scalarBytes, block);
        }
      };
      return [{ kind: 'upload', buffer: 'source', run }];
    },
  };
}

/** Input of canonical scalars of some words each, in pieces of any sizes. */
export function pieceInput({ pieces, scalarBytes }: ScalarPieces): DigitInput {
  return {
    digitsFrom: 'scalars',
    isOnDevice: false,
    bytesOnDevice: 0,
    scalarWords: scalarBytes / U32_BYTES,
    bring: ({ chunk, from, to }) => {
      const first = firstScalar(chunk);
      const run = async (write: Write): Promise<void> => {
        const [begin, end] = [(first + from) * scalarBytes, (first + to) * scalarBytes];
        let at = 0;
        for (const piece of pieces) {
          const own = piece.subarray(Math.max(0, begin - at), Math.max(0, end - at));
          if (own.length > 0) await write(from * scalarBytes + Math.max(0, at - begin), own);
          at += piece.length;
        }
      };
      return [{ kind: 'upload', buffer: 'source', run }];
    },
  };
}

/** Input of scalars that are on the GPU already. */
export function gpuScalarInput(scalars: GpuScalars): DigitInput {
  return { ...sliceInput(scalars, 0), bytesOnDevice: 0 };
}

/** Input of scalars of 32 bytes from a copy on the GPU, from index `first` on. */
export function sliceInput({ elements }: GpuScalars, first: number): DigitInput {
  return {
    digitsFrom: 'scalars',
    isOnDevice: true,
    bytesOnDevice: elements.bytes,
    scalarWords: SCALAR_BYTES / U32_BYTES,
    bring: ({ chunk, from, to }) => {
      const offset = first + firstScalar(chunk);
      return [...elements.parts(offset + from, offset + to)].map((part) => ({
        kind: 'copy',
        source: part.buffer,
        from: part.from * SCALAR_BYTES,
        buffer: 'source',
        to: (part.first - offset) * SCALAR_BYTES,
        size: part.count * SCALAR_BYTES,
      }));
    },
  };
}

/**
 * Input of an MSM gathered from a copy on the GPU: its scalars are at `indices`, from position `firstIndex` of these
 * on, each relative to scalar `first`.
 */
export function gatheredInput(
  { buffer: scalars }: GpuScalars,
  first: number,
  indices: GPUBuffer,
  firstIndex: number,
): DigitInput {
  return {
    digitsFrom: 'scalars',
    isOnDevice: true,
    bytesOnDevice: scalars.size,
    scalarWords: SCALAR_BYTES / U32_BYTES,
    bring: ({ chunk, from, to }) =>
      gatherStage
        .dispatches({ scalars, firstScalar: first, indices, firstIndex: firstIndex + chunk.firstPoint, from, to })
        .map((dispatch) => ({ kind: 'dispatch', dispatch })),
  };
}

/** Input of digits cut elsewhere. */
export function digitInput(source: DigitSource): DigitInput {
  return {
    digitsFrom: 'digits',
    isOnDevice: false,
    bytesOnDevice: 0,
    scalarWords: SCALAR_BYTES / U32_BYTES,
    bring: (slice) => [{ kind: 'upload', buffer: 'source', run: (write) => writeSlice(source, slice, write) }],
  };
}

async function writeSlice(source: DigitSource, { chunk, from, to }: ScalarSlice, write: Write): Promise<void> {
  // The digits of each MSM's window are contiguous, so no write spans two MSMs.
  for (let start = from; start < to; ) {
    const stop = Math.min(to, start - (start % chunk.points) + chunk.points);
    await writeDigits(source, { chunk, from: start, to: stop }, write);
    start = stop;
  }
}

async function writeDigits(source: DigitSource, { chunk, from, to }: ScalarSlice, write: Write): Promise<void> {
  const { plan, points, firstRow, rows } = chunk;
  const first = firstScalar(chunk);
  const digits = await source(plan.windowBits, first + from, first + to);
  const count = to - from;
  if (digits.length !== count * plan.windows) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected ${count * plan.windows} digits of ${count} scalars, got ${digits.length}`,
    );
  }
  // In the order of `digit_at` in shaders/digits/layout.wgsl.
  const before = Math.floor(from / points) * plan.multiples;
  for (const window of windowsOf(chunk)) {
    const { row, multiple } = placeOf(plan, window);
    const line = (before + multiple) * rows + row - firstRow;
    const ofWindow = digits.subarray(window * count, (window + 1) * count);
    await write((line * points + (from % points)) * U32_BYTES, ofWindow);
  }
  digits.fill(0);
}
