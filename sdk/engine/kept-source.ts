import type { LoadedSource } from '../cache/loaded-source.js';
import { sha256, toHex } from '../cache/sha256.js';
import { PippinError } from '../errors.js';
import { blobSource } from '../io/byte-source.js';
import { askVersion, fetchFile } from '../io/url-source.js';
import { isComparable, isSameVersion, type UrlVersion } from '../io/url-version.js';
import { isObject } from '../is-object.js';
import type { Call } from './call.js';
import type { EngineContext } from './context.js';
import { Downloads } from './downloads.js';
import type { SourceDescription } from './engine-api.js';
import type { OpenedUrl } from './sources.js';

/** What is to be opened. */
export interface KeptRequest {
  readonly description: SourceDescription;
  /** The SHA-256 that it must have, in lower-case hexadecimal; any if it is left out. */
  readonly sha256: string | undefined;
  /** What it is in messages, such as "key". */
  readonly what: string;
  /** How many times its size the storage budget must have for it and for what is prepared from it. */
  readonly room: number;
}

/** Something that was opened, and what is left to do when it was found to be good. */
export interface KeptSource {
  readonly source: LoadedSource;
  /** Begins to keep in the cache what was fetched. */
  keep(): void;
}

/**
 * Opens what the caller described; who has opened it closes it. What comes from URLs is taken from the cache if that is certainly the same:
 *
 * - With a SHA-256 no request is made. What is kept under this hash is hashed again, so that nobody can have changed it in the cache.
 * - Otherwise the server is asked what it has at present, and the file is fetched unless `isSameVersion` says that it is kept.
 *
 * `KEY_MISMATCH` for another SHA-256, and otherwise the errors of `Sources.open`.
 */
export function openKept(context: EngineContext, call: Call, request: KeptRequest): Promise<KeptSource> {
  return request.sha256 === undefined
    ? openUnpinned(context, call, request)
    : openPinned(context, call, request, request.sha256);
}

async function openPinned(context: EngineContext, call: Call, request: KeptRequest, pin: string): Promise<KeptSource> {
  const { cache, sources } = context;
  const expectPin = (source: LoadedSource): Promise<void> =>
    call.span('hash', 'host', () => source.expectSha256(pin, request.what, context.platform.makeSha256, call.signal));
  const record = `file/sha256/${pin}`;
  const mayBeKept = comesFromUrls(request.description);
  const file = mayBeKept ? await cache.findFile(call, record) : undefined;
  const kept = file && (await cache.readFile(call, file));
  if (kept !== undefined) {
    const source = sources.adopt({ source: blobSource(kept.blob), hash: kept.hash }, [record]);
    try {
      await expectPin(source);
      return { source, keep: nothing };
    } catch (error) {
      await source.close();
      if (!(error instanceof PippinError) || error.code !== 'KEY_MISMATCH') throw error;
      call.notice('CACHE_DAMAGED', `a file in the cache has another SHA-256 than it had; fetching it again`);
    }
  }
  const downloads = downloadsOf(call);
  const source = await call.span('read', 'host', () =>
    sources.open(request.description, call.signal, (url) =>
      fetchFile(url, { signal: call.signal, onBytes: downloads.add() }),
    ),
  );
  try {
    await expectPin(source);
  } catch (error) {
    await source.close();
    throw error;
  }
  return { source, keep: () => mayBeKept && cache.keepFile(record, {}, source.source, request.room) };
}

async function openUnpinned(context: EngineContext, call: Call, request: KeptRequest): Promise<KeptSource> {
  const { cache, sources } = context;
  const downloads = downloadsOf(call);
  const fetched: (() => void)[] = [];
  const openUrl = async (url: string): Promise<OpenedUrl> => {
    const mayBeKept = isKeptUrl(url) && cache.kind !== 'none';
    const record = mayBeKept ? `file/url/${await hashOf(url)}` : '';
    const file = mayBeKept ? await cache.findFile(call, record) : undefined;
    // Both at the same time, because nearly always the file is still the same.
    const [now, kept] =
      file === undefined ? [] : await Promise.all([askVersion(url, call.signal), cache.readFile(call, file)]);
    if (file !== undefined && now !== undefined && kept !== undefined && isSame(file.facts, await withHiddenUrl(now))) {
      return { source: blobSource(kept.blob), hash: kept.hash, record };
    }
    const options = { signal: call.signal, onBytes: downloads.add(), fresh: file !== undefined };
    const { source, version } = await fetchFile(url, options).catch((error: unknown) => {
      throw kept === undefined ? error : unreachable(error);
    });
    if (mayBeKept && isComparable(version)) {
      const facts = await withHiddenUrl(version);
      fetched.push(() => cache.keepFile(record, facts, source, request.room));
    }
    return { source };
  };
  const source = await call.span('read', 'host', () => sources.open(request.description, call.signal, openUrl));
  return {
    source,
    keep() {
      for (const keep of fetched) keep();
    },
  };
}

function downloadsOf(call: Call): Downloads {
  return new Downloads((done, total) => call.bytes(done, total));
}

/** Whether a file that is fetched anew at every visit could be kept: others are local already. */
function isKeptUrl(url: string): boolean {
  return /^https?:/.test(url);
}

function comesFromUrls(description: SourceDescription): boolean {
  if (description.kind === 'chunks') return description.chunks.every(comesFromUrls);
  return description.kind === 'url' && isKeptUrl(description.url);
}

/** A URL may have a token in it, which has no business in a storage. */
async function withHiddenUrl(version: UrlVersion): Promise<UrlVersion> {
  return { ...version, url: await hashOf(version.url) };
}

async function hashOf(text: string): Promise<string> {
  return toHex(await sha256(new TextEncoder().encode(text)));
}

function isSame(facts: unknown, now: UrlVersion): boolean {
  return isObject(facts) && isSameVersion(facts as unknown as UrlVersion, now);
}

/** The error for a server that gives no answer, although the file is kept. */
function unreachable(error: unknown): unknown {
  if (!(error instanceof PippinError) || error.code !== 'IO_FAILED') return error;
  return new PippinError(error.code, error.message, {
    cause: error,
    hint: 'the file is in the cache, but only its server can say whether it is still the same; with its sha256 it is loaded without the server',
  });
}

function nothing(): void {
  // It is kept already.
}
