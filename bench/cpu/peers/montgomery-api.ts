import type { CurveParameters } from '../../../sdk/curves/index.js';
import type { KnownPoints } from '../../lib/points.js';
import type { ProductLoop } from '../product-loop.js';

/** What bench/cpu/peers/montgomery.ts exports. It is bundled apart: its worker threads load the same file. */
export interface MontgomeryPeer {
  startThreads(threads: number): Promise<void>;
  stopThreads(): Promise<void>;
  productLoop(p: bigint, count: number): Promise<ProductLoop>;
  /** Points lie in its memory; so do the scalars once they are given. */
  multiplication(curve: CurveParameters, points: KnownPoints): Promise<MontgomeryMultiplication>;
}

export interface MontgomeryMultiplication {
  setScalars(scalars: Uint8Array): void;
  /** The sum, affine, in boundary bytes. */
  multiply(): Promise<Uint8Array>;
}
