import type { Groth16VerificationKey } from '../../api/index.js';
import type { CachedPoints } from '../../bases/cached-points.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import type { Tuning } from '../../bases/multiples.js';
import type { Precomputation } from '../../bases/precompute.js';
import type { CurveId } from '../../curves/index.js';
import type { ConstraintMatrix } from '../../executors/workers/pool/constraints.js';
import type { LoadedSource } from '../../files/cache/loaded-source.js';
import type { KeyFacts, KeyPoints } from '../../files/snarkjs/zkey.js';
import type { MaskedKey } from './masked-key.js';
import type { Groth16Part } from './parts.js';
import type { PlacedKey } from './placement.js';
import type { DeviceQuotient } from './quotient.js';
import type { Verifier } from './verify.js';

/** What the caller sees of a key. */
export interface Groth16KeyDescription extends KeyFacts {
  readonly verificationKey: Groth16VerificationKey;
}

/** The contents of a loaded key: its vectors and its constraint system are on the GPU, on the workers, or on both. */
export interface KeyContents {
  /** What it was read from, and what must be loaded again is read from. */
  readonly source: LoadedSource;
  readonly curve: CurveId;
  readonly facts: KeyFacts;
  readonly points: KeyPoints;
  readonly verificationKey: Groth16VerificationKey;
  readonly vectors: Readonly<Record<Groth16Part, LoadedBases>>;
  /** The matrices A and B of the constraint system. */
  readonly matrices: readonly [ConstraintMatrix, ConstraintMatrix];
  /** The quotient polynomials on the GPU; undefined if only the workers can compute it. */
  readonly deviceQuotient: DeviceQuotient | undefined;
  /** How the MSMs of its proofs are computed. */
  readonly tuning: Tuning;
  /** What gives the vectors multiples; undefined if the caller wants none. */
  readonly precomputation: Precomputation | undefined;
  /** Replaces the points of the vectors if the cache gave wrong ones. */
  readonly cachedPoints: CachedPoints<Groth16Part>;
}

/** A loaded proving key, with what `makeProof` needs of it. */
export interface Groth16ProvingKey {
  readonly contents: KeyContents;
  /** What proofs of constant work take. It is loaded with the first of them, and the same for all. */
  masked(): Promise<MaskedKey>;
  /** Who computes its proofs. */
  readonly places: PlacedKey;
  /** What verifies its proofs. Its verification key is checked when it is first needed. */
  verifier(): Promise<Verifier>;
}
