import type { Share } from '../../executors/workers/pool/shares.js';
import type { ProofCall, ProofContext } from '../proof-system.js';
import type { KeyContents } from './key.js';
import { type Groth16Part, mapParts } from './parts.js';
import { PARTS_ON_WORKERS, type Placement, PlacementChoice } from './placement.js';
import { workOf, workOfSums } from './work.js';
import { workerShares } from './worker-shares.js';

type Contents = Pick<KeyContents, 'curve' | 'facts' | 'vectors' | 'matrices'>;

/** Who computes a key's proofs, and the copies that the workers hold for it beside those of the GPU. */
export class PlacedKey {
  private readonly work: number;
  private readonly choice: PlacementChoice;
  private hasTold = false;

  constructor(
    private readonly context: ProofContext,
    private readonly key: Contents,
  ) {
    this.work = workOfSums(key.vectors);
    const shareOfB2 = this.work === 0 ? 0 : workOf(key.vectors, 'B2') / this.work;
    this.choice = new PlacementChoice(shareOfB2, () => context.workersPace.estimate(key.curve, this.work));
  }

  get placement(): Placement {
    return this.choice.current;
  }

  /** Notes how long a proof took, and begins to bring the key to where its proofs may be faster. */
  note(call: ProofCall, placement: Placement | undefined, ms: number): void {
    if (placement === undefined) return;
    if (placement === 'workers') this.context.workersPace.add(this.key.curve, this.work, ms);
    const before = this.choice.current;
    this.choice.add(placement, ms);
    if (this.choice.current !== before) this.leave(before);
    if (this.choice.favoursWorkers && !this.hasTold) {
      this.hasTold = true;
      call.notice('WEBGPU_SLOWER', 'the workers prove this key faster than the GPU, and go on to prove it');
    }
    const next = this.choice.next();
    if (next !== undefined) void this.enter(next);
  }

  /** Begins a trial as soon as the workers have what they need. If they cannot have it, the GPU goes on. */
  private async enter(placement: Placement): Promise<void> {
    const { context, key } = this;
    const outlines = mapParts((part) => key.vectors[part].outline);
    const { size } = context.pool;
    // B2 alone is shared equally; all parts together are shared as for a key that never saw the GPU.
    const shares: Partial<Record<Groth16Part, Share[]>> =
      placement === 'workers' ? workerShares(size, outlines, key.facts.domainSize) : {};
    try {
      await Promise.all([
        ...PARTS_ON_WORKERS[placement].map((part) => key.vectors[part].keepTrustedCopy(shares[part])),
        ...(placement === 'workers' ? key.matrices.map((matrix) => matrix.load(undefined)) : []),
      ]);
      this.choice.enter(placement);
    } catch {
      this.choice.giveUp();
      this.leave(placement);
    }
  }

  private leave(placement: Placement): void {
    for (const part of PARTS_ON_WORKERS[placement]) {
      // Of a key that was released there is nothing to free.
      this.key.vectors[part].freeTrustedCopy().catch(() => undefined);
    }
    // They are loaded again where the workers compute a quotient all the same.
    if (placement === 'workers') for (const matrix of this.key.matrices) matrix.release();
  }
}
