import { onAbort, throwIfAborted } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import { limitConcurrency } from '../base/limit-concurrency.js';
import { type ByteSource, expectWithin, joinSources } from './byte-source.js';
import type { OnBytes } from './downloads.js';
import { bytesOfExtents, type Extent, mergeExtents, PartialFile, withoutExtents } from './partial-file.js';
import {
  askPart,
  askRange,
  cancelled,
  type FetchOptions,
  PARTIAL_CONTENT,
  type Ranged,
  rangedOf,
  requestOf,
} from './url-request.js';
import { answered, bodyOf, type FetchedFile, fileOf } from './url-source.js';
import { isComparable, type UrlVersion, versionOf } from './url-version.js';

/** The parts of a file that are used. */
export interface UsedParts {
  readonly extents: readonly Extent[];
  /** Whether the parts, now that they are there, are what was expected of them. */
  fit(file: ByteSource): Promise<boolean>;
}

/** What to fetch of a file. */
export interface WantedParts {
  /**
   * The parts of a file that are used; undefined for the whole file. What it reads of the file is fetched, in requests
   * one after another if it is not among the first `FIRST_BYTES`.
   */
  readonly partsOf: (file: ByteSource) => Promise<UsedParts | undefined>;
  /** Whether a version is the kept file's. */
  readonly isKept: (version: UrlVersion) => Promise<boolean>;
}

/** Bytes that are asked for first: about as many as a server sends before it waits for an acknowledgement. */
const FIRST_BYTES = 2 ** 14;
/** Fewer bytes between two parts are fetched with them: a request costs more. */
const GAP_BYTES = 2 ** 14;
/** Parts that are fetched at a time: browsers open six connections to a server. */
const MAX_PARALLEL = 4;
/** Counts the bytes of several answers together, as one download. */
interface Count {
  done: number;
  total: number | undefined;
  readonly tell: OnBytes;
}

/**
 * The parts of the file at a URL that are used, by requests with a Range (RFC 9110, section 14). undefined if the file
 * is the kept one. It is the whole file where the server does not answer as it should: with the bytes that were asked
 * for, not compressed, and with a length and an ETag or Last-Modified that show that all parts belong to one version.
 * To pages of other origins a server must expose Content-Range and, for its ETag, that header. Errors as `fetchFile`.
 */
export async function fetchParts(
  url: string,
  wanted: WantedParts,
  options: FetchOptions,
): Promise<FetchedFile | undefined> {
  const { signal, onBytes } = options;
  const count: Count = { done: 0, total: undefined, tell: onBytes };
  const wholeFrom = async (response: Response, size?: number): Promise<FetchedFile | undefined> => {
    if (await wanted.isKept(versionOf(response))) return cancelled(response);
    const { done: before } = count;
    const counted: OnBytes = (done, total) => onBytes(before + done, total === undefined ? undefined : before + total);
    return fileOf(response, { ...options, onBytes: counted }, size);
  };
  return answered(
    url,
    signal,
    () => askFirst(url, options),
    async (response) => {
      if (response.status !== PARTIAL_CONTENT) return wholeFrom(response);
      const first = rangedOf(response);
      if (first !== undefined && (await wanted.isKept(first.version))) return cancelled(response);
      const parts = first && (await partsFrom(response, first, wanted, options, count));
      if (parts !== undefined) return parts;
      await cancelled(response);
      return answered(
        url,
        signal,
        () => fetch(url, requestOf(options)),
        (again) => wholeFrom(again, first?.size),
      );
    },
  );
}

/** The first bytes, or what the URL answers to a request without a Range if it has no use for that one. */
async function askFirst(url: string, options: FetchOptions): Promise<Response> {
  const response = await askRange(url, { start: 0, end: FIRST_BYTES }, options).catch(() => undefined);
  if (response?.ok === true) return response;
  await response?.body?.cancel();
  throwIfAborted(options.signal);
  return fetch(url, requestOf(options));
}

/** The parts, of which the response has the first; undefined if they cannot be had. */
async function partsFrom(
  response: Response,
  { extent, size, version }: Ranged,
  { partsOf }: WantedParts,
  options: FetchOptions,
  count: Count,
): Promise<FetchedFile | undefined> {
  const isFirst = extent.start === 0 && extent.end === Math.min(FIRST_BYTES, size);
  if (!isFirst || !isComparable(version)) return undefined;
  // Whatever a server does wrong here, the file may still be had as a whole.
  return failing(options.signal, async () => {
    const request = (part: Extent, signal: AbortSignal) => fetchPart(version, part, { ...options, signal }, count);
    const remote = new RemoteFile(size, request, options.signal);
    remote.add(extent, await bytesOfPart(response, extent, count));
    const used = await partsOf(remote);
    if (used === undefined) return undefined;
    const extents = mergeExtents([...remote.extents, ...used.extents], GAP_BYTES);
    count.total = bytesOfExtents(extents);
    await remote.fetch(extents);
    const source = remote.fetched();
    const { parts } = source;
    return (await used.fit(source)) ? { source, whole: Promise.resolve(), version, parts } : undefined;
  });
}

/** A file whose parts are fetched when they are read. */
class RemoteFile implements ByteSource {
  private readonly parts: { readonly extent: Extent; readonly bytes: ByteSource }[] = [];

  constructor(
    readonly size: number,
    private readonly request: (extent: Extent, signal: AbortSignal) => Promise<ByteSource>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    expectWithin(this.size, offset, length);
    await this.fetch([{ start: offset, end: offset + length }]);
    return this.fetched().read(offset, length);
  }

  /** The parts that are there. */
  get extents(): Extent[] {
    return mergeExtents(this.parts.map(({ extent }) => extent));
  }

  add(extent: Extent, bytes: ByteSource): void {
    this.parts.push({ extent, bytes });
    this.parts.sort((a, b) => a.extent.start - b.extent.start);
  }

  /** Fetches what is missing of these parts. When one cannot be had, the requests of the others end. */
  async fetch(extents: readonly Extent[]): Promise<void> {
    const missing = extents.flatMap((extent) => withoutExtents(extent, this.extents));
    const ending = new AbortController();
    const stop = onAbort(this.signal, () => ending.abort());
    try {
      await limitConcurrency(missing.length, MAX_PARALLEL, async (i) => {
        try {
          this.add(missing[i]!, await this.request(missing[i]!, ending.signal));
        } catch (error) {
          ending.abort();
          throw error;
        }
      });
    } finally {
      stop();
    }
  }

  /** The file, as far as it is there. */
  fetched(): PartialFile {
    const contents = joinSources(this.parts.map(({ bytes }) => bytes));
    return new PartialFile({ size: this.size, extents: this.extents }, contents);
  }
}

/** A part of a version of a file, or an error. */
async function fetchPart(
  version: UrlVersion,
  extent: Extent,
  options: FetchOptions,
  count: Count,
): Promise<ByteSource> {
  const response = await askPart(version, extent, options);
  if (response !== undefined) return bytesOfPart(response, extent, count);
  throw new Error('the server answered with something else than the part of the file that was asked for');
}

/** The body of an answer, which must have exactly the bytes of the extent. */
async function bytesOfPart(response: Response, { start, end }: Extent, count: Count): Promise<ByteSource> {
  let before = 0;
  const bytes = await bodyOf(response, (done) => {
    if (done > end - start) throw new Error('the server answered with more bytes than were asked for');
    count.done += done - before;
    before = done;
    count.tell(count.done, count.total);
  });
  if (bytes.size !== end - start) throw new Error('the server answered with fewer bytes than were asked for');
  return bytes.source();
}

/** What `work` gives; undefined if it fails otherwise than by an abort or a limit of the download. */
async function failing<T>(signal: AbortSignal | undefined, work: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof PippinError && error.code === 'DOWNLOAD_TOO_LARGE') throw error;
    return undefined;
  }
}
