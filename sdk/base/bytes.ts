/** The unsigned integer in `length` little-endian bytes from `offset`. */
export function bytesToBigint(bytes: Uint8Array, offset = 0, length = bytes.length - offset): bigint {
  let value = 0n;
  // 32 bits at a time, from the highest: steps of a BigInt are slow.
  for (let end = length; end > 0; end -= 4) {
    const start = Math.max(0, end - 4);
    let word = 0;
    for (let i = end - 1; i >= start; i--) word = word * 256 + bytes[offset + i]!;
    value = (value << BigInt(8 * (end - start))) | BigInt(word);
  }
  return value;
}

/** Writes `value` (0 <= value < 2^(8 length)) as `length` little-endian bytes at `offset`. */
export function writeBigint(bytes: Uint8Array, offset: number, length: number, value: bigint): void {
  let rest = value;
  for (let start = 0; start < length; start += 4) {
    let word = Number(BigInt.asUintN(32, rest));
    rest >>= 32n;
    for (let i = start; i < Math.min(start + 4, length); i++) {
      bytes[offset + i] = word & 0xff;
      word >>>= 8;
    }
  }
}

/** `value` (0 <= value < 2^(8 length)) as `length` little-endian bytes. */
export function bigintToBytes(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  writeBigint(bytes, 0, length, value);
  return bytes;
}

/** Whether two arrays hold the same bytes. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/**
 * Zeros in a fresh buffer, for secrets, which are to be overwritten. V8 keeps arrays of up to 64 bytes that are made in
 * another way among its objects, and leaves a copy behind there when it moves the object, or when somebody asks for the
 * buffer.
 */
export function newBytes(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new ArrayBuffer(length));
}

/** A copy in a fresh buffer (see `newBytes`). */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = newBytes(bytes.length);
  copy.set(bytes);
  return copy;
}

/** Arrays of bytes one after the other, in a fresh buffer (see `newBytes`). */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = newBytes(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
