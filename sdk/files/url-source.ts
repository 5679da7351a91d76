import { onAbort, throwIfAborted } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import { type ByteSource, blobSource } from './byte-source.js';
import type { OnBytes } from './downloads.js';
import type { PartsOfFile } from './partial-file.js';
import { lengthOf, type UrlVersion, versionOf } from './url-version.js';

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes as they come. What it throws ends the download, and is thrown. */
  readonly onBytes: OnBytes;
  /** Whether the browser must ask the server before it gives what it has kept itself. */
  readonly fresh?: boolean;
}

/** A file as it was fetched, and what the server says of this state of it. */
export interface FetchedFile {
  readonly source: ByteSource;
  /** The same; of a file of which parts were fetched, its `contents`. */
  readonly blob: Blob;
  readonly version: UrlVersion;
  /** Which parts of it were fetched, if not all. */
  readonly parts?: PartsOfFile;
}

/** The status that tells that the file has the ETag that was sent. */
const NOT_MODIFIED = 304;

/** Bytes that are gathered in JavaScript before they become part of a Blob, which the browser may keep on disk. */
const PART_BYTES = 2 ** 22;

/**
 * What a URL answers, as a Blob, which the browser may keep on disk, and what the server says of this state of the
 * file. `IO_FAILED` for a URL that cannot be fetched, an answer that breaks off, and a status other than 2xx; the hint
 * says what to look at.
 */
export async function fetchFile(url: string, options: FetchOptions): Promise<FetchedFile> {
  return answered(
    url,
    options.signal,
    () => fetch(url, requestOf(options)),
    (response) => fileOf(response, options),
  );
}

/**
 * The same as a conditional request: undefined, without the bytes, if the file is the kept one. A server that knows the
 * ETag answers with the status 304; another server's answer is cancelled after its headers. This serves where HEAD is
 * refused or answered in another way.
 *
 * @param isKept whether a version is the kept file's.
 * @param etag the strong ETag of the kept file, if it has one.
 */
export async function fetchFileUnlessKept(
  url: string,
  isKept: (version: UrlVersion) => Promise<boolean>,
  etag: string | undefined,
  options: FetchOptions,
): Promise<FetchedFile | undefined> {
  const { signal } = options;
  const init = requestOf(options);
  // For another origin the header would need a CORS preflight, which the server may not know how to answer.
  const headers = etag !== undefined && !isForeign(url) ? { 'if-none-match': etag } : undefined;
  const ask = async (): Promise<Response> => {
    if (headers === undefined) return fetch(url, init);
    const response = await fetch(url, { ...init, headers });
    // The ETags that a server compares may be weak. Then the file itself is asked for.
    const isCertain = response.status !== NOT_MODIFIED || (await isKept(versionOf(response)));
    return isCertain ? response : fetch(url, init);
  };
  return answered(url, signal, ask, async (response) => {
    if (response.status !== NOT_MODIFIED && !(await isKept(versionOf(response)))) return fileOf(response, options);
    await response.body?.cancel();
    return undefined;
  });
}

/** How a file is asked for. */
export function requestOf({ signal, fresh = false }: FetchOptions): RequestInit {
  return { ...(signal === undefined ? {} : { signal }), ...(fresh ? { cache: 'no-cache' } : {}) };
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
    throwIfAborted(signal);
    if (error instanceof PippinError) throw error;
    throw new PippinError('IO_FAILED', `expected an answer from ${url}, got: ${reasonOf(error)}`, {
      cause: error,
      hint:
        response === undefined
          ? 'is the server up, does it allow this origin (CORS), and does the content security policy (connect-src) allow it?'
          : 'the answer began and broke off: try again',
    });
  }
  const { status, statusText } = response;
  const got = statusText === '' ? `status ${status}` : `status ${status} (${statusText})`;
  throw new PippinError('IO_FAILED', `expected a file at ${url}, got ${got}`, { hint: statusHint(status) });
}

/** The whole file of an answer. */
export async function fileOf(response: Response, { onBytes }: FetchOptions): Promise<FetchedFile> {
  const blob = await bodyOf(response, onBytes);
  return { source: blobSource(blob), blob, version: versionOf(response) };
}

/** Whether a URL is of another origin than the page. In Node there is none, and no request needs a CORS preflight. */
function isForeign(url: string): boolean {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  return location !== undefined && new URL(url).origin !== location.origin;
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
export async function bodyOf(response: Response, onBytes: OnBytes): Promise<Blob> {
  if (response.body === null) return response.blob();
  // The length of a compressed answer is not the length of its file.
  const length = response.headers.has('content-encoding') ? undefined : lengthOf(response.headers);
  const parts: BlobPart[] = [];
  let gathered: Uint8Array<ArrayBuffer>[] = [];
  let gatheredBytes = 0;
  let done = 0;
  const reader = response.body.getReader();
  try {
    onBytes(0, length);
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
  } catch (error) {
    // The rest is not wanted.
    reader.cancel().catch(() => undefined);
    throw error;
  }
  onBytes(done, done);
  return new Blob([...parts, ...gathered]);
}

/** The error's text. Node says what went wrong only in the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return String(error);
  // An AggregateError has no message.
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
