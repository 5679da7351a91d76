import type { NoticeCode } from '../api/progress.js';
import { PippinError } from '../base/errors.js';
import { type ComputedBy, type Distrust, type PointsFrom, type Rung, rowFor } from './table.js';

/** An executor that may compute wrong, such as a GPU. */
export interface FallibleExecutor {
  /** Whether the caller requires it, so that its faults are his to know. */
  readonly isRequired: boolean;
  /** Uses it no more. */
  distrust(reason: string): void;
}

/** A way to compute something. */
export interface Way {
  /** Who may compute it. The work corrects this to who did. */
  by: ComputedBy;
  /** Whoever is to blame if it fails; undefined for the workers. */
  readonly executor?: FallibleExecutor | undefined;
}

/** What a place can do when its work fails: the rungs of the table that it has. */
export interface Ladder<W extends Way> {
  readonly first: W;
  /** The way that a rung leads to; undefined if it leads nowhere now. Each is taken once at most. */
  readonly rungs: { readonly [R in Rung]?: (failure: PippinError) => W | undefined | Promise<W | undefined> };
  /** Where the points come from that are used now; from their file if it is left out. */
  readonly from?: (() => PointsFrom) | undefined;
  /**
   * Whether the points of the cache were altered; asked when the workers have a right result where the executor had a
   * wrong one.
   */
  readonly wereAltered?: ((failure: PippinError) => Promise<boolean>) | undefined;
  readonly notice?: ((code: NoticeCode, message: string) => void) | undefined;
}

/** An executor whose result was wrong, until it is known whether it or the points are to blame. */
interface Suspect {
  readonly failure: PippinError;
  readonly executor: FallibleExecutor | undefined;
}

/** The notice when points of the cache have been replaced. */
const DAMAGED =
  'the cached points gave a wrong result, and points from the file give a right one; they were prepared again';

/**
 * Runs `work`, and after a failure retries it by the first rung that the table has for the failure and the ladder
 * offers. When it offers none, the failure leaves it, perhaps for a ladder around it. This is the only loop that
 * computes something again, and the only place where an executor is distrusted.
 */
export async function attempt<W extends Way, T>(ladder: Ladder<W>, work: (way: W) => Promise<T>): Promise<T> {
  const taken = new Set<Rung>();
  const from = (): PointsFrom => ladder.from?.() ?? 'file';
  let way = ladder.first;
  let suspect: Suspect | undefined;
  /** Takes the first of these rungs that leads somewhere. */
  const climb = async (rungs: readonly Rung[], failure: PippinError): Promise<Rung | undefined> => {
    for (const rung of rungs) {
      const next = taken.has(rung) ? undefined : await ladder.rungs[rung]?.(failure);
      if (next === undefined) continue;
      taken.add(rung);
      way = next;
      return rung;
    }
    return undefined;
  };
  for (;;) {
    const before = from();
    let result: T;
    try {
      result = await work(way);
    } catch (error) {
      // Points from the cache may have been replaced meanwhile, or idle time may have brought multiples from there.
      const row = rowFor(error, way.by, before === 'cache' ? before : from());
      if (row === undefined || !(error instanceof PippinError)) throw error;
      const { executor } = way;
      const rung = await climb(Object.keys(row.next) as Rung[], error);
      const distrust: Distrust = rung === undefined ? row.otherwise : row.next[rung]!;
      if (distrust === 'if others are right') suspect = { failure: error, executor };
      // Points of the file take the place of those that may be to blame.
      else if (rung === 'points') suspect = undefined;
      if (distrust === 'yes' || (distrust === 'unless required' && !executor?.isRequired)) {
        executor?.distrust(error.message);
      }
      if (rung === undefined) throw error;
      continue;
    }
    if (taken.has('points')) ladder.notice?.('CACHE_DAMAGED', DAMAGED);
    if (suspect === undefined) return result;
    const { failure, executor } = suspect;
    suspect = undefined;
    // A proof has been verified, so that it stands whoever is to blame.
    const isVerified = failure.code === 'PROOF_INVALID';
    if (!(await ladder.wereAltered?.(failure))) {
      executor?.distrust(failure.message);
      if (executor?.isRequired && !isVerified) throw failure;
      const what = isVerified ? `the GPU is used no more: ${failure.message}` : standInNotice(failure);
      ladder.notice?.('WEBGPU_DISTRUSTED', what);
      return result;
    }
    if (isVerified) {
      ladder.notice?.('CACHE_DAMAGED', DAMAGED);
      return result;
    }
    if ((await climb(['points'], failure)) === undefined) throw failure;
  }
}

const SAME: Ladder<Way> = { first: { by: 'workers' }, rungs: { worker: () => SAME.first } };

/**
 * Runs `work`, and retries it once if a worker died under it: by then the pool has put a new worker in the dead one's
 * place.
 */
export function retryOnDeadWorker<T>(work: () => Promise<T>): Promise<T> {
  return attempt(SAME, work);
}

/**
 * Turns `DISPOSED` into `DEVICE_LOST`: what was released together with its device is lost for a call that still uses
 * it.
 */
export function asLost(error: unknown): unknown {
  const wasLetGo = error instanceof PippinError && error.code === 'DISPOSED';
  return wasLetGo
    ? new PippinError('DEVICE_LOST', 'the GPU device was closed by another call', { cause: error })
    : error;
}

/** The notice when a GPU failed and the workers, as its fallback, have done the work. */
export function standInNotice({ code, message }: PippinError): string {
  return `the GPU failed (${code}: ${message}); the WASM workers did its work`;
}
