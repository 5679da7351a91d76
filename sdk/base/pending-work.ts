/** Work that has begun and not ended. */
export class PendingWork {
  private readonly running = new Set<Promise<unknown>>();

  /** Tracks work that has just begun, and returns its outcome. */
  async note<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    try {
      return await work;
    } finally {
      this.running.delete(work);
    }
  }

  /** How much work is pending. */
  get size(): number {
    return this.running.size;
  }

  /** Fulfilled when all work that is pending now has settled. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
