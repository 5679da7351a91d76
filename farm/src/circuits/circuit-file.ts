import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PippinError } from 'pippin-prover';
import { OptionReader } from '../../../sdk/base/option-reader.js';

/** A file of a circuit: its location and expected hash. */
export interface CircuitFile {
  /**
   * A path, or a URL (`https://`, `http://`, `file://`). Relative paths are relative to the working directory, in a
   * configuration file to its folder.
   */
  readonly source: string | URL;
  /** SHA-256 of the file, 64 hexadecimal digits. */
  readonly sha256: string;
  /**
   * The maximum of bytes that a worker downloads of a key or WASM at a URL, as `LoadOptions.maxBytes`.
   *
   * @defaultValue 2^33 (8 GiB) for a key, 2^28 (256 MiB) for a WASM
   */
  readonly maxBytes?: number;
}

/** A file with an absolute path or URL. */
export interface LocatedFile {
  /** An absolute path, or a URL. */
  readonly source: string;
  /** SHA-256 of the file, 64 hexadecimal digits in lower case. */
  readonly sha256: string;
  /** As in `CircuitFile`. */
  readonly maxBytes?: number;
  /** Its size; undefined if a server does not report it. */
  readonly bytes: number | undefined;
}

/** The start of a URL, not of a path: a Windows drive has one letter. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]+:/i;

/** The maximum of bytes of a file that is read whole. */
const MAX_READ_BYTES = 16 * 2 ** 20;

/** The timeout in milliseconds for the size or a part of a file. What is missing, the worker finds out. */
const ANSWERS_WITHIN_MS = 10_000;

/** The timeout in milliseconds for downloading a small file. */
const DOWNLOAD_MS = 60_000;

/** Finds a circuit's file and its size. A path is hashed; a URL is only queried for its size. */
export async function locateFile(file: unknown, what: string, folder: string): Promise<LocatedFile> {
  const checked = checkedFile(file, what, folder);
  const { source, sha256 } = checked;
  if (isUrl(source)) return { ...checked, bytes: await sizeAt(source) };
  const { size } = await read(what, source, () => stat(source));
  const hash = createHash('sha256');
  await read(what, source, async () => {
    for await (const chunk of createReadStream(source)) hash.update(chunk);
  });
  expectHash(hash.digest('hex'), sha256, what);
  return { source, sha256, bytes: size };
}

/**
 * Bytes of a file from a place on: fewer at its end, and none of a URL whose server does not answer or does not know
 * ranges.
 */
export async function bytesAt({ source }: LocatedFile, what: string, at: number, count: number): Promise<Uint8Array> {
  const range = { start: at, end: at + count - 1 };
  if (!isUrl(source)) return read(what, source, () => gathered(createReadStream(source, range), count));
  try {
    const headers = { range: `bytes=${range.start}-${range.end}` };
    const answer = await fetch(source, { headers, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    // A server without ranges sends the file from its beginning.
    const isRange = answer.status === 206 || (answer.ok && at === 0);
    if (isRange && answer.body !== null) return await gathered(answer.body, count);
    await answer.body?.cancel();
    return new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}

/** The bytes of a small file of a circuit, after checking its hash. */
export async function readChecked(file: unknown, what: string, folder: string): Promise<Uint8Array> {
  const { source, sha256 } = checkedFile(file, what, folder);
  const bytes = await read(what, source, () => (isUrl(source) ? fetched(source) : wholeFile(source)));
  expectHash(createHash('sha256').update(bytes).digest('hex'), sha256, what);
  return bytes;
}

function checkedFile(file: unknown, what: string, folder: string): Omit<LocatedFile, 'bytes'> {
  const reader = new OptionReader(file, `the ${what}`);
  const source = reader.read('source');
  const sha256 = reader.read('sha256');
  const maxBytes = reader.integer('maxBytes', 1, Number.MAX_SAFE_INTEGER);
  reader.expectNoOthers();
  if (typeof source !== 'string' && !(source instanceof URL)) throw reader.wrong('source', 'a path or URL', source);
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256)) {
    throw reader.wrong('sha256', '64 hexadecimal digits', sha256);
  }
  const place = located(String(source), what, folder);
  return { source: place, sha256: sha256.toLowerCase(), ...(maxBytes === undefined ? {} : { maxBytes }) };
}

/** A URL other than a file, in the form in which messages find its secrets, or an absolute path. */
function located(source: string, what: string, folder: string): string {
  if (!HAS_SCHEME.test(source)) return resolve(folder, source);
  if (!URL.canParse(source)) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected the source of the ${what} as a path or URL, got one that is none`,
    );
  }
  const url = new URL(source);
  return url.protocol === 'file:' ? fileURLToPath(url) : url.href;
}

function isUrl(source: string): boolean {
  return HAS_SCHEME.test(source);
}

/**
 * The size that a server reports; undefined if it does not answer or report it. A worker asks again when it needs the
 * file.
 */
async function sizeAt(url: string): Promise<number | undefined> {
  const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).catch(
    () => undefined,
  );
  const length = answer?.ok === true ? Number(answer.headers.get('content-length') ?? Number.NaN) : Number.NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}

async function fetched(url: string): Promise<Uint8Array> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
  if (!answer.ok || answer.body === null) throw new Error(`expected a status of 2xx, got ${answer.status}`);
  return withinLimit(await gathered(answer.body, MAX_READ_BYTES + 1));
}

async function wholeFile(path: string): Promise<Uint8Array> {
  return withinLimit(await gathered(createReadStream(path), MAX_READ_BYTES + 1));
}

/** The first bytes of a stream, up to a maximum; the rest is not read. */
async function gathered(stream: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  const { buffer, byteOffset, length: all } = Buffer.concat(chunks);
  return new Uint8Array(buffer, byteOffset, Math.min(all, most));
}

function withinLimit(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_READ_BYTES) return bytes;
  throw new PippinError('DOWNLOAD_TOO_LARGE', `expected at most ${MAX_READ_BYTES} bytes, got more`);
}

async function read<T>(what: string, source: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new PippinError('IO_FAILED', `expected to read the ${what} from ${source}, got an error`, { cause });
  }
}

function expectHash(actual: string, expected: string, what: string): void {
  if (actual === expected) return;
  throw new PippinError('KEY_MISMATCH', `expected the ${what} with SHA-256 ${expected}, got ${actual}`, {
    hint: 'register the file again with its present hash, if it was changed on purpose',
  });
}
