import { ownMembers } from '../base/records.js';

/** Bounds for a credible time of modification, in milliseconds. */
const SETTLED_MS = 60_000;
/**
 * The first proving keys in snarkjs' form are of this year. Servers that give every file one early date say nothing of
 * its contents.
 */
const FIRST_KEYS = Date.UTC(2018, 0, 1);

/**
 * What a server says of the file at a URL, as plain data. It has no more than tells one state of the file from another.
 */
export interface UrlVersion {
  /** The URL that answered in the end, after redirects. */
  readonly url: string;
  /** The ETag as it was sent; one that begins with W/ is weak. */
  readonly etag?: string | undefined;
  /**
   * The Last-Modified as it was sent. It is left out where the file may have been changed once more within the same
   * second.
   */
  readonly lastModified?: string | undefined;
  /** The Content-Length: bytes as they were sent, compressed or not. */
  readonly length?: number | undefined;
}

/**
 * What an answer says of its file. To pages of other origins a server shows its ETag and Date only if it exposes them
 * (Access-Control-Expose-Headers); the other two are shown to all.
 *
 * @param now milliseconds since 1970, which stand in for the Date of an answer without one.
 */
export function versionOf({ url, headers }: Pick<Response, 'url' | 'headers'>, now = Date.now()): UrlVersion {
  const etag = headers.get('etag') ?? undefined;
  const lastModified = headers.get('last-modified') ?? undefined;
  const sentAt = Date.parse(headers.get('date') ?? '') || now;
  return {
    url,
    etag,
    lastModified: lastModified !== undefined && isSettled(lastModified, sentAt) ? lastModified : undefined,
    length: lengthOf(headers),
  };
}

/** The Content-Length; undefined if the answer has none. */
export function lengthOf(headers: Headers): number | undefined {
  const text = headers.get('content-length');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Whether the file is certainly the one that it was, by RFC 9110, section 8.8. A strong ETag says so by itself. A
 * Last-Modified says so, with the length, if the file had not been changed for a while when it was fetched: it is then
 * a strong validator (8.8.2.2). A weak ETag is not enough, since files of different bytes may share it. Two answers
 * that came from different URLs are never the same.
 */
export function isSameVersion(before: UrlVersion, now: UrlVersion): boolean {
  if (before.url !== now.url || before.etag !== now.etag) return false;
  if (before.length !== undefined && now.length !== undefined && before.length !== now.length) return false;
  if (isStrong(before.etag)) return true;
  const { lastModified, length } = before;
  return (
    lastModified !== undefined && lastModified === now.lastModified && length !== undefined && length === now.length
  );
}

/** Whether a later answer could be known to be of the same file. */
export function isComparable(version: UrlVersion): boolean {
  return isSameVersion(version, version);
}

/**
 * The ETag of a version, if it is equal only for files of the same bytes. `version` may be of any form, since it was
 * kept in a storage.
 */
export function strongEtag(version: unknown): string | undefined {
  const { etag } = ownMembers(version);
  // Other characters could not be sent.
  return typeof etag === 'string' && /^"[\x21\x23-\x7e]+"$/.test(etag) ? etag : undefined;
}

function isStrong(etag: string | undefined): boolean {
  return etag !== undefined && /^".+"$/.test(etag);
}

/**
 * Whether the file had this time for long enough that it would have another one, had it been changed after it was sent.
 */
function isSettled(lastModified: string, sentAt: number): boolean {
  const changedAt = Date.parse(lastModified);
  return changedAt >= FIRST_KEYS && changedAt <= sentAt - SETTLED_MS;
}
