import type { Dispatch } from './stage.js';

/** A step of a computation on the GPU. */
export type Step<Buffer extends string> =
  | { readonly kind: 'dispatch'; readonly dispatch: Dispatch<Buffer> }
  /** Fills a buffer with zeros. */
  | { readonly kind: 'clear'; readonly buffer: Buffer }
  /** Copies `size` bytes, a multiple of 4, from a buffer outside the scratch. */
  | {
      readonly kind: 'copy';
      readonly source: GPUBuffer;
      readonly from: number;
      readonly buffer: Buffer;
      readonly to: number;
      readonly size: number;
    }
  /** Fills all buffers with zeros, so that no data of the computation stays in them. */
  | { readonly kind: 'wipe' }
  /** Copies and clears between buffers of the computation's own; `get` gives a scratch buffer. */
  | { readonly kind: 'encode'; readonly run: (encoder: GPUCommandEncoder, get: (buffer: Buffer) => GPUBuffer) => void }
  /** Copies the first `size` bytes of a buffer to a readback buffer. */
  | { readonly kind: 'read back'; readonly buffer: Buffer; readonly size: number; readonly target: GPUBuffer }
  /** Uploads data to a buffer; awaited before the next step. */
  | { readonly kind: 'upload'; readonly buffer: Buffer; readonly run: (write: Write) => Promise<void> };

/** Writes whole words to the buffer of an upload, ordered after the earlier steps. */
export type Write = (byteOffset: number, data: Uint8Array | Uint32Array) => Promise<void>;

/** The total work of some steps, in the unit of `Pace`. */
export function workOf(steps: Iterable<Step<string>>): number {
  let work = 0;
  for (const step of steps) {
    if (step.kind === 'dispatch') work += (step.dispatch.end - step.dispatch.first) * step.dispatch.cost;
  }
  return work;
}
