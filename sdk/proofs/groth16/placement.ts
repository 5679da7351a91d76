import type { MsmExecutor } from '../../bases/backend.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import type { BasesOutline } from '../../bases/prepared.js';
import type { CurveId } from '../../curves/index.js';
import type { ConstraintMatrix } from '../../executors/workers/pool/constraints.js';
import { type Share, shareOut } from '../../executors/workers/pool/shares.js';
import type { KeyFacts } from '../../files/snarkjs/zkey.js';
import type { ProofCall, ProofContext } from '../proof-system.js';
import { GROTH16_PARTS, GROUP_COST, type Groth16Part, mapParts, TRANSFORMS, workOfPart, workOfProof } from './parts.js';

/** Who computes a proof: the GPU; the GPU with its MSM B2 on the workers, concurrently; or the workers. */
export type Placement = 'gpu' | 'split' | 'workers';

/** The parts that the workers compute. */
export const PARTS_ON_WORKERS: Readonly<Record<Placement, readonly Groth16Part[]>> = {
  gpu: [],
  split: ['B2'],
  workers: GROTH16_PARTS,
};

/**
 * The fewest proofs of the GPU that count: in the first ones bases are uploaded, and a GPU that idled has lowered its
 * clock.
 */
const FEWEST_ON_GPU = 4;

/** After so many proofs another placement must have shown that it is faster. */
const TRIAL_PROOFS = 3;

/**
 * The part of the GPU's time that another placement may take at most to be preferred. The workers prepare again what
 * they take over, and hold it beside the GPU's copy: that must be worth it.
 */
const AT_MOST: Readonly<Record<Exclude<Placement, 'gpu'>, number>> = { split: 0.9, workers: 0.75 };

/** The cost of a transform for each element, relative to a point of an MSM over G1. */
const TRANSFORM_COST = 0.1;

/** What of a loaded key may be copied to the workers. */
interface KeyToPlace {
  readonly curve: CurveId;
  readonly facts: Pick<KeyFacts, 'domainSize'>;
  readonly vectors: Readonly<Record<Groth16Part, LoadedBases>>;
  readonly matrices: readonly ConstraintMatrix[];
}

/** How many proofs were placed in one way, and the milliseconds of the fastest. */
class Times {
  count = 0;
  fastest = Number.POSITIVE_INFINITY;

  add(ms: number): void {
    this.count++;
    this.fastest = Math.min(this.fastest, ms);
  }
}

/**
 * Chooses who computes a key's proofs by the times that they took. The GPU comes first; the others are tried once if
 * they promise to be faster.
 */
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
   * @param shareOfB2 the part of a proof's work that its MSM B2 is.
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
   * A placement that is worth a trial. It is returned once, and no other before `enter` begins its trial, when the
   * workers have what they need for it, or `giveUp` tells that they cannot have it.
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

/** Who computes a key's proofs, and the copies that the workers hold for it beside the GPU's. */
export class PlacedKey {
  private readonly work: number;
  private readonly choice: PlacementChoice;
  private hasTold = false;

  constructor(
    private readonly context: ProofContext,
    private readonly key: KeyToPlace,
  ) {
    this.work = workOfProof(key.vectors);
    const shareOfB2 = this.work === 0 ? 0 : workOfPart(key.vectors, 'B2') / this.work;
    this.choice = new PlacementChoice(shareOfB2, () => context.workersPace.estimate(key.curve, this.work));
  }

  /** Who computes the next proof, where that is the engine's choice and the GPU is ready. */
  get placement(): Placement {
    return this.choice.current;
  }

  /**
   * Notes how many milliseconds a proof took that was placed so; undefined for one that was placed in no such way.
   * Begins to bring the key to where its proofs may be faster.
   */
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

/** How a proof was placed, by what computed each part; undefined if it was in no such way. */
export function placementOf(executors: ReadonlyMap<Groth16Part, readonly MsmExecutor[]>): Placement | undefined {
  const isOn = (part: Groth16Part, executor: MsmExecutor): boolean =>
    executors.get(part)?.every((each) => each === executor) ?? false;
  return (['gpu', 'split', 'workers'] as const).find((placement) =>
    GROTH16_PARTS.every((part) => isOn(part, PARTS_ON_WORKERS[placement].includes(part) ? 'wasm' : 'webgpu')),
  );
}

/**
 * The shares of the workers in the MSMs that start with the witness, when the workers compute all of them concurrently.
 * Workers that make the transforms get smaller shares. The MSM over H comes alone, after the others, and is shared
 * equally.
 */
export function workerShares(
  workers: number,
  vectors: Readonly<Record<Groth16Part, Pick<BasesOutline, 'kept' | 'group'>>>,
  domainSize: number,
): Partial<Record<Groth16Part, Share[]>> {
  const parts: readonly Groth16Part[] = ['A', 'B1', 'B2', 'C'];
  const loads = new Array<number>(workers).fill(0);
  for (let i = 0; i < TRANSFORMS; i++) loads[i % workers]! += TRANSFORM_COST * domainSize;
  const shares = shareOut(
    parts.map((part) => ({ count: vectors[part].kept, weight: GROUP_COST[vectors[part].group] })),
    loads,
  );
  return Object.fromEntries(parts.map((part, i) => [part, shares[i]]));
}
