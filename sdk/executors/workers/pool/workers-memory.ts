import { untilAborted } from '../../../base/abort.js';
import { BudgetExceeded, type Lease, MemoryBudget } from '../../../base/memory-budget.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../../curves/index.js';

/**
 * The most bits of a limb in a kernel, which takes 8 bytes there. In other forms of a kernel an element takes fewer
 * bytes.
 */
const LIMB_BITS = 51;
const LIMB_BYTES = 8;

/**
 * The most bytes of an entry of a matrix in a kernel: which row, column and coefficient, and a coefficient of its own.
 */
export const MATRIX_ENTRY_BYTES = 12 + LIMB_BYTES * 5;

/** The most bytes that a base takes in a kernel. */
export function keptPointBytes(curve: CurveId, group: GroupId): number {
  const elements = (2 * pointBytes(curve, group)) / pointBytes(curve, 'g1');
  return elements * LIMB_BYTES * Math.ceil(CURVES[curve].fq.bits / LIMB_BITS);
}

/** Data that nobody uses now, and that are loaded again when somebody does. */
export interface Evictable {
  /** Whether they take less when they are loaded again, because they had multiples. Such data make room first. */
  readonly isShrunkByEviction: boolean;
  /** Fulfilled when they are gone, and their lease has ended. */
  evict(): Promise<void>;
}

/**
 * What the kernel workers keep from call to call: bases, with their multiples, and matrices. All of it is leased from
 * one budget. When it is used up, data are evicted in LRU order, and loaded again when they are needed.
 */
export class WorkersMemory {
  readonly budget: MemoryBudget;
  /** In the order in which they were used last. */
  private readonly idle = new Set<Evictable>();
  /** Those who wait for room do so one after another. */
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private wake: () => void = () => undefined;

  constructor(limit?: number) {
    this.budget = new MemoryBudget(limit);
  }

  /**
   * `OUT_OF_MEMORY` when something does not fit the budget even alone. `whose` names what it belongs to, such as `this
   * key`.
   */
  expectAtLeast(bytes: number, whose: string): void {
    const { limit } = this.budget;
    if (bytes <= limit) return;
    throw new BudgetExceeded(
      `expected a memoryBudget of at least ${bytes} bytes for ${whose}, got ${limit}`,
      'give a larger memoryBudget, or more threads, which divide what must be held',
    );
  }

  /** A lease, if there is room now and nobody waits for it. */
  tryLease(bytes: number, kind: string): Lease | undefined {
    return this.waiting > 0 || bytes > this.budget.available ? undefined : this.budget.lease(bytes, kind);
  }

  /** A lease, when there is room. Who waits holds nothing that is in use, so that others can go on. */
  async lease(bytes: number, kind: string, signal: AbortSignal | undefined): Promise<Lease> {
    this.expectAtLeast(bytes, kind);
    this.waiting++;
    const turn = this.last.then(() => this.waitForRoom(bytes, kind)).finally(() => this.waiting--);
    this.last = turn.catch(() => undefined);
    try {
      return await untilAborted(turn, signal);
    } catch (error) {
      turn.then((lease) => this.free(lease)).catch(() => undefined);
      throw error;
    }
  }

  free(lease: Lease): void {
    lease.release();
    this.wake();
  }

  /** Notes that data are used, and are not to be evicted now. */
  setBusy(data: Evictable): void {
    this.idle.delete(data);
  }

  setIdle(data: Evictable): void {
    this.idle.add(data);
    this.wake();
  }

  private async waitForRoom(bytes: number, kind: string): Promise<Lease> {
    while (bytes > this.budget.available) {
      const idle = [...this.idle];
      const oldest = idle.find(({ isShrunkByEviction }) => isShrunkByEviction) ?? idle[0];
      if (oldest === undefined) {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      } else {
        this.idle.delete(oldest);
        await oldest.evict();
      }
    }
    return this.budget.lease(bytes, kind);
  }
}
