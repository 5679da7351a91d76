import { PippinError } from '../base/errors.js';

/**
 * The most bytes of a proving key, or of points, that are downloaded by default. The keys in production have up to
 * several GB, and no more fits the memory of most devices.
 */
export const MAX_KEY_BYTES = 2 ** 33;
/** The same of a circuit's WASM, which is compiled as a whole: the largest circuits have about 100 MB. */
export const MAX_CIRCUIT_BYTES = 2 ** 28;

/** The same of a witness: 32 bytes for each of 2^25 values. */
export const MAX_WITNESS_BYTES = 2 ** 30;

/** Least milliseconds between two reports of a download's progress: a fast download has thousands of parts. */
const INTERVAL_MS = 50;

/**
 * Called while a file is downloaded: the decompressed bytes so far, and their total if it is known. If it throws, the
 * download ends.
 */
export type OnBytes = (done: number, total: number | undefined) => void;

/** The files that a call downloads, as one: a key may come in ten chunks. */
export class Downloads {
  private readonly files: { done: number; total: number | undefined }[] = [];
  private toldAt = Number.NEGATIVE_INFINITY;

  /**
   * @param maxBytes the most bytes that all files may have. `DOWNLOAD_TOO_LARGE` ends a download that has or announces
   * more.
   * @param tell called with the bytes of all files; the total is undefined until every file's is known.
   */
  constructor(
    private readonly maxBytes: number,
    private readonly tell?: OnBytes,
  ) {}

  /** Adds a file, and returns what is to be called while its bytes come. */
  add(): OnBytes {
    const file: { done: number; total: number | undefined } = { done: 0, total: undefined };
    this.files.push(file);
    return (done, total) => {
      const isEnd = done === total;
      Object.assign(file, { done, total });
      this.expectFew();
      const now = performance.now();
      if (!isEnd && now - this.toldAt < INTERVAL_MS) return;
      this.toldAt = now;
      const totals = this.files.map((each) => each.total);
      const isKnown = (bytes: number | undefined): bytes is number => bytes !== undefined;
      this.tell?.(sum(this.files.map((each) => each.done)), totals.every(isKnown) ? sum(totals) : undefined);
    };
  }

  private expectFew(): void {
    const { maxBytes } = this;
    if (sum(this.files.map(({ done, total = done }) => total)) <= maxBytes) return;
    throw new PippinError('DOWNLOAD_TOO_LARGE', `expected a download of at most ${maxBytes} bytes, got more`, {
      hint: 'raise maxBytes if the file is meant to be that large',
    });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
