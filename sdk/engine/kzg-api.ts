import type { MsmCheck, NumberForm, Report } from '../api/index.js';
import type { LoadedTuning } from '../bases/multiples.js';
import type { CurveId } from '../curves/index.js';
import type { SourceDescription } from '../files/byte-source.js';
import type { Combination } from '../proofs/kzg/open.js';
import type { ClaimedOpening } from '../proofs/kzg/verify.js';

/** An SRS to be loaded. */
export interface SrsTask {
  readonly kind: 'load';
  readonly plan: 'bases';
  /** A .ptau file, or powers in G1 alone. */
  readonly source: SourceDescription;
  /** What the points are, where the source holds nothing else; undefined for a .ptau file. */
  readonly points: SrsPoints | undefined;
  /** The curve that a file must be over; any if it is left out. */
  readonly curve: CurveId | undefined;
  /** The number of powers; by default all, and 2^k of a file of power k. */
  readonly size: number | undefined;
  readonly checkPowers: boolean;
  /** The SHA-256 of the source, in lower-case hexadecimal; any if it is left out. */
  readonly sha256: string | undefined;
  /** The most bytes that are downloaded. Default `MAX_KEY_BYTES`. */
  readonly maxBytes: number | undefined;
  readonly tuning: LoadedTuning;
}

/** What a caller says about his powers. */
export interface SrsPoints {
  readonly curve: CurveId;
  readonly pointsForm: NumberForm;
  /** tau in G2, in this form. */
  readonly tauG2: Uint8Array;
}

/** How the MSMs of a task are computed. */
export interface KzgMsms {
  readonly check: MsmCheck | undefined;
  readonly constantWork: boolean;
}

/** Polynomials to be committed to: coefficients of `SCALAR_BYTES` each. */
export interface CommitTask extends KzgMsms {
  readonly kind: 'commit';
  readonly plan: 'msm';
  readonly handle: number;
  readonly polynomials: readonly Uint8Array[];
}

/** Polynomials to be opened at a point. */
export interface OpenTask extends KzgMsms {
  readonly kind: 'open';
  readonly plan: 'msm';
  readonly handle: number;
  readonly polynomials: readonly Uint8Array[];
  readonly point: bigint;
  /** undefined for a single polynomial. */
  readonly combination: Combination | undefined;
}

/** Openings to be verified. */
export interface VerifyTask {
  readonly kind: 'verify';
  readonly plan: 'verify';
  readonly curve: CurveId;
  readonly tauG2: Uint8Array;
  readonly openings: readonly ClaimedOpening[];
}

/** What the engine does with KZG commitments. The plan is of its progress. */
export type KzgTask = SrsTask | CommitTask | OpenTask | VerifyTask;

/** The answers to the tasks. Points are of G1, in the boundary form. */
export interface KzgReplies {
  readonly load: {
    readonly handle: number;
    readonly curve: CurveId;
    readonly size: number;
    readonly tauG2: Uint8Array;
    readonly report: Report;
  };
  readonly commit: { readonly commitments: readonly Uint8Array[]; readonly report: Report };
  readonly open: { readonly values: readonly bigint[]; readonly proof: Uint8Array; readonly report: Report };
  readonly verify: boolean;
}

export type KzgReply<Task extends KzgTask> = KzgReplies[Task['kind']];
