import { throwIfAborted } from '../base/abort.js';
import { copyBytes, equalBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { freeMemory } from '../base/free-memory.js';
import { untilThere } from '../transport/shared-bytes.js';

/** Bytes that can be read piece by piece: in memory, in a Blob, in a file. */
export interface ByteSource {
  /** Bytes in all. */
  readonly size: number;
  /** What a list of the cache's records calls what was made from it. */
  name?: string | undefined;
  /** What is hashed and kept in the place of a file of which only parts are there: the parts one after another. */
  readonly contents?: ByteSource | undefined;
  /**
   * Exactly `length` bytes from `offset`, in a fresh buffer, which the reader may move elsewhere. `MALFORMED_FILE` when
   * they go beyond the end, `IO_FAILED` when reading fails.
   */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** The bytes themselves, where they lie in this thread's memory. In shared memory some may still be being copied. */
  readonly bytes?: Uint8Array | undefined;
}

/** The error of reading what was closed. */
export function closedSource(): PippinError {
  return new PippinError('DISPOSED', 'expected the source of something that is loaded, got one that was closed');
}

/** A source that holds something open, such as a file. */
export interface ClosableSource extends ByteSource {
  /** Lets it go when the reads that have begun are done. It is called once, and nothing is read afterwards. */
  close(): Promise<void>;
}

/** A Blob that stays on its thread, and is read from another one through this port. */
export interface ServedBlob {
  readonly size: number;
  readonly port: MessagePort;
}

/** A source as plain data: bytes, which then belong to the engine, or where to read them. A key may come in chunks. */
export type SourceDescription =
  | { readonly kind: 'chunks'; readonly chunks: readonly SourceDescription[] }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'blob'; readonly blob: Blob }
  /** A Blob in Node. */
  | { readonly kind: 'served'; readonly blob: ServedBlob }
  /** The name is what a list of the cache's records calls it, where there is such a list. */
  | { readonly kind: 'url'; readonly url: string; readonly name?: string | undefined }
  | { readonly kind: 'path'; readonly path: string };

/** Opens a file by its path, or a Blob that the caller's thread serves. */
export type OpenFile = (file: string | ServedBlob) => Promise<ClosableSource>;

/** The size of a slice when a whole source is read in slices. */
export const SLICE_BYTES = 1 << 22;

/**
 * The source's bytes in order, in slices of at most 4 MiB. Each slice is valid until the next one is asked for.
 *
 * @param onProgress called with the fraction that was read and used, before each slice.
 */
export async function* slicesOf(
  source: ByteSource,
  onProgress?: (fraction: number) => void,
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < source.size; offset += SLICE_BYTES) {
    onProgress?.(offset / source.size);
    const slice = await source.read(offset, Math.min(SLICE_BYTES, source.size - offset));
    yield slice;
    freeMemory(slice);
  }
}

/** Whether a source begins with bytes that come part by part. `ABORTED` when the signal fires. */
export async function beginsWith(
  source: ByteSource,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let at = 0;
  for await (const part of parts) {
    throwIfAborted(signal);
    if (!equalBytes(part, await source.read(at, part.length))) return false;
    at += part.length;
  }
  return true;
}

/** Throws unless offset..offset+length lies within the source. */
export function expectWithin(size: number, offset: number, length: number): void {
  if (offset < 0 || length < 0 || offset + length > size) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected ${length} bytes from byte ${offset} on, got ${size} bytes in all`,
    );
  }
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    bytes,
    async read(offset, length) {
      expectWithin(bytes.length, offset, length);
      const part = bytes.subarray(offset, offset + length);
      await untilThere(part);
      return copyBytes(part);
    },
  };
}

/** A Blob or File, read piece by piece, so that a large key need not be in memory as a whole. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(offset, length) {
      expectWithin(blob.size, offset, length);
      try {
        return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
      } catch (error) {
        throw new PippinError('IO_FAILED', `expected to read the given file, got: ${String(error)}`, {
          cause: error,
          hint: 'a file that was changed, moved or deleted since it was chosen must be chosen again',
        });
      }
    },
  };
}

/** A part of another source. */
export function partOf(source: ByteSource, start: number, size: number): ByteSource {
  expectWithin(source.size, start, size);
  return {
    size,
    bytes: source.bytes?.subarray(start, start + size),
    async read(offset, length) {
      expectWithin(size, offset, length);
      return source.read(start + offset, length);
    },
  };
}

/** Sources one after another, as one. */
export function joinSources(sources: readonly ByteSource[]): ByteSource {
  const size = sources.reduce((sum, source) => sum + source.size, 0);
  return {
    size,
    async read(offset, length) {
      expectWithin(size, offset, length);
      const end = offset + length;
      const bytes = new Uint8Array(length);
      let start = 0;
      for (const source of sources) {
        const from = Math.max(offset, start);
        const to = Math.min(end, start + source.size);
        if (from < to) {
          const part = await source.read(from - start, to - from);
          if (part.length === length) return part;
          bytes.set(part, from - offset);
        }
        start += source.size;
      }
      return bytes;
    },
  };
}
