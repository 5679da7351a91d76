import { onAbort, throwIfAborted } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import { ArrivingFile } from './arriving-file.js';
import type { ByteSource } from './byte-source.js';
import type { OnBytes } from './downloads.js';
import { GrowingBytes } from './growing-bytes.js';
import type { PartsOfFile } from './partial-file.js';
import { askPart, cancelled, chunksOf, type FetchOptions, failedRequest, requestOf } from './url-request.js';
import { isComparable, lengthOf, type UrlVersion, versionOf } from './url-version.js';

/** A file as it was fetched, and what the server says of this state of it. */
export interface FetchedFile {
  /** Its bytes. A read of a large file waits until they have arrived. */
  readonly source: ByteSource;
  /** Settled when all of them are there. */
  readonly whole: Promise<unknown>;
  readonly version: UrlVersion;
  /** Which parts of it were fetched, if not all. */
  readonly parts?: PartsOfFile;
  /** The key of the cache's record that has its first bytes, if it goes on from one. */
  readonly record?: string;
}

/** A file that was fetched as a whole. */
export interface WholeFile extends FetchedFile {
  /** All of its bytes, when they are there. */
  readonly whole: Promise<GrowingBytes>;
}

/** The status that tells that the file has the ETag that was sent. */
export const NOT_MODIFIED = 304;

/** A file of so many bytes is given while it arrives. */
const LARGE_BYTES = 2 ** 20;

/**
 * What a URL answers, and what the server says of this state of the file. `IO_FAILED` for a URL that cannot be fetched,
 * an answer that breaks off, and a status other than 2xx; the hint says what to look at.
 */
export async function fetchFile(url: string, options: FetchOptions): Promise<WholeFile> {
  return answered(
    url,
    options.signal,
    () => fetch(url, requestOf(options)),
    (response) => fileOf(response, options),
  );
}

/**
 * What `read` makes of the answer to a request. `IO_FAILED` for a URL that cannot be fetched, an answer that breaks
 * off, and other statuses.
 */
export async function answered<T>(
  url: string,
  signal: AbortSignal | undefined,
  ask: () => Promise<Response>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  let response: Response | undefined;
  try {
    response = await ask();
    if (response.ok || response.status === NOT_MODIFIED) return await read(response);
  } catch (error) {
    throw failedRequest(url, error, response !== undefined, signal);
  }
  const { status, statusText } = response;
  const got = statusText === '' ? `status ${status}` : `status ${status} (${statusText})`;
  throw new PippinError('IO_FAILED', `expected a file at ${url}, got ${got}`, { hint: statusHint(status) });
}

/**
 * The file of an answer: a large one whose size is known while it arrives, any other one as a whole.
 *
 * @param size the bytes of the file, where an answer to a request with a Range has told it.
 */
export async function fileOf(response: Response, options: FetchOptions, size?: number): Promise<WholeFile> {
  const version = versionOf(response);
  const length = announcedBytes(response);
  if (length === undefined || length < LARGE_BYTES || !(await isSizeOfFile(length, size, response, options))) {
    const bytes = await bodyOf(response, options.onBytes);
    return { source: bytes.source(), whole: Promise.resolve(bytes), version };
  }
  await announce(response, options.onBytes, length);
  const source = new ArrivingFile({ response, size: length, version }, options);
  return { source, whole: source.whole, version };
}

/** Whether an announced length is the file's size. To other origins a server need not show that it compresses. */
async function isSizeOfFile(
  length: number,
  size: number | undefined,
  response: Response,
  options: FetchOptions,
): Promise<boolean> {
  if (response.type !== 'cors') return true;
  if (size !== undefined) return size === length;
  const version = { ...versionOf(response), length };
  // The answer to this request is never compressed, and tells the size.
  const answer =
    isComparable(version) && (await askPart(version, { start: 0, end: 1 }, options).catch(() => undefined));
  if (answer === false || answer === undefined) return false;
  await cancelled(answer);
  return true;
}

/** Reports that a download begins, of which the first `done` bytes are there, and gives it up if it is not wanted. */
export async function announce(
  response: Response,
  onBytes: OnBytes,
  length: number | undefined,
  done = 0,
): Promise<void> {
  try {
    onBytes(done, length);
  } catch (error) {
    await cancelled(response);
    throw error;
  }
}

/** undefined if the answer is compressed, as far as it shows that: its length is not the file's then. */
function announcedBytes({ headers }: Response): number | undefined {
  return headers.has('content-encoding') ? undefined : lengthOf(headers);
}

/** The timeout in milliseconds of asking a server for a file's version. */
const ANSWERS_WITHIN_MS = 10_000;

/**
 * What the server says of the file at present, without the file: a HEAD request, which needs no CORS preflight.
 * undefined if it gives no answer that can be used. Only `ABORTED` is thrown.
 */
export async function askVersion(url: string, signal: AbortSignal): Promise<UrlVersion | undefined> {
  const asking = new AbortController();
  const end = (): void => asking.abort();
  const stop = onAbort(signal, end);
  // Without an answer the file is fetched, as it was the first time.
  const timer = setTimeout(end, ANSWERS_WITHIN_MS);
  try {
    const response = await fetch(url, { method: 'HEAD', cache: 'no-cache', signal: asking.signal });
    return response.ok ? versionOf(response) : undefined;
  } catch {
    throwIfAborted(signal);
    return undefined;
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** The answer's bytes, reported as they come. */
export async function bodyOf(response: Response, onBytes: OnBytes): Promise<GrowingBytes> {
  const length = announcedBytes(response);
  const body = new GrowingBytes();
  await announce(response, onBytes, length);
  for await (const chunk of chunksOf(response)) {
    body.append(chunk);
    // Where the encoding is not shown to this origin, more bytes may come than were announced.
    onBytes(body.size, length !== undefined && body.size <= length ? length : undefined);
  }
  onBytes(body.size, body.size);
  return body;
}

function statusHint(status: number): string {
  if (status === 401 || status === 403)
    return 'the server requires credentials, or does not allow this client to read the file';
  if (status === 404 || status === 410) return 'check the path: a relative one starts at the page that makes the call';
  if (status >= 500) return 'the server failed: try again later';
  return 'open the URL by itself to see what the server answers';
}
