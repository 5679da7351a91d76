import { loadPart } from '../../base/load-part.js';

/** Bytes of a SHA-256 digest. */
export const DIGEST_BYTES = 32;

/** Whether WebCrypto is available: Node and secure pages have it, a page over plain HTTP does not. */
export function canHash(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** The SHA-256 of the bytes, which are copied before the call returns. Rejects where `canHash()` is false. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (!canHash()) throw new Error('expected crypto.subtle, which pages have on HTTPS and localhost only; got none');
  const plain = bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
  return new Uint8Array(await crypto.subtle.digest('SHA-256', plain));
}

/** Lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The SHA-256 of bytes that come one part after another, which WebCrypto cannot compute. */
export interface IncrementalSha256 {
  /** Takes the next bytes. They are not needed afterwards. */
  update(part: Uint8Array): unknown;
  /** The hash of all bytes. It is called once, at the end. */
  digest(): Uint8Array;
}

/** Makes one. It is a promise, since the code may have to be loaded first. */
export type MakeSha256 = () => Promise<IncrementalSha256>;

/** The same parts, which `hash` takes as they pass. */
export async function* hashedOnTheWay(
  parts: AsyncIterable<Uint8Array>,
  hash: IncrementalSha256,
): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
}

/**
 * Computes it in JavaScript. Few pages need that: it is downloaded when it is first wanted. `IO_FAILED` if the script
 * cannot be loaded.
 */
export const sha256InScript: MakeSha256 = async () => {
  const { sha256: hash } = await loadPart('SHA-256', () => import('@noble/hashes/sha2.js'));
  return hash.create();
};
