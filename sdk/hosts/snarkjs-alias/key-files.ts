import type { BinarySource } from '../../api/index.js';
import { copyBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type ByteSource, blobSource, memorySource, slicesOf } from '../../files/byte-source.js';
import { sha256InScript, toHex } from '../../files/cache/sha256.js';
import { hashSource } from '../../files/cache/source-hash.js';
import { Downloads, MAX_KEY_BYTES } from '../../files/downloads.js';
import { cancelled, type FetchOptions, requestOf } from '../../files/url-request.js';
import { answered, fetchFile, fileOf } from '../../files/url-source.js';
import { isSameVersion, type UrlVersion, versionOf } from '../../files/url-version.js';
import { describeSource } from '../prover/caller-source.js';
import type { AliasPlatform } from './context.js';

/** A key's file as a call finds it. */
export interface FoundKey {
  /** A text that is the same for the same contents. */
  readonly identity: string;
  readonly bytes: number;
  /**
   * What the key is loaded from. Bytes may be moved away. Rejects with `KEY_MISMATCH` for contents that have changed
   * since.
   */
  readonly open: () => Promise<BinarySource>;
}

/**
 * The files of keys. Bytes are identified by a hash, and files by their place, size and times. What is at a URL is
 * asked for at every call, as by snarkjs, but it is neither read nor hashed if its key is loaded and the server's ETag
 * or Last-Modified says that it is the same.
 */
export class KeyFiles {
  /** What was at a URL when its key was loaded. */
  private readonly atUrls = new Map<string, { version: UrlVersion; identity: string; bytes: number }>();

  /** @param isLoaded whether there is a loaded key of this identity. */
  constructor(
    private readonly platform: AliasPlatform,
    private readonly isLoaded: (identity: string) => boolean,
  ) {}

  /**
   * What a source has at present. `INVALID_ARGUMENT` for what is no source, `IO_FAILED` for one that cannot be read,
   * `DOWNLOAD_TOO_LARGE` for more than `maxBytes` at a URL.
   */
  async find(source: BinarySource, maxBytes = MAX_KEY_BYTES): Promise<FoundKey> {
    if (source instanceof Uint8Array) return ofBytes(source);
    if (source instanceof ArrayBuffer) return ofBytes(new Uint8Array(source));
    const open = async (): Promise<BinarySource> => source;
    if (source instanceof Blob) return { identity: await hashOf(blobSource(source)), bytes: source.size, open };
    const described = describeSource(source, 'a .zkey', this.platform.describeLocation);
    if (described.kind === 'url') return this.findAt(described.url, maxBytes);
    if (described.kind !== 'path' || this.platform.fileVersion === undefined) {
      return { identity: String(source), bytes: 0, open };
    }
    const { bytes, version } = await this.platform.fileVersion(described.path);
    return { identity: `${described.path} ${version}`, bytes, open };
  }

  private async findAt(url: string, maxBytes: number): Promise<FoundKey> {
    const known = this.atUrls.get(url);
    const isKept = async (version: UrlVersion): Promise<boolean> =>
      known !== undefined && this.isLoaded(known.identity) && isSameVersion(known.version, version);
    const options = (): FetchOptions => ({ onBytes: new Downloads(maxBytes).add() });
    // Without the ETag in a header of ours, which would lead past the browser's HTTP cache.
    const fetched = await answered(
      url,
      undefined,
      () => fetch(url, requestOf(options())),
      async (response) => ((await isKept(versionOf(response))) ? cancelled(response) : fileOf(response, options())),
    );
    if (fetched === undefined) {
      const { identity, bytes } = known!;
      // Another call may need the key's room before this one uses it.
      const open = async (): Promise<BinarySource> => {
        const blob = (await (await fetchFile(url, options())).whole).blob();
        return unchanged(blob, blobSource(blob), identity);
      };
      return { identity, bytes, open };
    }
    const { version } = fetched;
    const bytes = await fetched.whole;
    const found = { identity: await hashOf(bytes.source()), bytes: bytes.size };
    for (const [other, { identity }] of this.atUrls) if (!this.isLoaded(identity)) this.atUrls.delete(other);
    this.atUrls.set(url, { ...found, version });
    return { ...found, open: async () => bytes.blob() };
  }
}

/** Bytes that the caller may write to at any time. */
async function ofBytes(given: Uint8Array): Promise<FoundKey> {
  const identity = await hashOf(memorySource(given));
  const open = async (): Promise<BinarySource> => {
    const copy = copyBytes(given);
    return unchanged(copy, memorySource(copy), identity);
  };
  return { identity, bytes: given.length, open };
}

/** The file, if its contents still have the identity: otherwise later calls would get another key than they give. */
async function unchanged<File>(file: File, contents: ByteSource, identity: string): Promise<File> {
  if ((await hashOf(contents)) === identity) return file;
  throw new PippinError('KEY_MISMATCH', 'expected a .zkey that stays as it is while it is loaded, got other contents', {
    hint: 'write to its bytes, or put another file in its place, when the call has ended',
  });
}

/** A hash of the whole source, which is read in slices. */
async function hashOf(source: ByteSource): Promise<string> {
  const hash = await hashSource(slicesOf(source));
  if (hash !== undefined) return hash;
  // Pages over plain HTTP have no WebCrypto.
  const incremental = await sha256InScript();
  for await (const slice of slicesOf(source)) incremental.update(slice);
  return toHex(incremental.digest());
}
