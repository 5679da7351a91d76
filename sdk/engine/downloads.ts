import type { OnBytes } from '../io/url-source.js';

/** How often a download is told of at most, in milliseconds: a fast one has thousands of parts. */
const INTERVAL_MS = 50;

/** The files that a call downloads, as one: a key may come in ten chunks. */
export class Downloads {
  private readonly files: { done: number; total: number | undefined }[] = [];
  private toldAt = Number.NEGATIVE_INFINITY;

  /** @param tell called with the bytes of all files; the total is undefined until it is known of each. */
  constructor(private readonly tell: OnBytes) {}

  /** Adds a file, and returns what is to be called while its bytes come. */
  add(): OnBytes {
    const file: { done: number; total: number | undefined } = { done: 0, total: undefined };
    this.files.push(file);
    return (done, total) => {
      const isEnd = done === total;
      Object.assign(file, { done, total });
      const now = performance.now();
      if (!isEnd && now - this.toldAt < INTERVAL_MS) return;
      this.toldAt = now;
      const totals = this.files.map((each) => each.total);
      const isKnown = (bytes: number | undefined): bytes is number => bytes !== undefined;
      this.tell(sum(this.files.map((each) => each.done)), totals.every(isKnown) ? sum(totals) : undefined);
    };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
