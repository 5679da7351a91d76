import { freeMemory } from '../transport/free-memory.js';
import type { MsmExecutor, PreparedMultiples } from './backend.js';
import type { MultiplesPlan } from './multiples.js';

/** Multiples that are in memory until they are freed. */
export class HeldMultiples implements PreparedMultiples {
  private points: Uint8Array | undefined;
  /** What `use` was given and has not settled yet. */
  private readonly uses = new Set<Promise<unknown>>();

  constructor(
    readonly executor: MsmExecutor,
    readonly plan: MultiplesPlan,
    points: Uint8Array,
  ) {
    this.points = points;
  }

  async use<T>(work: (points: Uint8Array | undefined) => Promise<T>): Promise<T> {
    const using = work(this.points);
    this.uses.add(using);
    try {
      return await using;
    } finally {
      this.uses.delete(using);
    }
  }

  /** Frees them as soon as nothing uses them. */
  async free(): Promise<void> {
    const { points } = this;
    this.points = undefined;
    await Promise.allSettled(this.uses);
    if (points !== undefined) freeMemory(points);
  }
}
