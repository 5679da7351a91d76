import { PippinError } from '../base/errors.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import type { PreparedBases } from '../bases/prepared.js';
import type { PrepareRequest } from '../executors/workers/pool/prepare.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import type { CacheRecord } from '../files/cache/prepared-cache.js';
import type { Growth, ProofCall, ProofContext } from './proof-system.js';

/** Vectors of bases that were loaded together, and how they are prepared from their source. */
export interface RenewableVectors<Name extends string> {
  readonly plan: string;
  readonly source: LoadedSource;
  readonly bases: Readonly<Record<Name, LoadedBases>>;
  readonly requests: Readonly<Record<Name, PrepareRequest>>;
  readonly growth: Growth | undefined;
  prepare(call: ProofCall): Promise<Readonly<Record<Name, PreparedBases>>>;
  toRecord(prepared: Readonly<Record<Name, PreparedBases>>): CacheRecord;
}

/** The same, and whether the points that are loaded now came from the cache. */
export interface LoadedPoints<Name extends string> extends RenewableVectors<Name> {
  fromCache: boolean;
}

/** What is used of the engine when points were wrong. */
export type PointsContext = Pick<ProofContext, 'pool' | 'cache' | 'mayChoose' | 'distrustGpu'>;

/** How a piece of work is done. */
export interface WorkingWay {
  /** Whether it uses the workers alone, so that no fault of the GPU counts as one of the points. */
  readonly onWorkers: boolean;
  /** Whether a wrong sum may come of the points (`MsmOptions.suspectsBases`). */
  readonly suspectsBases: boolean;
}

/** Whether points or multiples that are used now came from the cache. */
export function areCached<Name extends string>({ fromCache, growth }: LoadedPoints<Name>): boolean {
  return fromCache || growth?.usesCache === true;
}

/** Whether an error is one that wrong points explain. */
export function isWrongResult(error: unknown): error is PippinError {
  return error instanceof PippinError && (error.code === 'PROOF_INVALID' || error.code === 'RESULT_INVALID');
}
