import type { MsmPlan } from '../msm/plan.js';

/** The buffers that a multiplication works in, by what they hold. All are u32 words; a sum is an accumulator of the curve. */
export type ScratchRole =
  /** What the digits come from: scalars of 8 words each, or digits that were cut elsewhere. */
  | 'source'
  /** Digits of each bucket; after the scan, where each bucket's run begins, and at last their number. Block totals follow. */
  | 'counters'
  /** Base index and sign of each nonzero digit, sorted by bucket. */
  | 'sorted'
  /**
   * Until the digits are sorted, for each of them how many came to its bucket before it. Then the sums of the full pieces
   * of the sorted list.
   */
  | 'ranksThenSlots'
  /** Places that the pieces of each rank take, how many of them are taken, and the number of slots. */
  | 'bins'
  /** The bucket of each piece, plus 1, by rank; zeros where there is none. */
  | 'pieces'
  /** The number of the first full piece of each bucket that has one. */
  | 'firstPieces'
  /** The sum of each bucket; all-zero words where it has none. */
  | 'buckets'
  /** The result: a sum for each bit of each window of each multiplication, canonical. */
  | 'bitSums'
  /** The same where the host can map it. */
  | 'readback'
  /** The `Params` of the dispatches of a submit. */
  | 'params';

export type StageName =
  | 'count'
  | 'scan'
  | 'scan-add'
  | 'scatter'
  | 'tally'
  | 'deal'
  | 'accumulate'
  | 'fold'
  | 'merge'
  | 'reduce'
  | 'collect';

/** Windows that are worked on together, and the points that are added to their buckets now. */
export interface Job {
  readonly plan: MsmPlan;
  /** The windows of each multiplication. */
  readonly firstWindow: number;
  readonly windows: number;
  /** Points of the chunk, and the number of its first one among all. */
  readonly points: number;
  readonly firstPoint: number;
  /** The multiplications, and the number of the first one among all. */
  readonly batch: number;
  readonly firstOfBatch: number;
  /** The buffer of their bases, and where among these the chunk begins. */
  readonly bases: GPUBuffer;
  readonly baseIndex: number;
  /** The buckets hold sums of earlier chunks, to which these points are added. */
  readonly continued: boolean;
}

/** Windows of all multiplications of a job: each has buckets of its own. */
export function rowsOf({ windows, batch }: Pick<Job, 'windows' | 'batch'>): number {
  return windows * batch;
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

/**
 * What a stage's shader is put behind: the curve's point arithmetic, or as much of it as adds bases to sums; digits from one source or
 * the other; how runs are cut.
 */
export type Prelude = 'points' | 'bases' | 'scalars' | 'digits' | 'pieces';

/** A step of the pipeline. */
export interface Stage {
  readonly name: StageName;
  readonly shader: string;
  readonly prelude?: Prelude;
  /** Threads of a workgroup, as the shader says. */
  readonly workgroupSize: 64 | 256;
  /** Access to the storage bindings 1, 2, ... */
  readonly access: readonly ('read-only-storage' | 'storage')[];
  /** Bytes that it needs to hold what it writes. */
  bytes(plan: MsmPlan): Partial<Record<ScratchRole, number>>;
}

export const U32_BYTES = 4;
