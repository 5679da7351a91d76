import type { Lease } from '../../../base/memory-budget.js';
import type { GpuDevice } from '../runtime/device.js';
import type { GpuMemory } from '../runtime/gpu-memory.js';
import { ResidentBuffers } from '../runtime/resident-buffers.js';
import { uploadBuffer } from '../runtime/upload-buffer.js';
import type { ConstraintFacts, Pieces, SortedConstraints, SortedMatrix } from './sorted-constraints.js';

/** Bytes of an entry or a piece: two words. */
const PAIR_BYTES = 8;

/** Pieces whose lengths are looked at together. */
const BLOCK = 1024;

/** Neighbouring pieces from..to of similar length. */
interface PieceSpan {
  readonly from: number;
  readonly to: number;
  /** Elements of a piece, on average. */
  readonly length: number;
}

/** Some of the pieces, and the elements from..to of which they are made. */
interface PieceCut {
  readonly pieces: Pieces;
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts pieces of entries into runs whose entries and pieces fit buffers of `maxBufferBytes`; each has room for the longest piece. The entries
 * of each run begin at 0.
 */
export function cutPieces({ count, words }: Pieces, maxBufferBytes: number): PieceCut[] {
  // A buffer of pieces also tells where the last one ends.
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
 * Spans of pieces, each with a dispatch of its own, so that the cost of a dispatch is about that of any of its parts. Blocks of pieces go
 * together while their longest pieces have as many bits in their lengths.
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

/** Some pieces of a matrix, and their entries, in buffers of their own. */
export interface EntryRun {
  readonly pieces: GPUBuffer;
  readonly entries: GPUBuffer;
  readonly spans: readonly PieceSpan[];
}

/** The rows that are sums of partial ones. */
export interface RowJoin {
  readonly rows: GPUBuffer;
  readonly spans: readonly PieceSpan[];
}

/** One matrix in the memory of a GPU; see `SortedMatrix`. */
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
  /** The coefficients that occur, times 2^512 mod r. */
  readonly coefficients: GPUBuffer;
  /** The constants of the quotient; see `quotientFactors`. */
  readonly factors: GPUBuffer;
}

/** The matrices A and B of a constraint system in the memory of a GPU. */
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
   * Uploads a sorted constraint system, and the constants of its quotient. No buffer is larger than `maxBufferBytes`. `OUT_OF_MEMORY` when
   * the device has too little memory. `onRelease` is told once; it is to call `free` when nobody works with them any more.
   */
  static async upload(
    gpu: GpuDevice,
    { matrices, coefficients }: SortedConstraints,
    factors: Uint8Array,
    facts: ConstraintFacts,
    options: {
      maxBufferBytes: number;
      /** What their bytes are taken from. */
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
        // WebGPU binds no empty buffer; a system without coefficients is not read.
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
