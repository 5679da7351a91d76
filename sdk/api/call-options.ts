import type { ProgressListener } from './progress.js';

/**
 * Options of every call. A member that no option has is refused (`INVALID_ARGUMENT`) with the nearest name, unless it
 * is undefined or of a class. Only own members count: an option inherited from a class or another object is refused,
 * and members of `Object.prototype` are ignored. Null is refused for flags, `sha256` and `verificationKey`.
 */
export interface CallOptions {
  /**
   * An aborted call rejects with `ABORTED` within 200 ms and leaves the prover usable.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal;
  /**
   * Called while the call runs, with its progress, the bytes of downloads, and each piece of work when it begins and
   * when it has ended. If it throws or returns a promise that rejects, the first such failure is written to the
   * console; the call goes on.
   *
   * @defaultValue none
   */
  readonly onProgress?: ProgressListener;
}

/** Options of calls that load a file. */
export interface LoadOptions extends CallOptions {
  /**
   * With true, bytes that are given as a Uint8Array or ArrayBuffer are moved instead of copied, so that a large key is
   * not in memory twice. The caller's array is empty afterwards. A view of a part of a buffer is still copied.
   *
   * @defaultValue false
   */
  readonly transfer?: boolean;
  /**
   * The limit of downloads in bytes, counted after decompression as they arrive; the chunks of a key count together. A
   * file that announces or has more is refused (`DOWNLOAD_TOO_LARGE`). Bytes, Blobs and paths have no limit.
   *
   * @defaultValue 2^33 (8 GiB) for keys and points, 2^28 (256 MiB) for a circuit
   */
  readonly maxBytes?: number;
}

/**
 * Bytes, or where to read them. A string or URL is fetched, and keys, bases and circuits that are loaded are kept in
 * the cache, so that they are not downloaded again while the server says that they are the same (docs/security.md,
 * "Files that were fetched"); in Node a string that is not a URL is the path of a file. The file of a key or of bases
 * stays open as long as they are loaded, and a file that is written to meanwhile is an error (`IO_FAILED`) when it is
 * read again.
 */
export type BinarySource = Uint8Array | ArrayBuffer | Blob | URL | string;

/**
 * How numbers modulo a prime are written. `canonical`: an integer a below the prime. `montgomery`: a R mod the prime,
 * where R is 2^256 for numbers of 32 bytes, 2^384 for 48 bytes and 2^768 for 96 bytes, as arkworks, gnark and ICICLE
 * hold them in memory. Either is little-endian.
 */
export type NumberForm = 'canonical' | 'montgomery';
