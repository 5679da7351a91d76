import type { BinarySource } from '../api.js';
import { canHash, sha256, toHex } from '../cache/sha256.js';
import { describeSource } from '../caller-source.js';
import { PippinError } from '../errors.js';
import { copyBytes } from '../field/bytes.js';
import { fetchFile, fetchFileUnlessKept } from '../io/url-source.js';
import { isSameVersion, type UrlVersion } from '../io/url-version.js';
import { loadPart } from '../load-part.js';
import type { AliasPlatform } from './alias-platform.js';

/** A key's file as a call finds it. */
export interface KeyFile {
  /** A text that is the same for the same contents. */
  readonly identity: string;
  readonly bytes: number;
  /** What the key is loaded from. Bytes may be moved away. Rejects with `KEY_MISMATCH` for contents that have changed since. */
  readonly open: () => Promise<BinarySource>;
}

/**
 * The files of keys. Contents are known by their SHA-256, and those of a file by its place, size and times. What is at a URL is asked for at every call,
 * as by snarkjs, but it is neither read nor hashed if its key is loaded and the server's ETag or Last-Modified says that it is the same.
 */
export class KeyFiles {
  /** What was at a URL when its key was loaded. */
  private readonly atUrls = new Map<string, { version: UrlVersion; identity: string; bytes: number }>();

  /** @param isLoaded whether there is a loaded key of this identity. */
  constructor(
    private readonly platform: AliasPlatform,
    private readonly isLoaded: (identity: string) => boolean,
  ) {}

  /** What a source has at present. `INVALID_ARGUMENT` for what is no source, `IO_FAILED` for one that cannot be read. */
  async find(source: BinarySource): Promise<KeyFile> {
    if (source instanceof Uint8Array) return ofBytes(source);
    if (source instanceof ArrayBuffer) return ofBytes(new Uint8Array(source));
    const open = async (): Promise<BinarySource> => source;
    if (source instanceof Blob) {
      return { identity: await hashOf(new Uint8Array(await source.arrayBuffer())), bytes: source.size, open };
    }
    const described = describeSource(source, 'a .zkey', this.platform.describeLocation);
    if (described.kind === 'url') return this.findAt(described.url);
    if (described.kind !== 'path' || this.platform.fileVersion === undefined) {
      return { identity: String(source), bytes: 0, open };
    }
    const { bytes, version } = await this.platform.fileVersion(described.path);
    return { identity: `${described.path} ${version}`, bytes, open };
  }

  private async findAt(url: string): Promise<KeyFile> {
    const known = this.atUrls.get(url);
    const isKept = async (version: UrlVersion): Promise<boolean> =>
      known !== undefined && this.isLoaded(known.identity) && isSameVersion(known.version, version);
    // Without the ETag in a header of ours, which would lead past the browser's HTTP cache.
    const fetched = await fetchFileUnlessKept(url, isKept, undefined);
    if (fetched === undefined) {
      const { identity, bytes } = known!;
      // Another call may need the key's room before this one uses it.
      const open = async (): Promise<BinarySource> => {
        const { source } = await fetchFile(url);
        return unchanged(await source.read(0, source.size), identity);
      };
      return { identity, bytes, open };
    }
    const { source, version } = fetched;
    const open = (): Promise<Uint8Array> => source.read(0, source.size);
    const found = { identity: await hashOf(await open()), bytes: source.size };
    for (const [other, { identity }] of this.atUrls) if (!this.isLoaded(identity)) this.atUrls.delete(other);
    this.atUrls.set(url, { ...found, version });
    return { ...found, open };
  }
}

/** Bytes that the caller may write to at any time. */
async function ofBytes(given: Uint8Array): Promise<KeyFile> {
  const identity = await hashOf(given);
  return { identity, bytes: given.length, open: () => unchanged(copyBytes(given), identity) };
}

/** The bytes, if they are still those of the identity: otherwise later calls would get another key than they give. */
async function unchanged(bytes: Uint8Array, identity: string): Promise<Uint8Array> {
  if ((await hashOf(bytes)) === identity) return bytes;
  throw new PippinError('KEY_MISMATCH', 'expected a .zkey that stays as it is while it is loaded, got other contents', {
    hint: 'write to its bytes, or put another file in its place, when the call has ended',
  });
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  if (canHash()) return toHex(await sha256(bytes));
  // Pages over plain HTTP have no WebCrypto.
  const noble = await loadPart('SHA-256', () => import('@noble/hashes/sha2.js'));
  return toHex(noble.sha256(bytes));
}
