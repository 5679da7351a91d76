/** Work that has begun and not ended. */
export class PendingWork {
  private readonly running = new Set<Promise<unknown>>();

  /** The outcome of work that has just begun. */
  async note<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    try {
      return await work;
    } finally {
      this.running.delete(work);
    }
  }

  /** Fulfilled when all that is under way now has ended, well or not. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
