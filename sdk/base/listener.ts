/**
 * A function of the caller that gets events, such as `onProgress`. What it throws, and the rejection of a promise that
 * it returns, is written to the console and goes no further: it neither fails the call that the event belongs to, nor
 * ends a Node process. The listener still gets later events; only its first failure is written, because a proof has
 * dozens of events.
 */
export class Listener<T> {
  private hasFailed = false;

  /** @param name the name of the option, for the console. */
  constructor(
    private readonly name: string,
    private readonly call: (value: T) => unknown,
  ) {}

  tell(value: T): void {
    try {
      const { call } = this;
      const result = call(value);
      if (typeof result === 'object' && result !== null) this.watch(result);
    } catch (error) {
      this.report(error);
    }
  }

  /** Takes the rejection of what an `async` listener returned. */
  private watch(result: object): void {
    Promise.resolve(result).catch((error: unknown) => this.report(error));
  }

  private report(error: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    try {
      console.error(
        `pippin: expected ${this.name} not to fail; the prover goes on without regard to it. It threw:`,
        error,
      );
    } catch {
      // The console may be replaced by one that throws; then nobody can be told.
    }
  }
}
