import type { MsmExecutor } from '../../bases/backend.js';
import { GROTH16_PARTS, type Groth16Part } from './parts.js';

/** Who computes a proof: the GPU; the GPU, and the workers its sum B2 at the same time; or the workers. */
export type Placement = 'gpu' | 'split' | 'workers';

/** The parts that the workers compute. */
export const PARTS_ON_WORKERS: Readonly<Record<Placement, readonly Groth16Part[]>> = {
  gpu: [],
  split: ['B2'],
  workers: GROTH16_PARTS,
};

/** The fewest proofs of the GPU that count: in the first ones bases are uploaded, and a GPU that idled has lowered its clock. */
const FEWEST_ON_GPU = 4;

/** After so many proofs another placement must have shown that it is faster. */
const TRIAL_PROOFS = 3;

/**
 * The part of the GPU's time that another placement may take at most to be preferred. The workers prepare what they take over once more, and
 * hold it beside the GPU's copy: that must be worth it.
 */
const AT_MOST: Readonly<Record<Exclude<Placement, 'gpu'>, number>> = { split: 0.9, workers: 0.75 };

/** How many proofs were placed in one way, and the milliseconds of the fastest. */
class Times {
  count = 0;
  fastest = Number.POSITIVE_INFINITY;

  add(ms: number): void {
    this.count++;
    this.fastest = Math.min(this.fastest, ms);
  }
}

/** Chooses who computes a key's proofs by the times that they took. The GPU comes first; the others are tried once if they promise to be faster. */
export class PlacementChoice {
  private readonly times: Readonly<Record<Placement, Times>> = {
    gpu: new Times(),
    split: new Times(),
    workers: new Times(),
  };
  private readonly tried = new Set<Placement>();
  private chosen: Placement = 'gpu';
  /** A placement that `next` gave, until its trial begins or is given up. */
  private pending: Placement | undefined;

  /**
   * @param shareOfB2 the part of a proof's work that its sum B2 is.
   * @param estimateForWorkers about how long the workers would take for a proof, undefined if that is not known.
   */
  constructor(
    private readonly shareOfB2: number,
    private readonly estimateForWorkers: () => number | undefined,
  ) {}

  /** Who computes the next proof, if the GPU is ready. */
  get current(): Placement {
    return this.chosen;
  }

  /** Whether the workers have shown that they are clearly faster than the GPU. */
  get favoursWorkers(): boolean {
    return this.chosen === 'workers' && this.times.workers.count >= TRIAL_PROOFS;
  }

  /** Notes how long a proof took to compute, in milliseconds. */
  add(placement: Placement, ms: number): void {
    const { chosen, times } = this;
    times[placement].add(ms);
    if (placement !== chosen || chosen === 'gpu' || times[chosen].count < TRIAL_PROOFS) return;
    if (times[chosen].fastest > AT_MOST[chosen] * times.gpu.fastest) this.chosen = 'gpu';
  }

  /**
   * A placement that is worth a trial. It is returned once, and no other before `enter` begins its trial, when the workers have what they need
   * for it, or `giveUp` tells that they cannot have it.
   */
  next(): Placement | undefined {
    const { gpu, workers } = this.times;
    const onWorkers = workers.count > 0 ? workers.fastest : this.estimateForWorkers();
    if (this.pending !== undefined || this.chosen !== 'gpu' || gpu.count < FEWEST_ON_GPU || onWorkers === undefined)
      return undefined;
    const predicted = {
      split: Math.max(this.shareOfB2 * onWorkers, (1 - this.shareOfB2) * gpu.fastest),
      workers: onWorkers,
    };
    const promising = (['split', 'workers'] as const).filter(
      (placement) => !this.tried.has(placement) && predicted[placement] <= AT_MOST[placement] * gpu.fastest,
    );
    const [best] = promising.sort((a, b) => predicted[a] - predicted[b]);
    if (best !== undefined) this.tried.add(best);
    this.pending = best;
    return best;
  }

  enter(placement: Placement): void {
    this.pending = undefined;
    this.chosen = placement;
  }

  giveUp(): void {
    this.pending = undefined;
  }
}

/** How a proof was placed, by what computed each part; undefined if it was in no such way. */
export function placementOf(executors: ReadonlyMap<Groth16Part, readonly MsmExecutor[]>): Placement | undefined {
  const isOn = (part: Groth16Part, executor: MsmExecutor): boolean =>
    executors.get(part)?.every((each) => each === executor) ?? false;
  return (['gpu', 'split', 'workers'] as const).find((placement) =>
    GROTH16_PARTS.every((part) => isOn(part, PARTS_ON_WORKERS[placement].includes(part) ? 'wasm' : 'webgpu')),
  );
}
