import { throwIfAborted } from '../abort.js';
import { PippinError } from '../errors.js';
import { type ByteSource, blobSource } from './byte-source.js';

/**
 * What a URL answers, as a Blob, which the browser may keep on disk. `IO_FAILED` for a URL that cannot be fetched, an answer that
 * breaks off, and a status other than 2xx; the hint says what to look at.
 */
export async function urlSource(url: string, signal?: AbortSignal): Promise<ByteSource> {
  let response: Response;
  try {
    response = await fetch(url, signal === undefined ? {} : { signal });
    if (response.ok) return blobSource(await response.blob());
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
