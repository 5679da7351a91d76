import { untilAborted } from '../abort.js';
import { PippinError } from '../errors.js';
import { type ByteSource, slicesOf } from '../io/byte-source.js';
import { hashSource } from './source-hash.js';

/** The source of something that is loaded. It can be read as long as that is loaded, and is hashed at most once. */
export class LoadedSource implements ByteSource {
  readonly size: number;
  private hashing: Promise<string | undefined> | undefined;
  private closing: Promise<void> | undefined;
  private known: string | undefined;

  /** @param letGo called once, when nothing is read any more. */
  constructor(
    private readonly source: ByteSource,
    private readonly letGo: () => Promise<void> = async () => undefined,
  ) {
    this.size = source.size;
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
   * The hash of `hashSource`. The first call reads the whole source, and `signal` stops that; a call after a failure tries again. `DISPOSED` after
   * `close`, unless the hash is known.
   */
  async hash(signal?: AbortSignal): Promise<string | undefined> {
    if (this.hashing === undefined) {
      this.throwIfClosed();
      const hashing = hashSource(slicesOf(this.source), { signal });
      this.hashing = hashing;
      hashing.then(
        (hash) => {
          this.known = hash;
        },
        () => {
          this.hashing = undefined;
        },
      );
    }
    return untilAborted(this.hashing, signal);
  }

  /** Ends reading; a hash that is being computed comes to its end first. Calling it twice does no harm. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    await this.hashing?.catch(() => undefined);
    await this.letGo();
  }

  private throwIfClosed(): void {
    if (this.closing !== undefined) {
      throw new PippinError('DISPOSED', 'expected the source of something that is loaded, got one that was closed');
    }
  }
}
