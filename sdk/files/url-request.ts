import { onAbort, throwIfAborted } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import type { OnBytes } from './downloads.js';
import type { Extent } from './partial-file.js';
import { isSameVersion, type UrlVersion, versionOf } from './url-version.js';

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes as they come. What it throws ends the download, and is thrown. */
  readonly onBytes: OnBytes;
  /** Whether the browser must ask the server before it gives what it has kept itself. */
  readonly fresh?: boolean;
}

/** The status of an answer with a part of a file. */
export const PARTIAL_CONTENT = 206;

/** What an answer has of a file. */
export interface Ranged {
  readonly extent: Extent;
  /** The version of the whole file. */
  readonly version: UrlVersion;
  readonly size: number;
}

/** How a file is asked for. */
export function requestOf({ signal, fresh = false }: Omit<FetchOptions, 'onBytes'>): RequestInit {
  return { ...(signal === undefined ? {} : { signal }), ...(fresh ? { cache: 'no-cache' } : {}) };
}

/** Asks for a part of a file, whatever the answer is. */
export function askRange(url: string, extent: Extent, options: Omit<FetchOptions, 'onBytes'>): Promise<Response> {
  return fetch(url, rangeRequest(options, extent));
}

/** How a part of it is asked for (RFC 9110, section 14). */
function rangeRequest(options: Omit<FetchOptions, 'onBytes'>, { start, end }: Extent): RequestInit {
  // Browsers and Node ask for bytes that are not compressed when there is a Range (Fetch, section 4.6).
  return { ...requestOf(options), headers: { range: `bytes=${start}-${end - 1}` } };
}

/** undefined for an answer whose bytes may be compressed, or that does not tell which ones of how many they are. */
export function rangedOf(response: Response): Ranged | undefined {
  const { headers } = response;
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (total === undefined || headers.has('content-encoding')) return undefined;
  const size = Number(total);
  return {
    extent: { start: Number(first), end: Number(last) + 1 },
    version: { ...versionOf(response), length: size },
    size,
  };
}

/**
 * The answer with a part of a version of a file; undefined if the server answers with anything else. Where the first
 * request was sent on to another URL, that one has it.
 */
export async function askPart(
  version: UrlVersion,
  extent: Extent,
  options: Omit<FetchOptions, 'onBytes'>,
): Promise<Response | undefined> {
  const response = await askRange(version.url, extent, options);
  const got = response.status === PARTIAL_CONTENT ? rangedOf(response) : undefined;
  const isWanted =
    got?.extent.start === extent.start && got.extent.end === extent.end && isSameVersion(version, got.version);
  return isWanted ? response : cancelled(response);
}

/** The body's bytes as they come. When they are no longer taken, or the signal fires, the rest is cancelled. */
export async function* chunksOf(response: Response, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const stop = onAbort(signal, cancel);
  try {
    if (signal?.aborted) return;
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    stop();
    // Of a body that has ended there is nothing left to cancel.
    cancel();
  }
}

/** Gives up an answer. */
export async function cancelled(response: Response): Promise<undefined> {
  await response.body?.cancel().catch(() => undefined);
}

/**
 * The error of a URL that gives no answer, or one that breaks off: `ABORTED` if the signal has fired, otherwise
 * `IO_FAILED` with a hint. An error of ours stays what it is.
 */
export function failedRequest(url: string, error: unknown, hasBegun: boolean, signal?: AbortSignal): PippinError {
  throwIfAborted(signal);
  if (error instanceof PippinError) return error;
  return new PippinError('IO_FAILED', `expected an answer from ${url}, got: ${reasonOf(error)}`, {
    cause: error,
    hint: hasBegun
      ? 'the answer began and broke off: try again'
      : 'is the server up, does it allow this origin (CORS), and does the content security policy (connect-src) allow it?',
  });
}

/** The error's text. Node says what went wrong only in the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return String(error);
  // An AggregateError has no message.
  const { message, code } = error.cause as NodeJS.ErrnoException;
  return `${String(error)} (${message || code || error.cause.name})`;
}
