import { loadPart } from '../base/load-part.js';
import type { Growth, GrowthRequest, ProofCall } from '../proofs/proof-system.js';
import type { Backends } from './backends.js';
import type { BasesCache } from './bases-cache.js';
import type { IdleTime } from './idle-time.js';

/** Makes multiples of bases, for all bases and keys of an engine. */
export class Growths {
  private readonly growing = new Set<Growth>();
  private disposed = false;

  /** @param backgroundCall a call that nobody waits for: its notices are told, its progress is not. */
  constructor(
    private readonly backends: Backends,
    private readonly cache: BasesCache,
    private readonly idle: IdleTime,
    private readonly backgroundCall: () => ProofCall,
  ) {}

  /** See `ProofContext`. What makes multiples is downloaded when somebody first wants them. */
  async grow(request: GrowthRequest): Promise<Growth | undefined> {
    if (request.precompute === 1) return undefined;
    const { GrowingBases } = await loadPart('multiples', () => import('./growth.js'));
    const { backends, cache, idle, backgroundCall } = this;
    const growth = new GrowingBases(backends, cache, idle, backgroundCall, request, () => this.growing.delete(growth));
    this.growing.add(growth);
    if (this.disposed) growth.release();
    return growth;
  }

  /** Stops them all. */
  dispose(): void {
    this.disposed = true;
    for (const growth of this.growing) growth.release();
  }
}
