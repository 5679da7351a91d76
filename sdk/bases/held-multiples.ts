import { freeMemory } from '../base/free-memory.js';
import { UnderWay } from '../base/under-way.js';
import type { MsmExecutor, PreparedMultiples } from './backend.js';
import type { MultiplesPlan } from './multiples.js';

/** Multiples that are in memory until they are freed. */
export class HeldMultiples implements PreparedMultiples {
  private points: Uint8Array | undefined;
  private readonly uses = new UnderWay();

  constructor(
    readonly executor: MsmExecutor,
    readonly plan: MultiplesPlan,
    points: Uint8Array,
    readonly fromCache = false,
  ) {
    this.points = points;
  }

  use<T>(work: (points: Uint8Array | undefined) => Promise<T>): Promise<T> {
    return this.uses.note(work(this.points));
  }

  /** Frees them as soon as nothing uses them. */
  async free(): Promise<void> {
    const { points } = this;
    this.points = undefined;
    await this.uses.ended();
    if (points !== undefined) freeMemory(points);
  }
}
