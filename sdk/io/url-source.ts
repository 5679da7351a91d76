import { onAbort, throwIfAborted } from '../abort.js';
import { PippinError } from '../errors.js';
import { type ByteSource, blobSource } from './byte-source.js';
import { lengthOf, type UrlVersion, versionOf } from './url-version.js';

/** Called while a file is downloaded: the bytes that have come, and those that will have come at the end, if that is known. */
export type OnBytes = (done: number, total: number | undefined) => void;

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: OnBytes | undefined;
  /** Whether the browser must ask the server before it gives what it has kept itself. */
  readonly fresh?: boolean;
}

/** Bytes that are gathered in JavaScript before they become part of a Blob, which the browser may keep on disk. */
const PART_BYTES = 2 ** 22;

/**
 * What a URL answers, as a Blob, which the browser may keep on disk. `IO_FAILED` for a URL that cannot be fetched, an answer that
 * breaks off, and a status other than 2xx; the hint says what to look at.
 */
export async function urlSource(url: string, options: FetchOptions = {}): Promise<ByteSource> {
  return (await fetchFile(url, options)).source;
}

/** The same, and what the server says of this state of the file. */
export async function fetchFile(
  url: string,
  { signal, onBytes, fresh = false }: FetchOptions = {},
): Promise<{ source: ByteSource; version: UrlVersion }> {
  let response: Response;
  try {
    response = await fetch(url, {
      ...(signal === undefined ? {} : { signal }),
      ...(fresh ? { cache: 'no-cache' } : {}),
    });
    if (response.ok) return { source: blobSource(await bodyOf(response, onBytes)), version: versionOf(response) };
  } catch (error) {
    throwIfAborted(signal);
    throw new PippinError('IO_FAILED', `expected an answer from ${url}, got: ${reasonOf(error)}`, {
      cause: error,
      hint: 'is the server up, does it allow this origin (CORS), and does the content security policy (connect-src) allow it?',
    });
  }
  const { status, statusText } = response;
  const got = statusText === '' ? `status ${status}` : `status ${status} (${statusText})`;
  throw new PippinError('IO_FAILED', `expected a file at ${url}, got ${got}`, { hint: statusHint(status) });
}

/** Milliseconds that a server may take to tell a file's version. */
const ANSWERS_WITHIN_MS = 10_000;

/**
 * What the server says of the file at present, without the file: a HEAD request, for which a page of another origin needs no leave of its own.
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

/** The answer's bytes, told of as they come. */
async function bodyOf(response: Response, onBytes: OnBytes | undefined): Promise<Blob> {
  if (onBytes === undefined || response.body === null) return response.blob();
  // The length of a compressed answer is not that of its file.
  const length = response.headers.has('content-encoding') ? undefined : lengthOf(response.headers);
  const parts: BlobPart[] = [];
  let gathered: Uint8Array<ArrayBuffer>[] = [];
  let gatheredBytes = 0;
  let done = 0;
  onBytes(0, length);
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    gathered.push(next.value);
    gatheredBytes += next.value.length;
    done += next.value.length;
    if (gatheredBytes >= PART_BYTES) {
      parts.push(new Blob(gathered));
      gathered = [];
      gatheredBytes = 0;
    }
    // Where the encoding is not shown to this origin, more bytes may come than were announced.
    onBytes(done, length !== undefined && done <= length ? length : undefined);
  }
  onBytes(done, done);
  return new Blob([...parts, ...gathered]);
}

/** The error's text. Node says what went wrong only in the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return String(error);
  // An AggregateError has no message of its own.
  const { message, code } = error.cause as NodeJS.ErrnoException;
  return `${String(error)} (${message || code || error.cause.name})`;
}

function statusHint(status: number): string {
  if (status === 401 || status === 403)
    return 'the server requires credentials, or does not allow this client to read the file';
  if (status === 404 || status === 410) return 'check the path: a relative one starts at the page that makes the call';
  if (status >= 500) return 'the server failed: try again later';
  return 'open the URL by itself to see what the server answers';
}
