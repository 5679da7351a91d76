import type { BinarySource } from '../api/index.js';
import { CallerSignal } from '../base/abort.js';
import { OptionReader } from '../base/option-reader.js';
import { downloading, loadKeyForms, Sources } from '../engine/sources/sources.js';
import type { ByteSource, OpenFile, SourceDescription } from '../files/byte-source.js';
import { Downloads, MAX_KEY_BYTES } from '../files/downloads.js';
import { isPackedKey } from '../files/snarkjs/zkey-header.js';
import { type DescribeLocation, describeSource, maxBytesOf } from '../hosts/prover/caller-source.js';

/** What reading a caller's file needs from the platform, a browser or Node. */
export interface FilePlatform {
  /** Undefined on platforms without paths. */
  readonly openFile: OpenFile | undefined;
  readonly describeLocation: DescribeLocation;
}

/**
 * Calls `read` with the opened file, or a key's chunks as one file, on the caller's thread. A packed key is read as its
 * .zkey, of which the header alone can be. Bytes are not copied.
 */
export function readSource<T>(
  platform: FilePlatform,
  source: BinarySource | readonly BinarySource[],
  what: string,
  options: ReadOptions | undefined,
  read: (source: ByteSource) => Promise<T>,
): Promise<T> {
  return readAsItIs(platform, source, what, options, async (file) => read(await zkeyOf(file)));
}

/** The same for readers of packed keys themselves. */
export async function readAsItIs<T>(
  platform: FilePlatform,
  source: BinarySource | readonly BinarySource[],
  what: string,
  options: ReadOptions | undefined,
  read: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const reader = new OptionReader(options, 'the options');
  const given = reader.read('signal') ?? undefined;
  const maxBytes = maxBytesOf(reader) ?? MAX_KEY_BYTES;
  reader.expectNoOthers();
  new CallerSignal(given).throwIfAborted();
  const signal = (given ?? new AbortController().signal) as AbortSignal;
  const describe = (one: BinarySource): SourceDescription => describeUncopied(one, what, platform.describeLocation);
  const description: SourceDescription = isList(source)
    ? { kind: 'chunks', chunks: source.map(describe) }
    : describe(source);
  const opened = await new Sources(platform).open(description, downloading(new Downloads(maxBytes), signal));
  try {
    return await read(opened);
  } finally {
    await opened.close();
  }
}

/** A packed key as the .zkey that it was made of, for readers of its header. Any other file is left as it is. */
export async function zkeyOf(file: ByteSource): Promise<ByteSource> {
  if (!(await isPackedKey(file))) return file;
  const { NO_KERNELS, openPackedKey } = await loadKeyForms();
  return (await openPackedKey(file, NO_KERNELS)).zkey;
}

function describeUncopied(source: BinarySource, what: string, describeLocation: DescribeLocation): SourceDescription {
  if (source instanceof Uint8Array) return { kind: 'bytes', bytes: source as Uint8Array<ArrayBuffer> };
  if (source instanceof ArrayBuffer) return { kind: 'bytes', bytes: new Uint8Array(source) };
  return describeSource(source, what, describeLocation);
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** Options of what reads a file. */
export interface ReadOptions {
  /**
   * An aborted call rejects with `ABORTED`.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal;
  /**
   * The most bytes that are downloaded of a file at a URL, as `LoadOptions.maxBytes`: `DOWNLOAD_TOO_LARGE` for more.
   *
   * @defaultValue 2^33 (8 GiB)
   */
  readonly maxBytes?: number;
}

/** Reads the options of reading files. */
export function filesOf(reader: OptionReader): ReadOptions {
  const signal = reader.read('signal') ?? undefined;
  const maxBytes = maxBytesOf(reader);
  return {
    ...(signal !== undefined && { signal: signal as AbortSignal }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}
