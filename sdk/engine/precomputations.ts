import { loadPart } from '../base/load-part.js';
import type { Precomputation, PrecomputeContext, PrecomputeRequest } from '../bases/precompute.js';

/** Makes multiples of bases, for all bases and keys of an engine. */
export class Precomputations {
  private readonly begun = new Set<Precomputation>();
  private disposed = false;

  constructor(private readonly context: PrecomputeContext) {}

  /** See `ProofContext`. What makes multiples is downloaded when somebody first wants them. */
  async precompute(request: PrecomputeRequest): Promise<Precomputation | undefined> {
    if (request.precompute === 1) return undefined;
    const { BasesPrecomputation } = await loadPart('multiples', () => import('../bases/precompute.js'));
    const made = new BasesPrecomputation(this.context, request, () => this.begun.delete(made));
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
