import { PippinError, type PippinErrorCode } from '../base/errors.js';
import { BudgetExceeded } from '../base/memory-budget.js';

/**
 * What failed: the error's code, or that the memory budget or the device's limits leave no room, which is known before
 * anything is computed.
 */
export type FailureKind = PippinErrorCode | 'BUDGET_EXCEEDED';

/**
 * Who computed what failed: a GPU, the workers, any of them, in a call of which all could have a part, or any of them
 * with the witness of a circuit whose arithmetic was exchanged.
 */
export type ComputedBy = 'gpu' | 'workers' | 'any' | 'exchanged';

/**
 * Where the points came from that it was computed with: from the caller's file, or prepared points from the cache,
 * where they may have been changed.
 */
export type PointsFrom = 'file' | 'cache';

/**
 * What is tried next:
 *
 * - `worker`: a retry on the worker that has taken the place of a dead one
 * - `device`: a retry on a device opened in place of a lost one
 * - `members`: the other members among which an MSM is split
 * - `scalars`: scalars of the workers in place of those that are on the device
 * - `workers`: the workers, for this MSM
 * - `budget`: the same, where the caller requires the GPU, too
 * - `call`: the workers, for the whole call
 * - `points`: points prepared anew from the file, and the workers for the whole call
 * - `circuit`: a witness by the circuit's code as it is, and a proof of that
 */
export type Rung = 'worker' | 'device' | 'members' | 'scalars' | 'workers' | 'budget' | 'call' | 'points' | 'circuit';

/**
 * When the executor that failed is used no more: never; unless the caller requires it; in any case; or once others have
 * a right result with the same points.
 */
export type Distrust = 'no' | 'unless required' | 'yes' | 'if others are right';

/** A row of the table. */
export interface Row {
  readonly codes: readonly FailureKind[];
  readonly by: readonly ComputedBy[];
  readonly from: readonly PointsFrom[];
  /** The rungs to try, in order, and what becomes of the executor when one is taken. */
  readonly next: { readonly [R in Rung]?: Distrust };
  /** What becomes of the executor when the failure leaves a ladder, which has none of them. */
  readonly otherwise: Distrust;
}

const EITHER: readonly ComputedBy[] = ['gpu', 'workers'];
const ANYWHERE: readonly PointsFrom[] = ['file', 'cache'];

/**
 * What is done when a computation fails (docs/architecture.md shows it). The first row that fits holds. A failure that
 * fits none is the caller's: he asked for something impossible, or aborted the call.
 */
export const TABLE: readonly Row[] = [
  row(['WORKER_FAILED'], EITHER, ANYWHERE, { worker: 'no', members: 'no' }),
  // A device can be lost without being wrong, but not twice in one MSM.
  row(['DEVICE_LOST'], ['gpu'], ANYWHERE, {
    device: 'no',
    members: 'unless required',
    scalars: 'no',
    workers: 'unless required',
  }),
  row(['BUDGET_EXCEEDED'], ['gpu'], ANYWHERE, { members: 'no', scalars: 'no', budget: 'no' }),
  row(['OUT_OF_MEMORY'], ['gpu'], ANYWHERE, { members: 'no', scalars: 'no', workers: 'no' }),
  row(
    ['INTERNAL', 'WEBGPU_UNAVAILABLE'],
    ['gpu'],
    ANYWHERE,
    { members: 'unless required', workers: 'unless required' },
    'unless required',
  ),
  row(['RESULT_INVALID'], ['gpu'], ['file'], { members: 'yes', workers: 'yes' }, 'yes'),
  // The GPU or the points are to blame, which shows when the workers have computed the whole call.
  row(['RESULT_INVALID'], ['gpu'], ['cache'], { members: 'yes' }),
  row(['RESULT_INVALID'], ['any'], ['cache'], { call: 'if others are right' }),
  row(['PROOF_INVALID'], ['any'], ANYWHERE, { call: 'if others are right' }),
  row(['RESULT_INVALID', 'PROOF_INVALID'], ['workers'], ['cache'], { members: 'no', points: 'no' }),
  row(['WITNESS_REJECTED', 'PROOF_INVALID'], ['exchanged'], ANYWHERE, { circuit: 'no' }),
  row(
    ['DEVICE_LOST', 'BUDGET_EXCEEDED', 'OUT_OF_MEMORY', 'INTERNAL', 'WEBGPU_UNAVAILABLE', 'RESULT_INVALID'],
    ['workers'],
    ANYWHERE,
    {
      members: 'no',
    },
  ),
];

function row(
  codes: Row['codes'],
  by: Row['by'],
  from: Row['from'],
  next: Row['next'],
  otherwise: Distrust = 'no',
): Row {
  return { codes, by, from, next, otherwise };
}

/** The row for a failure; undefined for one that is the caller's. */
export function rowFor(error: unknown, by: ComputedBy, from: PointsFrom): Row | undefined {
  if (!(error instanceof PippinError)) return undefined;
  const kind: FailureKind = error instanceof BudgetExceeded ? 'BUDGET_EXCEEDED' : error.code;
  return TABLE.find((row) => row.codes.includes(kind) && row.by.includes(by) && row.from.includes(from));
}

/** Whether a failure may lead to one of these rungs, wherever the points came from. */
export function leadsTo(error: unknown, by: ComputedBy, ...rungs: readonly Rung[]): boolean {
  return ANYWHERE.some((from) => rungs.some((rung) => rowFor(error, by, from)?.next[rung] !== undefined));
}
