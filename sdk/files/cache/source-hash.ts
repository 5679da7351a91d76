import { throwIfAborted } from '../../base/abort.js';
import { canHash, DIGEST_BYTES, sha256, toHex } from './sha256.js';

/** Bytes hashed at a time: WebCrypto has no incremental digest, and a proving key may be larger than memory. */
const SLICE_BYTES = 4 * 2 ** 20;

/**
 * The hash of a source of any size, as 64 hexadecimal digits. The source is cut into slices of 4 MiB (the last one may
 * be shorter; an empty source has none), each slice is hashed with SHA-256, and the hashes are joined in order and
 * hashed again. The sizes of the parts in which the bytes arrive make no difference. undefined where there is no
 * crypto.subtle, and so no cache.
 *
 * Rejects with `ABORTED`, and with whatever reading the source rejects with.
 */
export async function hashSource(
  parts: AsyncIterable<Uint8Array>,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  if (!canHash()) return undefined;
  const digests: Promise<Uint8Array>[] = [];
  for await (const slice of slicesOf(parts, SLICE_BYTES)) {
    throwIfAborted(options.signal);
    // One digest at a time is pending, while the next slice is being read.
    await digests.at(-1);
    digests.push(sha256(slice));
  }
  const joined = new Uint8Array(digests.length * DIGEST_BYTES);
  for (const [i, digest] of digests.entries()) joined.set(await digest, i * DIGEST_BYTES);
  throwIfAborted(options.signal);
  return toHex(await sha256(joined));
}

/** The hash of a source, of the hashes of its slices in hexadecimal. The cache's chunks are slices. */
export async function hashOfSlices(hashes: readonly string[]): Promise<string> {
  const bytes = hashes.join('').match(/../g) ?? [];
  return toHex(await sha256(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16))));
}

/**
 * The same bytes in slices of `size` each; the last one may be shorter. A slice is valid until the next one is asked
 * for.
 */
async function* slicesOf(parts: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let slice: Uint8Array | undefined;
  let filled = 0;
  for await (const part of parts) {
    let from = 0;
    while (from < part.length) {
      if (filled === 0 && part.length - from >= size) {
        yield part.subarray(from, from + size);
        from += size;
        continue;
      }
      slice ??= new Uint8Array(size);
      const taken = part.subarray(from, from + size - filled);
      slice.set(taken, filled);
      filled += taken.length;
      from += taken.length;
      if (filled === size) {
        yield slice;
        filled = 0;
      }
    }
  }
  if (slice !== undefined && filled > 0) yield slice.subarray(0, filled);
}
