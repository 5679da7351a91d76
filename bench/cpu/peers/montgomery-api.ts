import type { CurveParameters } from '../../../sdk/curves/index.js';
import type { KnownPoints } from '../../lib/points.js';
import type { ProductLoop } from '../product-loop.js';

/**
 * What bench/cpu/peers/montgomery.ts exports. That file is bundled by itself, because its worker threads load it as
 * well.
 */
export interface MontgomeryPeer {
  startThreads(threads: number): Promise<void>;
  stopThreads(): Promise<void>;
  productLoop(p: bigint, count: number): Promise<ProductLoop>;
  /** Copies the points to montgomery's memory; `setScalars` copies the scalars there. */
  multiplication(curve: CurveParameters, points: KnownPoints): Promise<MontgomeryMultiplication>;
}

export interface MontgomeryMultiplication {
  setScalars(scalars: Uint8Array): void;
  /** The sum in boundary form. */
  multiply(): Promise<Uint8Array>;
}
