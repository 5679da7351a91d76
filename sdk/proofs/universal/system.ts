import type { CurveId } from '../../curves/index.js';
import type { ByteSource } from '../../files/byte-source.js';
import type { PlonkKeyFacts, Wiring } from '../../files/snarkjs/plonk-arithmetization.js';
import type { PlonkPolynomial } from '../../files/snarkjs/plonk-zkey.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import type { Vector, VectorCall } from '../../polynomials/polynomials.js';
import type { OpeningClaim } from '../opening-claim.js';
import type { PairingArithmetic } from '../pairings.js';
import type { ProofPart, Protocol } from '../parts.js';
import type { WireCosets } from './constraints.js';
import type { KeyPolynomials } from './key-polynomials.js';

/**
 * A proving key of a proof system with a universal set-up, before its large sections are read: gates with selectors, a
 * permutation of the wires, and powers of tau.
 */
export interface UniversalZkey extends Wiring, WireCosets {
  readonly curve: CurveId;
  readonly facts: PlonkKeyFacts;
  readonly points: { readonly X_2: Uint8Array };
  /** The n coefficients of each polynomial, in Montgomery form with R = 2^256. */
  readonly polynomials: Readonly<Record<PlonkPolynomial, ByteSource>>;
  /** tau^i in G1, from i = 0. */
  readonly powers: KeyVector;
}

/** What a protocol takes of a loaded key. */
export interface KeyForProof<Zkey extends UniversalZkey> {
  readonly zkey: Zkey;
  readonly polynomials: KeyPolynomials;
}

/** The statement and its witness. */
export interface Wires {
  /** The n values of each wire on the domain. They stay as they are. */
  readonly values: readonly [a: Vector, b: Vector, c: Vector];
  readonly publicSignals: readonly bigint[];
}

/** What a protocol computes with, wherever that is done. */
export interface UniversalProtocolContext<Part extends ProofPart> extends VectorCall {
  /** The commitment of a polynomial: its MSM over the powers of tau, of which there are at least as many. */
  commit(part: Part, coefficients: Vector): Promise<Uint8Array>;
  /** Runs the computation of quotients, which reports the fraction done. */
  quotient<T>(work: (onProgress: (fraction: number) => void) => Promise<T>): Promise<T>;
}

/** A verification key whose points have been checked. */
export interface UniversalVerifier {
  readonly curve: CurveId;
  /** tau in G2. */
  readonly X_2: Uint8Array;
  /** What a proof claims; undefined if it does not hold whatever its points are. Errors as for `verify`. */
  read(publicSignals: unknown, proof: unknown): OpeningClaim | undefined;
  verify(arithmetic: PairingArithmetic, publicSignals: unknown, proof: unknown): Promise<boolean>;
}

/** What is particular to a proof system with a universal set-up. Keys and proofs are in snarkjs' forms. */
export interface UniversalSystem<
  Zkey extends UniversalZkey = UniversalZkey,
  Proof = unknown,
  Part extends ProofPart = ProofPart,
> {
  readonly protocol: Protocol;
  /** The names of a proof's MSMs. */
  readonly parts: readonly Part[];
  readZkey(source: ByteSource): Promise<Zkey>;
  verificationKeyOf(zkey: Zkey): object;
  /** `KEY_MISMATCH` unless the key belongs to the verification key that the caller trusts. */
  expectVerificationKey(zkey: Zkey, pinned: unknown): void;
  curveOfVerificationKey(json: unknown): CurveId;
  createVerifier(arithmetic: PairingArithmetic, verificationKey: unknown): Promise<UniversalVerifier>;
  /** Makes a proof, with new blinding scalars. */
  prove(context: UniversalProtocolContext<Part>, key: KeyForProof<Zkey>, wires: Wires): Promise<Proof>;
}
