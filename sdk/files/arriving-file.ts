import { pause, throwIfAborted } from '../base/abort.js';
import { PippinError } from '../base/errors.js';
import { type ByteSource, type ClosableSource, closedSource, expectWithin, SLICE_BYTES } from './byte-source.js';
import { GrowingBytes } from './growing-bytes.js';
import { askPart, chunksOf, type FetchOptions, failedRequest } from './url-request.js';
import { isComparable, type UrlVersion } from './url-version.js';

/** The pauses in milliseconds before the attempts to go on with a download that broke off and brought nothing since. */
const PAUSES_MS = [0, 500, 1000, 2000, 4000, 8000];
/** A small read: it gets a request of its own if it begins `FAR_BYTES` or more beyond what has arrived. */
const SMALL_BYTES = 2 ** 16;
const FAR_BYTES = 2 ** 20;

/** The bytes of a URL's answer, and what the server says of the whole file. */
export interface Arrival {
  readonly response: Response;
  readonly size: number;
  readonly version: UrlVersion;
  /** The file's first bytes, where they are known and the answer has the rest. */
  readonly begun?: ByteSource;
}

/** A read that waits until the first `end` bytes have arrived. */
interface Waiting {
  readonly end: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A file that is read while it is downloaded. A read waits until its bytes have arrived; a small one far ahead, such as
 * of the table of sections, asks the server for them. A download that breaks off goes on where it was, by ranges, where
 * the server tells versions apart; otherwise, and after six attempts without a byte, all reads fail with `IO_FAILED`.
 */
export class ArrivingFile implements ClosableSource {
  readonly size: number;
  name?: string | undefined;
  /** Fulfilled with the whole file when it is there. A rejection that nobody waits for is no unhandled one. */
  readonly whole: Promise<GrowingBytes>;
  private readonly arrived = new GrowingBytes();
  private readonly waiting = new Set<Waiting>();
  /** Fires at `close`. */
  readonly closing = new AbortController();
  private failure: { readonly error: unknown } | undefined;
  private readonly version: UrlVersion;
  /** Whether the server may answer requests for parts. */
  private givesParts: boolean;

  /** @param options `onBytes` is called with the bytes that have arrived, which are never fewer than before. */
  constructor(
    { response, size, version, begun }: Arrival,
    private readonly options: FetchOptions,
  ) {
    this.size = size;
    this.version = { ...version, length: size };
    this.givesParts = isComparable(this.version);
    this.whole = this.arrive(response, begun).catch((error: unknown) => {
      this.failure = { error };
      for (const { reject } of this.waiting) reject(error);
      this.waiting.clear();
      throw error;
    });
    this.whole.catch(() => undefined);
  }

  /** How many of the file's first bytes are there. */
  get arrivedBytes(): number {
    return this.arrived.size;
  }

  /** See `ByteSource`. Errors as of `fetchFile`; `DISPOSED` after `close`. */
  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    expectWithin(this.size, offset, length);
    const isFar = length <= SMALL_BYTES && offset >= this.arrived.size + FAR_BYTES;
    const asked = isFar && this.givesParts ? await this.readAhead(offset, length) : undefined;
    if (asked !== undefined) return asked;
    await this.until(offset + length);
    return this.arrived.source().read(offset, length);
  }

  /** Ends the download if it has not ended; a file that is there as a whole stays readable. */
  async close(): Promise<void> {
    this.closing.abort();
  }

  /** The bytes by a request of their own; undefined if they arrive before it is answered, or it fails. */
  private async readAhead(offset: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const asking = new AbortController();
    const answer = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
      const part = { start: offset, end: offset + length };
      const response = await askPart(this.version, part, { ...this.options, signal: asking.signal });
      const bytes = response && new Uint8Array(await response.arrayBuffer());
      return bytes?.length === length ? bytes : undefined;
    };
    const asked = answer()
      .catch(() => undefined)
      .then((bytes) => {
        if (bytes === undefined && !asking.signal.aborted) this.givesParts = false;
        return bytes;
      });
    try {
      return await Promise.race([asked, this.until(offset + length).then(() => undefined)]);
    } finally {
      asking.abort();
    }
  }

  /** Fulfilled when the first `end` bytes are there. */
  private until(end: number): Promise<void> {
    if (end <= this.arrived.size) return Promise.resolve();
    if (this.failure !== undefined) return Promise.reject(this.failure.error);
    return new Promise((resolve, reject) => this.waiting.add({ end, resolve, reject }));
  }

  private async arrive(first: Response, begun: ByteSource | undefined): Promise<GrowingBytes> {
    const { version } = this;
    const { signal } = this.options;
    for (let at = 0; begun !== undefined && at < begun.size; at += SLICE_BYTES) {
      this.arrived.append(await begun.read(at, Math.min(SLICE_BYTES, begun.size - at)));
    }
    let response: Response | undefined = first;
    for (let attempt = 0; ; attempt++) {
      const before = this.arrived.size;
      try {
        if (response !== undefined) await this.take(response);
        if (this.arrived.size === this.size) return this.arrived;
        throw new Error(`its end after ${this.arrived.size} of ${this.size} bytes`);
      } catch (error) {
        throwIfAborted(signal);
        if (this.closing.signal.aborted) throw closedSource();
        if (this.arrived.size > before) attempt = 0;
        const wait = PAUSES_MS[attempt];
        if (error instanceof PippinError || !isComparable(version) || wait === undefined) {
          throw failedRequest(version.url, error, true, signal);
        }
        await pause(wait, [signal, this.closing.signal]);
      }
      response = await this.rest();
    }
  }

  /** The answer with what is missing; undefined if there is none now. `IO_FAILED` if there never will be. */
  private async rest(): Promise<Response | undefined> {
    const { version } = this;
    const answer = await askPart(version, { start: this.arrived.size, end: this.size }, this.options).then(
      (response) => ({ response }),
      () => undefined,
    );
    throwIfAborted(this.options.signal);
    if (answer === undefined || answer.response !== undefined) return answer?.response;
    throw new PippinError(
      'IO_FAILED',
      `expected the bytes from ${this.arrived.size} on of ${version.url}, which broke off there, got another answer`,
      { hint: 'the server has another file by now, or does not know ranges: try again' },
    );
  }

  private async take(response: Response): Promise<void> {
    const { onBytes } = this.options;
    for await (const chunk of chunksOf(response, this.closing.signal)) {
      if (this.arrived.size + chunk.length > this.size) {
        throw new PippinError('IO_FAILED', `expected ${this.size} bytes of ${response.url}, got more`);
      }
      this.arrived.append(chunk);
      for (const each of this.waiting) {
        if (each.end > this.arrived.size) continue;
        this.waiting.delete(each);
        each.resolve();
      }
      onBytes(this.arrived.size, this.size);
    }
  }
}
