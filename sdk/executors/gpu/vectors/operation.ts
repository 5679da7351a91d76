import { abortError } from '../../../base/abort.js';
import { BudgetExceeded } from '../../../base/memory-budget.js';
import type { BufferBytes } from '../runtime/scratch-layout.js';
import type { Step } from '../runtime/steps.js';
import type { GpuVector } from './gpu-vector.js';
import type { VectorMemory } from './vector-memory.js';
import type { VectorBuffer } from './vector-stages.js';

export type VectorStep = Step<VectorBuffer>;

/** What an operation's steps are made with, when its vectors have buffers. */
export interface Prepared {
  /** The twiddle factors of the largest transform. */
  readonly twiddles: GPUBuffer;
  /** Copies `size` bytes of a buffer, from byte `from` on, to what the operation answers. */
  answer(buffer: VectorBuffer | GPUBuffer, from: number, size: number): VectorStep;
}

/** An operation on vectors, which is submitted some time after it was asked for. */
export interface Operation {
  readonly reads?: readonly GpuVector[];
  /** The vector that it computes. Its buffers hold zeros before. */
  readonly target?: GpuVector;
  /**
   * Elements that it takes of one buffer each time, so that each buffer but the last must hold a multiple of them:
   * `WHOLE` for a vector in one buffer; 1 unless it is given.
   */
  readonly block?: number;
  /** Bytes that it takes of the scratch buffers. */
  readonly scratch?: BufferBytes<VectorBuffer>;
  /** The logarithm of a transform's size. */
  readonly transformLog?: number;
  readonly signal?: AbortSignal | undefined;
  steps(prepared: Prepared): Iterable<VectorStep>;
  /** Called when its steps will not be submitted, or not all of them. */
  readonly onFailure?: (() => void) | undefined;
}

/** An operation with its answer, or the release of a vector. */
export type Recorded =
  | { readonly operation: Operation; readonly answer: Answer | undefined }
  | { readonly released: GpuVector };

/** Who waits for the bytes that an operation answers. */
export interface Answer {
  readonly bytes: number;
  resolve(bytes: Uint8Array): void;
  reject(error: unknown): void;
}

/** All elements of a vector, as the `block` of an operation. */
export const WHOLE = Number.POSITIVE_INFINITY;

/** What keeps an operation from being computed; undefined if nothing does. */
export function failureOf({ signal, reads = [], target, block = 1 }: Operation, memory: VectorMemory): unknown {
  if (signal?.aborted) return abortError(signal);
  const failed = reads.find(({ failure }) => failure !== undefined);
  if (failed !== undefined || memory.elementsPerBuffer % block === 0) return failed?.failure;
  const longest = Math.max(...reads.map(({ length }) => length), target?.length ?? 0);
  if (longest <= memory.longest) return undefined;
  return new BudgetExceeded(`expected vectors of at most ${memory.longest} elements on this GPU, got ${longest}`);
}

/** Ends an operation that is not computed. */
export function fail({ operation, answer }: Extract<Recorded, { operation: Operation }>, error: unknown): void {
  if (operation.target !== undefined) operation.target.failure = error;
  answer?.reject(error);
  operation.onFailure?.();
}
