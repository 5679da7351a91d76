import type { Lease } from '../../../base/memory-budget.js';
import type { GpuDevice } from '../runtime/device.js';
import type { GpuMemory } from '../runtime/gpu-memory.js';
import { ResidentBuffers } from '../runtime/resident-buffers.js';
import { uploadBuffer } from '../runtime/upload-buffer.js';
import type { ConstraintFacts, Pieces, SortedConstraints, SortedMatrix } from './sorted-constraints.js';

/** Bytes of an entry or a piece: two words. */
const PAIR_BYTES = 8;

/** Pieces whose lengths are examined together. */
const BLOCK = 1024;

/** Consecutive pieces from..to of similar length. */
interface PieceSpan {
  readonly from: number;
  readonly to: number;
  /** The mean number of elements per piece. */
  readonly length: number;
}

/** Some of the pieces, and their elements from..to. */
interface PieceCut {
  readonly pieces: Pieces;
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts pieces into runs whose entries and pieces fit buffers of `maxBufferBytes`, which have room for the longest
 * piece. Within each run, entries are counted from 0.
 */
export function cutPieces({ count, words }: Pieces, maxBufferBytes: number): PieceCut[] {
  // A buffer of pieces also has the end of the last one.
  const limit = Math.floor(maxBufferBytes / PAIR_BYTES) - 1;
  const cuts: PieceCut[] = [];
  for (let first = 0; first < count; ) {
    const from = words[2 * first]!;
    let end = first;
    while (end < count && end - first < limit && words[2 * end + 2]! - from <= limit) end++;
    const cut = words.slice(2 * first, 2 * end + 2);
    for (let i = 0; i < cut.length; i += 2) cut[i]! -= from;
    cuts.push({ pieces: { count: end - first, words: cut }, from, to: words[2 * end]! });
    first = end;
  }
  return cuts;
}

/**
 * Spans of pieces, each with its own dispatch, so that the cost per thread is about uniform within a dispatch. Blocks
 * of pieces share a span while the lengths of their longest pieces have the same number of bits.
 */
export function spansOf({ count, words }: Pieces): PieceSpan[] {
  const spans: PieceSpan[] = [];
  let from = 0;
  let bits = 0;
  for (let block = 0; block < count; block += BLOCK) {
    const next = 32 - Math.clz32(longest(words, block, Math.min(block + BLOCK, count)));
    if (next !== bits && block > from) {
      spans.push(spanOf(words, from, block));
      from = block;
    }
    bits = next;
  }
  if (from < count) spans.push(spanOf(words, from, count));
  return spans;
}

function spanOf(words: Uint32Array, from: number, to: number): PieceSpan {
  return { from, to, length: (words[2 * to]! - words[2 * from]!) / (to - from) };
}

function longest(words: Uint32Array, from: number, to: number): number {
  let length = 0;
  for (let i = from; i < to; i++) length = Math.max(length, words[2 * i + 2]! - words[2 * i]!);
  return length;
}

/** Some pieces of a matrix, and their entries, in separate buffers. */
export interface EntryRun {
  readonly pieces: GPUBuffer;
  readonly entries: GPUBuffer;
  readonly spans: readonly PieceSpan[];
}

/** The rows that are computed from partial sums. */
export interface RowJoin {
  readonly rows: GPUBuffer;
  readonly spans: readonly PieceSpan[];
}

/** One matrix in GPU memory; see `SortedMatrix`. */
export interface GpuMatrix {
  readonly longPieces: readonly EntryRun[];
  readonly partialCount: number;
  /** Undefined if no row is long. */
  readonly join: RowJoin | undefined;
  readonly rows: readonly EntryRun[];
}

interface Contents {
  readonly facts: ConstraintFacts;
  readonly matrices: readonly [GpuMatrix, GpuMatrix];
  /** The distinct coefficients, times 2^512 mod r. */
  readonly coefficients: GPUBuffer;
  /** The constants of the quotient; see `quotientFactors`. */
  readonly factors: GPUBuffer;
}

/** The matrices A and B of a constraint system in GPU memory. */
export class GpuConstraints extends ResidentBuffers {
  private constructor(
    memory: GpuMemory,
    readonly contents: Contents,
    owned: readonly GPUBuffer[],
    onRelease: (released: ResidentBuffers) => void,
  ) {
    super(memory, owned, onRelease);
  }

  /**
   * Uploads a sorted constraint system, and the constants of its quotient. No buffer is larger than `maxBufferBytes`.
   * `OUT_OF_MEMORY` when the device has too little memory. `onRelease` is called once; it must call `free` when nothing
   * uses them any more.
   */
  static async upload(
    gpu: GpuDevice,
    { matrices, coefficients }: SortedConstraints,
    factors: Uint8Array,
    facts: ConstraintFacts,
    options: {
      maxBufferBytes: number;
      /** The lease that their bytes are taken from. */
      lease: Lease;
      signal: AbortSignal | undefined;
      onRelease: (released: ResidentBuffers) => void;
    },
  ): Promise<GpuConstraints> {
    const { signal, maxBufferBytes, lease, onRelease } = options;
    const buffers: GPUBuffer[] = [];
    const putBytes = async (bytes: Uint8Array): Promise<GPUBuffer> => {
      const buffer = await uploadBuffer(gpu, { label: 'constraints', contents: bytes, lease }, signal);
      buffers.push(buffer);
      return buffer;
    };
    const put: Put = (words) => putBytes(bytesOf(words));
    try {
      const contents: Contents = {
        facts,
        matrices: [
          await uploadMatrix(matrices[0], maxBufferBytes, put),
          await uploadMatrix(matrices[1], maxBufferBytes, put),
        ],
        // WebGPU cannot bind an empty buffer; without coefficients this one is not read.
        coefficients: await put(coefficients.length === 0 ? new Uint32Array(4) : coefficients),
        factors: await putBytes(factors),
      };
      return new GpuConstraints(gpu.memory, contents, buffers, onRelease);
    } catch (error) {
      for (const buffer of buffers) gpu.memory.destroy(buffer);
      throw error;
    }
  }

  get facts(): ConstraintFacts {
    return this.contents.facts;
  }
}

type Put = (words: Uint32Array) => Promise<GPUBuffer>;

async function uploadMatrix(matrix: SortedMatrix, maxBufferBytes: number, put: Put): Promise<GpuMatrix> {
  const { longPieces, joins, rows, entries } = matrix;
  return {
    longPieces: await uploadRuns(longPieces, entries, maxBufferBytes, put),
    partialCount: longPieces.count,
    join: joins.count === 0 ? undefined : { rows: await put(joins.words), spans: spansOf(joins) },
    rows: await uploadRuns(rows, entries, maxBufferBytes, put),
  };
}

async function uploadRuns(pieces: Pieces, entries: Uint32Array, maxBufferBytes: number, put: Put): Promise<EntryRun[]> {
  const runs: EntryRun[] = [];
  for (const cut of cutPieces(pieces, maxBufferBytes)) {
    runs.push({
      pieces: await put(cut.pieces.words),
      entries: await put(entries.subarray(2 * cut.from, 2 * cut.to)),
      spans: spansOf(cut.pieces),
    });
  }
  return runs;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
