import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { maxBytesOf } from '../../caller-source.js';
import { PippinError } from '../../errors.js';
import { Downloads } from '../../io/downloads.js';
import { fetchFile } from '../../io/url-source.js';
import { OptionReader } from '../../option-reader.js';
import { sha256Of } from '../../sha256-option.js';
import type { LocatedFile } from './registration.js';

/** Begins a URL, and no path: a drive of Windows has one letter. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]+:/i;

/** Most bytes of a file that is read whole. */
const MAX_READ_BYTES = 16 * 2 ** 20;

/** Finds a circuit's file and says how large it is. A path is hashed; a URL is asked for its size. */
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

/** The bytes of a small file of a circuit, whose hash is right. */
export async function readChecked(file: unknown, what: string, folder: string): Promise<Uint8Array> {
  const { source, sha256 } = checkedFile(file, what, folder);
  const bytes = await read(what, source, () => (isUrl(source) ? fetched(source) : wholeFile(source)));
  expectHash(createHash('sha256').update(bytes).digest('hex'), sha256, what);
  return bytes;
}

function checkedFile(file: unknown, what: string, folder: string): Omit<LocatedFile, 'bytes'> {
  const reader = new OptionReader(file, `the ${what}`);
  const source = reader.read('source');
  const sha256 = sha256Of(reader);
  const maxBytes = maxBytesOf(reader);
  reader.expectNoOthers();
  if (typeof source !== 'string' && !(source instanceof URL)) throw reader.wrong('source', 'a path or URL', source);
  if (sha256 === undefined) throw reader.wrong('sha256', '64 hexadecimal digits', reader.read('sha256'));
  return { source: located(String(source), folder), sha256, ...(maxBytes === undefined ? {} : { maxBytes }) };
}

/** A URL that is no file, or an absolute path. */
function located(source: string, folder: string): string {
  if (source.startsWith('file:')) return fileURLToPath(source);
  return HAS_SCHEME.test(source) ? source : resolve(folder, source);
}

function isUrl(source: string): boolean {
  return HAS_SCHEME.test(source);
}

/** The size that a server tells; undefined if it does not answer, or does not say. A worker asks again when it needs the file. */
async function sizeAt(url: string): Promise<number | undefined> {
  const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  const length = answer?.ok === true ? Number(answer.headers.get('content-length') ?? Number.NaN) : Number.NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}

async function fetched(url: string): Promise<Uint8Array> {
  const onBytes = new Downloads(MAX_READ_BYTES).add();
  const { source } = await fetchFile(url, { signal: AbortSignal.timeout(60_000), onBytes });
  return source.read(0, source.size);
}

async function wholeFile(path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: MAX_READ_BYTES })) chunks.push(chunk);
  return withinLimit(Buffer.concat(chunks));
}

function withinLimit(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_READ_BYTES) return bytes;
  throw new Error(`it has more than ${MAX_READ_BYTES} bytes`);
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
