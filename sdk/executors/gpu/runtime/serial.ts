/** Lets one task run at a time, in the order of their coming. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `task` when all earlier ones have ended, well or not. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}
