import { PippinError } from '../../base/errors.js';

/** The chunk size of encoding in bytes; a multiple of 3, so that only the last chunk is padded. */
const PIECE = 3 * 2 ** 13;

/** The methods of ES2026, where the browser has them (Chrome 140, Firefox 133). */
type NativeBytes = Uint8Array<ArrayBuffer> & { toBase64?(): string };
type NativeConstructor = Uint8ArrayConstructor & { fromBase64?(text: string): Uint8Array<ArrayBuffer> };

/** Encodes bytes as base64, since messages of an extension are JSON in Chromium. */
export function toBase64(bytes: Uint8Array): string {
  const native = (bytes as NativeBytes).toBase64?.();
  if (native !== undefined) return native;
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  }
  return pieces.join('');
}

/** Decodes `toBase64`. `INVALID_ARGUMENT` for text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    const native = (Uint8Array as NativeConstructor).fromBase64?.(text);
    if (native !== undefined) return native;
    binary = atob(text);
  } catch {
    throw new PippinError('INVALID_ARGUMENT', `expected base64, got ${text.length} other characters`);
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
