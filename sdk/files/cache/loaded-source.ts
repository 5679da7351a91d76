import { throwIfAborted, untilAborted } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import { type ByteSource, closedSource, slicesOf } from '../byte-source.js';
import { canHash, hashedOnTheWay, type MakeSha256, toHex } from './sha256.js';
import { hashSource } from './source-hash.js';

/** The source of something that is loaded. It can be read as long as that is loaded, and is hashed at most once. */
export class LoadedSource implements ByteSource {
  readonly size: number;
  private hashing: Promise<string | undefined> | undefined;
  private closing: Promise<void> | undefined;
  private known: string | undefined;

  /**
   * @param source what it reads.
   * @param letGo called once, when nothing is read any more.
   * @param given the hash of `hashSource`, where it is known, or computed elsewhere: undefined if that fails.
   * @param records the keys of the cache's records that it was read from.
   * @param arrived settled when all of it that is downloaded is there, or cannot be had.
   */
  constructor(
    readonly source: ByteSource,
    private readonly letGo: () => Promise<void> = async () => undefined,
    readonly given?: string | Promise<string | undefined>,
    readonly records: readonly string[] = [],
    readonly arrived: Promise<unknown> = Promise.resolve(),
  ) {
    this.size = source.size;
    if (typeof given === 'string') this.known = given;
  }

  /** See `ByteSource`. `DISPOSED` after `close`. */
  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    this.throwIfClosed();
    return this.source.read(offset, length);
  }

  /** The hash, once it has been computed. */
  get knownHash(): string | undefined {
    return this.known;
  }

  /**
   * The hash of `hashSource`, of a file's parts if only some are there. Unless it is computed elsewhere, the first call
   * reads the whole source, and `signal` stops that; a call after a failure retries. `DISPOSED` after `close`, unless
   * the hash is known.
   */
  async hash(signal?: AbortSignal, onProgress?: (fraction: number) => void): Promise<string | undefined> {
    this.known ??= this.given && (await untilAborted(Promise.resolve(this.given), signal));
    if (this.known) return this.known;
    this.hashing ??= this.beginHash(slicesOf(this.source.contents ?? this.source, onProgress), signal);
    return untilAborted(this.hashing, signal);
  }

  /**
   * `KEY_MISMATCH` unless the SHA-256 of all bytes is `expected`, in lower-case hexadecimal. It reads the whole source,
   * and computes the hash of `hash` on the way, so that this need not read it again.
   *
   * @param what what the source is in messages, such as "key".
   */
  async expectSha256(
    expected: string,
    what: string,
    make: MakeSha256,
    signal?: AbortSignal,
    onProgress?: (fraction: number) => void,
  ): Promise<void> {
    this.throwIfClosed();
    const sha256 = await make();
    const parts = hashedOnTheWay(slicesOf(this.source, onProgress), sha256);
    if (canHash() && this.known === undefined) {
      this.hashing = this.beginHash(parts, signal);
      await untilAborted(this.hashing, signal);
    } else {
      for await (const _ of parts) throwIfAborted(signal);
    }
    const got = toHex(sha256.digest());
    if (got === expected) return;
    throw new PippinError('KEY_MISMATCH', `expected a ${what} with the SHA-256 ${expected}, got one with ${got}`, {
      hint: `load the ${what} from where it was published; if it was replaced there, make sure of the new one before you change the hash`,
    });
  }

  /** Ends reading, after a pending computation of the hash. Idempotent. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  /** Begins to hash what the source holds. After a failure the next call may retry. */
  private beginHash(parts: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<string | undefined> {
    this.throwIfClosed();
    const hashing = hashSource(parts, { signal });
    hashing.then(
      (hash) => {
        this.known = hash;
      },
      () => {
        this.hashing = undefined;
      },
    );
    return hashing;
  }

  private async end(): Promise<void> {
    await this.hashing?.catch(() => undefined);
    await this.letGo();
  }

  private throwIfClosed(): void {
    if (this.closing !== undefined) throw closedSource();
  }
}
