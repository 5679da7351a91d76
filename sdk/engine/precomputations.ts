import { loadPart } from '../base/load-part.js';
import type { Precomputation, PrecomputeContext, PrecomputeRequest } from '../bases/precompute.js';
import type { Backends } from './backends.js';

/** Makes multiples of bases, for all bases and keys of an engine. */
export class Precomputations {
  private readonly begun = new Set<Precomputation>();
  private disposed = false;

  constructor(
    private readonly backends: Backends,
    private readonly context: Omit<PrecomputeContext, 'plan'>,
  ) {}

  /** See `ProofContext`. The code that makes multiples is downloaded on first use. */
  async precompute(request: PrecomputeRequest): Promise<Precomputation | undefined> {
    if (request.precompute === 1) return undefined;
    const { BasesPrecomputation, planMultiples } = await loadPart('multiples', () => import('./plan-multiples.js'));
    const plan: PrecomputeContext['plan'] = (...given) => planMultiples(this.backends, ...given);
    const made = new BasesPrecomputation({ ...this.context, plan }, request, () => this.begun.delete(made));
    this.begun.add(made);
    if (this.disposed) made.release();
    return made;
  }

  /** Stops them all. */
  dispose(): void {
    this.disposed = true;
    for (const each of this.begun) each.release();
  }
}
