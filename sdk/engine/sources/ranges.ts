import { pause, throwIfAborted, untilAborted } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { ownMembers } from '../../base/is-object.js';
import { ArrivingFile } from '../../files/arriving-file.js';
import { extendFile } from '../../files/cache/extend-file.js';
import { CHUNK_BYTES, type Manifest } from '../../files/cache/manifest.js';
import type { KeptFile } from '../../files/cache/prepared-cache.js';
import { askRange, cancelled, type FetchOptions, PARTIAL_CONTENT, rangedOf } from '../../files/url-request.js';
import { announce, type FetchedFile } from '../../files/url-source.js';
import type { UrlVersion } from '../../files/url-version.js';
import type { BasesCache } from '../bases-cache.js';
import type { Call } from '../call.js';
import { isSame, withHiddenUrl } from './url-records.js';

/**
 * What asks servers for parts of files, the used parts of PLONK and FFLONK keys and the rest of a download that an
 * earlier visit began, or whether a file is still the same where HEAD does not tell; and what writes large files to the
 * cache while they arrive. A page downloads it when it first does one of these.
 */

export { fetchFileUnlessKept } from '../../files/conditional-request.js';
export { fetchUsedParts, keptParts } from '../../files/snarkjs/used-parts.js';
export { WriteAhead } from './write-ahead.js';

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
