import { onAbort, pause, throwIfAborted, untilAborted } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { ownMembers } from '../../base/records.js';
import { ArrivingFile } from '../../files/arriving-file.js';
import { extendFile } from '../../files/cache/extend-file.js';
import { CHUNK_BYTES, type Manifest } from '../../files/cache/manifest.js';
import type { KeptFile, PreparedCache } from '../../files/cache/prepared-cache.js';
import { hashOfSlices } from '../../files/cache/source-hash.js';
import {
  askRange,
  cancelled,
  type FetchOptions,
  PARTIAL_CONTENT,
  rangedOf,
  requestOf,
} from '../../files/url-request.js';
import { announce, answered, type FetchedFile, fileOf, NOT_MODIFIED, type WholeFile } from '../../files/url-source.js';
import { type UrlVersion, versionOf } from '../../files/url-version.js';
import type { BasesCache } from '../bases-cache.js';
import type { Call } from '../call.js';
import { isSame, withHiddenUrl } from './url-records.js';

/**
 * What asks servers for parts of files, the used parts of PLONK and FFLONK keys and the rest of a download that an
 * earlier visit began, or whether a file is still the same where HEAD does not tell; and what writes large files to the
 * cache while they arrive. A page downloads it when it first does one of these.
 */

export { fetchUsedParts, keptParts } from '../../files/snarkjs/used-parts.js';

/** Milliseconds after which it is found out whether a download is slow. */
const FAST_MS = 2000;
/** It is slow if by its rate until now it will take so many milliseconds more. */
const SLOW_MS = 2000;

/** What is kept of an unfinished download. */
interface BegunFile {
  /** The key of its record. */
  readonly record: string;
  /** How many times its size the storage budget must have for the file. */
  readonly room: number;
  /** What an earlier visit kept; undefined if the download did not go on behind it. */
  readonly begun: KeptFile | undefined;
}

/**
 * Goes on with a download of which an earlier visit kept the first bytes: asks for the rest, by a Range, while they are
 * read from the cache. undefined if the server cannot be reached; and, without the record from then on, if the file has
 * changed since, the server gives no ranges, or the record is damaged. Throws `ABORTED`, and what `onBytes` throws.
 */
export async function fetchRest(
  { cache, call }: { readonly cache: BasesCache; readonly call: Call },
  { record, file: begun }: { readonly record: string; readonly file: KeptFile<UrlVersion> },
  url: string,
  options: FetchOptions,
): Promise<FetchedFile | undefined> {
  const { length } = ownMembers(begun.facts);
  const end = typeof length === 'number' && length > begun.size ? length : begun.size + 1;
  const [response, read] = await Promise.all([
    askRange(url, { start: begun.size, end }, options).catch(() => undefined),
    cache.readFile(call, begun),
  ]);
  throwIfAborted(options.signal);
  if (response?.ok !== true) return response && cancelled(response);
  const got = response.status === PARTIAL_CONTENT ? rangedOf(response) : undefined;
  const isRest = got?.extent.start === begun.size && got.extent.end === got.size;
  if (!isRest || read === undefined || !isSame(begun.facts, await withHiddenUrl(got.version))) {
    await Promise.all([cancelled(response), cache.dropFile(record)]);
    return undefined;
  }
  const { size, version } = got;
  await announce(response, options.onBytes, size, begun.size);
  const source = new ArrivingFile({ response, size, version, begun: read.source }, options);
  return { source, whole: source.whole, version };
}

/**
 * Keeps the first bytes of a slow download, chunk by chunk as they arrive, until it ends or the storage refuses them.
 * When all bytes are there, the record is deleted: the whole file will be kept, or shall not be.
 */
export async function keepBegun(
  cache: BasesCache,
  { record, room, begun }: BegunFile,
  source: ArrivingFile,
  version: UrlVersion,
): Promise<void> {
  const since = performance.now();
  const ending = new AbortController();
  const ended = ending.signal;
  const end = (): void => ending.abort();
  source.whole.then(end, end);
  await pause(FAST_MS, [ended]);
  // The record of a download that went on is to be deleted.
  if (begun === undefined && ended.aborted) return;
  const keptBytes = begun?.size ?? 0;
  const isSlow = (): boolean => {
    const rate = (source.arrivedBytes - keptBytes) / (performance.now() - since);
    return source.size - source.arrivedBytes > rate * SLOW_MS;
  };
  if (cache.hasRoom(source.size, room)) {
    while (!ended.aborted && !isSlow()) await pause(SLOW_MS, [ended]);
    await keepChunks(cache, { key: record, facts: await withHiddenUrl(version) }, source, keptBytes, ended);
  }
  await source.whole;
  await cache.writing((kept) => kept.remove(record));
}

/** Keeps chunks behind the first `keptBytes`. One that ends with the file is not kept: no rest could be asked for. */
async function keepChunks(
  cache: BasesCache,
  described: Pick<Manifest, 'key' | 'facts'>,
  source: ArrivingFile,
  keptBytes: number,
  ended: AbortSignal,
): Promise<void> {
  for (let at = keptBytes; at + CHUNK_BYTES < source.size; at += CHUNK_BYTES) {
    const chunk = await untilAborted(source.read(at, CHUNK_BYTES), ended).catch(() => undefined);
    if (chunk === undefined || !(await cache.writing((kept) => extendFile(kept, described, at, chunk)))) return;
    freeMemory(chunk);
  }
}

/** The error for a server that gives no answer, although the file is kept. */
export function unreachable(error: unknown): unknown {
  if (!(error instanceof PippinError) || error.code !== 'IO_FAILED') return error;
  return new PippinError(error.code, error.message, {
    cause: error,
    hint: 'the file is in the cache, but only its server can say whether it is still the same; with its sha256 it is loaded without the server',
  });
}

/**
 * `fetchFile` as a conditional request: undefined, without the bytes, if the file is the kept one. A server
 * that knows the ETag answers with the status 304; another server's answer is cancelled after its headers. This serves
 * where HEAD is refused or answered in another way.
 *
 * @param isKept whether a version is the kept file's.
 * @param etag the strong ETag of the kept file, if it has one.
 */
export async function fetchFileUnlessKept(
  url: string,
  isKept: (version: UrlVersion) => Promise<boolean>,
  etag: string | undefined,
  options: FetchOptions,
): Promise<WholeFile | undefined> {
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

/** Whether a URL is of another origin than the page. In Node there is none, and no request needs a CORS preflight. */
function isForeign(url: string): boolean {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  return location !== undefined && new URL(url).origin !== location.origin;
}

/** The keys of files that are being written while they arrive. */
const arriving = new WeakMap<BasesCache, Set<string>>();

/**
 * A file that is written to the cache while it arrives: it is hashed once, and little of that is left for the time of
 * the first proof. Nothing of it stays if the file is closed before `keep` is called, the cache is cleared, or the
 * storage fails. A page that is left meanwhile leaves chunks without a record, which the next download of the file
 * replaces. Nothing is written with a storage budget, which counts records alone, nor while another file of the same
 * key arrives.
 */
export class WriteAhead {
  /** The hash of `hashSource` as soon as all bytes are hashed; undefined if they are not written. */
  readonly hash: Promise<string | undefined>;
  private readonly saved: Promise<boolean>;
  private readonly wanted: Promise<void>;
  private want: () => void = () => undefined;
  private tellHash: (hash: string | undefined) => void = () => undefined;
  private readonly ending = new AbortController();
  private readonly ignoreClosing: () => void;

  constructor(
    cache: BasesCache,
    private readonly described: Pick<Manifest, 'key' | 'facts'>,
    source: ArrivingFile,
  ) {
    this.wanted = new Promise((resolve) => {
      this.want = resolve;
    });
    this.hash = new Promise((resolve) => {
      this.tellHash = resolve;
    });
    const end = (): void => this.ending.abort();
    this.ignoreClosing = onAbort(source.closing.signal, end);
    const stopListening = onAbort(cache.clearing.signal, end);
    const keys = arriving.get(cache) ?? new Set();
    arriving.set(cache, keys);
    this.saved = cache
      .writing((kept) => this.write(kept, source, keys))
      .then(
        (isSaved) => isSaved === true,
        () => false,
      )
      .finally(() => {
        this.tellHash(undefined);
        stopListening();
      });
  }

  /** Makes a record of what is written, when all of it is. Calls `otherwise` if it is not written. */
  async keep(otherwise: () => void): Promise<void> {
    // A file that is loaded may be closed: all of it is there.
    this.ignoreClosing();
    this.want();
    if (!(await this.saved)) otherwise();
  }

  private async write(kept: PreparedCache, source: ArrivingFile, keys: Set<string>): Promise<boolean> {
    const { key, facts } = this.described;
    const { signal } = this.ending;
    if (kept.budget !== undefined || keys.has(key)) return false;
    keys.add(key);
    // Who opens the file names it when it is open.
    await pause(0, []);
    const file = {
      size: source.size,
      name: source.name,
      read: (offset: number, length: number) => untilAborted(source.read(offset, length), signal),
    };
    const outcome = await kept
      .saveFile(key, facts, file, {
        signal,
        confirm: async ([array]) => {
          this.tellHash(await hashOfSlices(array!.chunks));
          await untilAborted(this.wanted, signal);
        },
      })
      .finally(() => keys.delete(key));
    return outcome.kind === 'saved';
  }
}
