/** Passes on a value at most once in some milliseconds, and drops those between. */
export class Throttle<Args extends readonly unknown[]> {
  private last = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly ms: number,
    private readonly pass: (...args: Args) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  tell(...args: Args): void {
    const now = this.now();
    if (now - this.last < this.ms) return;
    this.last = now;
    this.pass(...args);
  }
}
