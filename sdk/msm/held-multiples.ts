import { freeMemory } from '../transport/free-memory.js';
import type { MsmExecutor, PreparedMultiples } from './backend.js';
import type { MultiplesPlan } from './multiples.js';

/** Multiples that are in memory until they are freed. */
export class HeldMultiples implements PreparedMultiples {
  points: Uint8Array | undefined;

  constructor(
    readonly executor: MsmExecutor,
    readonly plan: MultiplesPlan,
    points: Uint8Array,
  ) {
    this.points = points;
  }

  /** Frees them; nobody may be loading them. */
  free(): void {
    if (this.points !== undefined) freeMemory(this.points);
    this.points = undefined;
  }
}
