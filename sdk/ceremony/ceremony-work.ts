import type { CurveId } from '../curves/index.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import type { CeremonyGpu } from './ceremony-gpu.js';

/** Points in memory at a time. */
export const CHUNK_POINTS = 1 << 14;
/** Points of one job, which share inversions. */
export const SLICE_POINTS = 1 << 10;
/** How much longer a point of G2 takes than one of G1, for progress. */
export const COST_OF_G2 = 3;

/** A Blake2b-512 of much data. */
export interface BulkHash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** What a ceremony computes with. */
export interface CeremonyWork {
  readonly pool: KernelPool;
  readonly gpu: CeremonyGpu;
  /** Makes the workers ready for a curve, before they are called. */
  readonly open: (curve: CurveId) => Promise<void>;
  /** A module of an open curve: the one of square roots also writes points as a .zkey has them. */
  readonly module: KernelPool['module'];
  /** The platform's quickest Blake2b-512. */
  readonly newHash: () => BulkHash;
  readonly signal: AbortSignal | undefined;
}

/** Work that tells its progress. */
export interface ToldWork extends CeremonyWork {
  /** Called with the done fraction. */
  readonly onProgress: (fraction: number) => void;
}
