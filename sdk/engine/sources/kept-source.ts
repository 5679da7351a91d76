import { PippinError, type PippinErrorCode } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import { ArrivingFile } from '../../files/arriving-file.js';
import type { ByteSource, SourceDescription } from '../../files/byte-source.js';
import type { LoadedSource } from '../../files/cache/loaded-source.js';
import type { Manifest } from '../../files/cache/manifest.js';
import type { KeptFile } from '../../files/cache/prepared-cache.js';
import { Downloads } from '../../files/downloads.js';
import { askVersion, type FetchedFile, fetchFile } from '../../files/url-source.js';
import { isComparable, strongEtag, type UrlVersion } from '../../files/url-version.js';
import type { BasesCache } from '../bases-cache.js';
import type { Call } from '../call.js';
import type { EngineContext } from '../context.js';
import { fetchResumable, loadDownloadCache } from './resumable-download.js';
import type { OpenedUrl } from './sources.js';
import { hashOf, isKeptUrl, isSame, withHiddenUrl } from './url-records.js';

/** What is to be opened. */
export interface KeptRequest {
  readonly description: SourceDescription;
  /** The SHA-256 that it must have, in lower-case hexadecimal; any if it is left out. */
  readonly sha256: string | undefined;
  /** What it is in messages, such as "key". */
  readonly what: string;
  /** The most bytes that are downloaded. */
  readonly maxBytes: number;
  /** How many times its size the storage budget must have for it and for what is prepared from it. */
  readonly room: number;
  /**
   * Whether it may be a key of which only parts are used: they alone are fetched where its server allows that, and the
   * whole file with a SHA-256.
   */
  readonly mayBeParts?: boolean;
}

type Load<T> = (source: LoadedSource) => Promise<T>;
type Release<T> = (loaded: T) => void;

/** What is kept of a file beside its bytes: its version, and which parts of it they are, if not all. */
type KeptFacts = UrlVersion & { readonly parts?: unknown };

/** Something that was opened, and what is left to do when it was found to be good. */
interface KeptSource {
  readonly source: LoadedSource;
  /** Rejected if it has another SHA-256 than it must have; left out where that is known, or any will do. */
  readonly pinned?: Promise<void>;
  /** Begins to keep in the cache what was fetched. */
  keep(): void;
}

/** What loading says of a file whose contents are not what they should be. */
const WRONG_CONTENTS: ReadonlySet<PippinErrorCode> = new Set<PippinErrorCode>([
  'MALFORMED_FILE',
  'UNSUPPORTED_FORMAT',
  'CURVE_MISMATCH',
  'KEY_MISMATCH',
  'KEY_UNFINISHED',
  'INVALID_LENGTH',
  'INVALID_POINT',
]);

/**
 * Opens what the caller described and loads it by `load`; after a failure the source is closed here. A copy in the
 * cache that cannot be loaded, although its server says that the file is the same, may have been changed there: it is
 * deleted, and the file is fetched once more. What loads is kept.
 *
 * @param load closes the source when it no longer needs it.
 * @param release releases what was loaded of a file that turns out to have the wrong SHA-256. Without it nothing is
 * loaded before the SHA-256 is known.
 */
export async function loadKept<T>(
  context: EngineContext,
  call: Call,
  request: KeptRequest,
  load: Load<T>,
  release?: Release<T>,
): Promise<T> {
  const opened = await openKept(context, call, request, release !== undefined);
  try {
    return await loadAndKeep(opened, load, release);
  } catch (error) {
    const { source, pinned } = opened;
    const isUnsureCopy = source.records.length > 0 && (request.sha256 === undefined || pinned !== undefined);
    if (!isUnsureCopy || !(error instanceof PippinError) || !WRONG_CONTENTS.has(error.code)) throw error;
    await dropCopy(context, call, source, error);
    return loadAndKeep(await openKept(context, call, request, false), load, undefined);
  }
}

/** Deletes what a source was read from. */
async function dropCopy(
  { cache }: EngineContext,
  call: Call,
  source: LoadedSource,
  { code }: PippinError,
): Promise<void> {
  call.notice('CACHE_DAMAGED', `a file in the cache cannot be loaded (${code}); fetching it again`);
  await cache.drop(source);
}

async function loadAndKeep<T>(
  { source, pinned, keep }: KeptSource,
  load: Load<T>,
  release: Release<T> | undefined,
): Promise<T> {
  try {
    const loaded = await (pinned === undefined ? load(source) : loadPinned(load(source), pinned, release));
    // The end of a file may be something that nobody reads.
    await source.arrived;
    keep();
    return loaded;
  } catch (error) {
    void source.close();
    throw error;
  }
}

/** What is loaded while its source is hashed. A wrong hash takes precedence over the errors of loading. */
async function loadPinned<T>(loading: Promise<T>, pinned: Promise<void>, release: Release<T> | undefined): Promise<T> {
  const [loaded, hashed] = await Promise.allSettled([loading, pinned]);
  const isOther = hashed.status === 'rejected' && isMismatch(hashed.reason);
  if (loaded.status === 'rejected') throw isOther ? hashed.reason : loaded.reason;
  if (hashed.status === 'fulfilled') return loaded.value;
  release?.(loaded.value);
  throw hashed.reason;
}

function isMismatch(error: unknown): error is PippinError {
  return error instanceof PippinError && error.code === 'KEY_MISMATCH';
}

/**
 * Opens what the caller described; who has opened it closes it. What comes from URLs is taken from the cache if that is
 * certainly the same:
 *
 * - With a SHA-256 no request is made. What is kept under this hash is hashed again, so that nobody can have changed it
 *   in the cache.
 * - Otherwise the server is asked what it has at present, by HEAD, and where that does not say it, by a GET whose
 *   answer stops at its headers. The file is fetched unless `isSameVersion` says that it is kept.
 *
 * `KEY_MISMATCH` for another SHA-256, and otherwise the errors of `Sources.open`.
 */
function openKept(
  context: EngineContext,
  call: Call,
  request: KeptRequest,
  mayLoadFirst: boolean,
): Promise<KeptSource> {
  return request.sha256 === undefined
    ? openUnpinned(context, call, request)
    : openPinned(context, call, request, request.sha256, mayLoadFirst);
}

/** @param mayLoadFirst whether a download may be loaded before its hash is known. */
async function openPinned(
  context: EngineContext,
  call: Call,
  request: KeptRequest,
  pin: string,
  mayLoadFirst: boolean,
): Promise<KeptSource> {
  const { cache, sources } = context;
  const expectPin = (source: LoadedSource): Promise<void> =>
    call.span('hash', 'host', () =>
      source.expectSha256(pin, request.what, context.platform.makeSha256, call.signal, call.meter('hash', 1)),
    );
  const record = `file/sha256/${pin}`;
  const mayBeKept = comesFromUrls(request.description);
  const file = mayBeKept ? await cache.findFile(call, record) : undefined;
  const kept = file && (await cache.readFile(call, file));
  if (kept !== undefined) {
    const source = sources.adopt(kept, [record]);
    try {
      await expectPin(source);
      // It is kept already.
      return { source, keep: () => undefined };
    } catch (error) {
      await source.close();
      if (!isMismatch(error)) throw error;
      call.notice('CACHE_DAMAGED', `a file in the cache has another SHA-256 than it had; fetching it again`);
    }
  }
  const downloads = downloadsOf(call, request);
  const openUrl = (url: string): Promise<OpenedUrl> => {
    const options = { signal: call.signal, onBytes: downloads.add() };
    return fetchResumable(context, call, { url, room: request.room }, options, () => fetchFile(url, options));
  };
  const source = await openArriving(call, () => sources.open(request.description, openUrl));
  const keep = mayBeKept
    ? keeper(cache, { key: record, facts: {} }, source.source, request.room).keep
    : () => undefined;
  const pinned = expectPin(source);
  if (mayLoadFirst && mayBeKept) return { source, pinned, keep };
  try {
    await pinned;
  } catch (error) {
    await source.close();
    if (!isMismatch(error) || source.records.length === 0) throw error;
    await dropCopy(context, call, source, error);
    return openPinned(context, call, request, pin, mayLoadFirst);
  }
  return { source, keep };
}

async function openUnpinned(context: EngineContext, call: Call, request: KeptRequest): Promise<KeptSource> {
  const { cache, sources } = context;
  const downloads = downloadsOf(call, request);
  const fetched: (() => void)[] = [];
  const openUrl = async (url: string): Promise<OpenedUrl> => {
    const mayBeKept = isKeptUrl(url) && cache.kind !== 'none';
    const record = mayBeKept ? `file/url/${await hashOf(url)}` : '';
    const file = mayBeKept ? await cache.findFile<KeptFacts>(call, record) : undefined;
    // Both at the same time, because nearly always the file is still the same.
    const [now, kept] =
      file === undefined ? [] : await Promise.all([askVersion(url, call.signal), readKept(context, call, file)]);
    const isKept = async (version: UrlVersion): Promise<boolean> => isSame(file?.facts, await withHiddenUrl(version));
    if (kept !== undefined && now !== undefined && (await isKept(now))) return { ...kept, record };
    const options = { signal: call.signal, onBytes: downloads.add(), fresh: file !== undefined };
    const fetching = async (): Promise<FetchedFile | undefined> => {
      if (request.mayBeParts === true && isKeptUrl(url)) {
        return (await loadDownloadCache()).fetchUsedParts(
          url,
          async (version) => kept !== undefined && isKept(version),
          options,
        );
      }
      return kept === undefined
        ? fetchFile(url, options)
        : (await loadDownloadCache()).fetchFileUnlessKept(url, isKept, strongEtag(file?.facts), options);
    };
    const { room } = request;
    const answer = await fetchResumable(context, call, { url, room }, options, fetching).catch(
      async (error: unknown) => {
        throw kept === undefined ? error : (await loadDownloadCache()).unreachable(error);
      },
    );
    if (answer === undefined) return { ...kept!, record };
    const { source, whole, version, parts, record: begun } = answer;
    const opened = { source, whole, record: begun };
    if (!mayBeKept || !isComparable(version)) return opened;
    const facts: KeptFacts = { ...(await withHiddenUrl(version)), parts };
    const { keep, ...hash } = keeper(cache, { key: record, facts }, source, room);
    fetched.push(keep);
    return { ...opened, ...hash };
  };
  const source = await openArriving(call, () => sources.open(request.description, openUrl));
  return {
    source,
    keep() {
      for (const keep of fetched) keep();
    },
  };
}

/** Opens a source whose bytes may still be arriving; the span of reading it ends when they are there. */
function openArriving(call: Call, open: () => Promise<LoadedSource>): Promise<LoadedSource> {
  return new Promise((resolve, reject) => {
    const read = async (): Promise<void> => {
      const source = await open();
      resolve(source);
      await source.arrived;
    };
    call.span('read', 'host', read).catch(reject);
  });
}

/** The copy of a file in the cache, or of its parts; undefined if it is damaged. */
async function readKept(
  { cache }: EngineContext,
  call: Call,
  file: KeptFile<KeptFacts>,
): Promise<OpenedUrl | undefined> {
  const kept = await cache.readFile(call, file);
  const { parts } = ownMembers(file.facts);
  if (kept === undefined || parts === undefined) return kept;
  const source = (await loadDownloadCache()).keptParts(kept.source, parts);
  return source && { source, hash: kept.hash };
}

/** Keeps a file at `keep`. One that is still arriving is written meanwhile, so that nothing is left for then. */
function keeper(
  cache: BasesCache,
  described: Pick<Manifest, 'key' | 'facts'>,
  source: ByteSource,
  room: number,
): Pick<OpenedUrl, 'hash'> & { keep(): void } {
  const keep = (): void => cache.keepFile(described.key, described.facts, contentsOf(source), room);
  if (!(source instanceof ArrivingFile)) return { keep };
  const ahead = loadDownloadCache().then(({ WriteAhead }) => new WriteAhead(cache, described, source));
  return {
    hash: ahead.then(({ hash }) => hash).catch(() => undefined),
    keep: () => void ahead.then((writing) => writing.keep(keep), keep),
  };
}

/** What is kept of a source, under its name. */
function contentsOf(source: ByteSource): ByteSource {
  const { contents, name } = source;
  return contents === undefined ? source : Object.assign(contents, { name });
}

function downloadsOf(call: Call, { maxBytes }: KeptRequest): Downloads {
  return new Downloads(maxBytes, (done, total) => call.bytes(done, total));
}

function comesFromUrls(description: SourceDescription): boolean {
  if (description.kind === 'chunks') return description.chunks.every(comesFromUrls);
  return description.kind === 'url' && isKeptUrl(description.url);
}
