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
