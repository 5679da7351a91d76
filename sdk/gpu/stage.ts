import type { MsmPlan } from './plan.js';

/** The buffers that a multiplication works in, by what they hold. All are u32 words; a sum is an accumulator of the curve. */
export type ScratchRole =
  /** Scalars of a chunk, 8 words each. */
  | 'scalars'
  /** Digits of a chunk, window after window. */
  | 'digits'
  /** For each digit, how many came to its bucket before it. */
  | 'ranks'
  /** Digits of each bucket; after the scan, where each bucket's run begins, and at last their number. Block totals follow. */
  | 'counters'
  /** Base index and sign of each nonzero digit, sorted by bucket. */
  | 'sorted'
  /** The sum of each bucket; all-zero words where it has none. */
  | 'buckets'
  /** Buckets of the sums in `slots`. */
  | 'slotKeys'
  /** Two sums for each share: of buckets that it has in common with its neighbours. */
  | 'slots'
  /** The same after an odd number of merge rounds. */
  | 'mergedKeys'
  | 'mergedSlots'
  /** The result: a sum for each window, canonical. */
  | 'windowSums';

export type StageName = 'digits' | 'count' | 'scan' | 'scan-add' | 'scatter' | 'accumulate' | 'merge' | 'reduce';

/** Windows that are worked on together, and the points that are added to their buckets now. */
export interface Job {
  readonly plan: MsmPlan;
  readonly firstWindow: number;
  readonly windows: number;
  /** Points of the chunk, and the number of its first one among all. */
  readonly points: number;
  readonly firstPoint: number;
  /** The buffer of their bases, and where among these the chunk begins. */
  readonly bases: GPUBuffer;
  readonly baseIndex: number;
  /** The buckets hold sums of earlier chunks, to which these points are added. */
  readonly continued: boolean;
}

/** One run of a stage's kernel over the threads `first` to `end` - 1; it may be cut into several, at multiples of 256. */
export interface Dispatch {
  readonly stage: Stage;
  readonly first: number;
  readonly end: number;
  /** The words of the kernel's `Params` behind `limbs`, `first` and `end`. */
  readonly params: readonly number[];
  /** What the kernel's storage bindings 1, 2, ... are bound to. */
  readonly buffers: readonly (ScratchRole | GPUBuffer)[];
  /** The work of one thread, in point additions. */
  readonly cost: number;
}

/** A step of the pipeline. */
export interface Stage {
  readonly name: StageName;
  /** WGSL: complete, or to be put behind the curve's point arithmetic. */
  readonly shader: string;
  readonly usesPoints: boolean;
  /** Threads of a workgroup, as the shader says. */
  readonly workgroupSize: 64 | 256;
  /** Access to the storage bindings 1, 2, ... */
  readonly access: readonly ('read-only-storage' | 'storage')[];
  /** Bytes that it needs to hold what it writes. */
  bytes(plan: MsmPlan): Partial<Record<ScratchRole, number>>;
}

export const U32_BYTES = 4;
