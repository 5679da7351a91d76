/** Passes on a value at most once in some milliseconds, and drops those between. `flush` passes on the last one. */
export class Throttle<Args extends readonly unknown[]> {
  private last = Number.NEGATIVE_INFINITY;
  private held: Args | undefined;

  constructor(
    private readonly ms: number,
    private readonly pass: (...args: Args) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  tell(...args: Args): void {
    const now = this.now();
    this.held = args;
    if (now - this.last < this.ms) return;
    this.last = now;
    this.flush();
  }

  /** Passes on the latest value if it was not passed on. */
  flush(): void {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) this.pass(...held);
  }
}
