import type { CachedPoints } from '../../bases/cached-points.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import type { MaskedSums } from '../../bases/masked-sums.js';
import type { Tuning } from '../../bases/multiples.js';
import type { Precomputation } from '../../bases/precompute.js';
import type { LoadedSource } from '../../files/cache/loaded-source.js';
import type { PlacedPolynomials } from './placed-polynomials.js';
import type { UniversalVerifier, UniversalZkey } from './system.js';

/** The contents of a loaded key. */
export interface UniversalKey<Zkey extends UniversalZkey = UniversalZkey> {
  readonly zkey: Zkey;
  readonly polynomials: PlacedPolynomials;
  /** What it was read from, and what must be loaded again is read from. */
  readonly source: LoadedSource;
  readonly powers: LoadedBases;
  /** MSMs of constant work over the powers. */
  readonly masked: MaskedSums;
  readonly tuning: Tuning;
  /** What gives the powers multiples; undefined if the caller wants none. */
  readonly precomputation: Precomputation | undefined;
  /** Replaces the powers if the cache gave wrong ones. */
  readonly cachedPoints: CachedPoints<'powers'>;
  /** What verifies its proofs. Its verification key is checked when it is first needed. */
  verifier(): Promise<UniversalVerifier>;
}
