import type { BinarySource } from '../../api/index.js';
import { copyBytes } from '../../base/bytes.js';
import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import type { OptionReader } from '../../base/option-reader.js';
import type { SourceDescription } from '../../files/byte-source.js';

/** Turns a string or URL into what the engine reads; throws for one that is neither a URL nor, in Node, a path. */
export interface DescribeLocation {
  (location: string | URL): SourceDescription;
  /** In Node: what the engine reads for a Blob, which stays on the caller's thread. undefined for a Proxy of one. */
  readonly serve?: (blob: Blob) => SourceDescription | undefined;
}

/**
 * A source of the caller as plain data for the engine. Bytes are copied, unless they fill their buffer and `take`
 * allows to move them. `INVALID_ARGUMENT` for anything that is not a source.
 *
 * @param what the source's name in messages, such as "a .zkey".
 */
export function describeSource(
  source: BinarySource,
  what: string,
  describeLocation: DescribeLocation,
  take = false,
): SourceDescription {
  try {
    if (isBytes(source)) return { kind: 'bytes', bytes: takenBytes(source, take) };
    // Reading the length, or a clone (which shares the bytes), throws for what only claims to be a buffer or a Blob.
    if (source instanceof ArrayBuffer && source.byteLength >= 0) {
      return { kind: 'bytes', bytes: takenBytes(new Uint8Array(source), take) };
    }
    if (typeof Blob !== 'undefined' && source instanceof Blob) {
      const served = describeLocation.serve?.(source);
      if (served !== undefined) return served;
      // Browsers before 2022 have no structuredClone.
      const blob = typeof structuredClone === 'function' ? structuredClone(source) : source;
      if (blob instanceof Blob) return { kind: 'blob', blob };
    }
  } catch (cause) {
    throw wrong(source, what, cause);
  }
  if (typeof source !== 'string' && !(source instanceof URL)) throw wrong(source, what);
  try {
    return describeLocation(source);
  } catch (cause) {
    throw new PippinError('INVALID_ARGUMENT', `expected ${what} at a valid URL, got one that cannot be used`, {
      cause,
      hint: 'give an absolute URL: a relative one needs a page with an address to start from',
    });
  }
}

/** Whether a value is an array of bytes, and no Proxy of one. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value instanceof Uint8Array;
}

/** The most bytes that may be downloaded of a source, if it is given. */
export function maxBytesOf(options: OptionReader): number | undefined {
  return options.integer('maxBytes', 1, Number.MAX_SAFE_INTEGER);
}

/** The most chunks of a key that are looked at; a key has ten. */
const MAX_CHUNKS = 1000;

/** A key, in one file or in a list of chunks, as plain data for the engine. `INVALID_ARGUMENT` for anything else. */
export function describeKey(
  zkey: BinarySource | readonly BinarySource[],
  describeLocation: DescribeLocation,
  take: boolean,
): SourceDescription {
  if (!isList(zkey)) return describeSource(zkey, 'a .zkey', describeLocation, take);
  if (zkey.length > MAX_CHUNKS) {
    throw new PippinError('INVALID_ARGUMENT', `expected at most ${MAX_CHUNKS} chunks of a key, got ${zkey.length}`, {
      hint: 'a key has ten chunks at most: .zkeyb to .zkeyk',
    });
  }
  // A hole becomes undefined, which is no source; map() would leave it out.
  const chunks = Array.from(zkey, (chunk) => describeSource(chunk, 'a chunk of a key', describeLocation, take));
  return { kind: 'chunks', chunks };
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  try {
    return Array.isArray(value);
  } catch {
    // A Proxy that was revoked.
    return false;
  }
}

/**
 * The bytes in a buffer that the engine may keep: their own if it can be moved, otherwise a copy. Throws if they were
 * moved elsewhere.
 */
export function takenBytes(bytes: Uint8Array, take: boolean): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (take && buffer instanceof ArrayBuffer && bytes.length === buffer.byteLength) {
    try {
      return new Uint8Array(structuredClone(buffer, { transfer: [buffer] }));
    } catch {
      // The memory of a WebAssembly instance cannot be moved. Whatever else is wrong shows when the bytes are copied.
    }
  }
  return copyBytes(bytes);
}

function wrong(source: unknown, what: string, cause?: unknown): PippinError {
  return new PippinError(
    'INVALID_ARGUMENT',
    `expected ${what} as a Uint8Array, ArrayBuffer, Blob, URL or string, got ${describeType(source)}`,
    { cause, hint: SOURCE_HINTS[describeType(source)] ?? 'give the bytes of the file, or where it is' },
  );
}

/** What to do with values that are often given in place of a source, by their type. */
const SOURCE_HINTS: Readonly<Record<string, string>> = {
  undefined: 'is the variable set, and does the function that gives it return it?',
  Promise: 'await it first',
  Response: 'give await response.blob()',
  Request: 'give its URL',
  Array: 'give new Uint8Array(list); a list of sources is for a key in chunks alone',
  ReadableStream: 'give await new Response(stream).blob()',
  ReadStream: 'give the path of the file',
  SharedArrayBuffer: 'give a copy: new Uint8Array(new Uint8Array(shared))',
};

/**
 * The SHA-256 that a file must have, in lower case, if it is given. Null is refused: a pin that got lost must not count
 * as none.
 */
export function sha256Of(options: OptionReader): string | undefined {
  const value = options.read('sha256');
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value)) {
    throw options.wrong('sha256', '64 hexadecimal digits', value);
  }
  return value.toLowerCase();
}
