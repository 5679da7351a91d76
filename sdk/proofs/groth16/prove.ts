import { bigintToBytes, joinBytes } from '../../base/bytes.js';
import { wipe } from '../../base/free-memory.js';
import type { ScalarVector, SharedScalars } from '../../bases/scalar-vector.js';
import { type CurveId, type GroupId, SCALAR_BYTES } from '../../curves/index.js';
import { randomScalar } from '../../curves/random.js';
import type { KeyFacts, KeyPoints } from '../../files/snarkjs/zkey.js';
import type { Combine } from '../pairings.js';
import type { Groth16Part } from './parts.js';

/** What the protocol computes with, wherever that is done. */
export interface ProtocolContext {
  /** The MSM over a part of the key. */
  msm(part: Groth16Part, scalars: ScalarVector): Promise<Uint8Array>;
  /**
   * Calls `use` with the values of the quotient polynomial on the coset, the scalars of the MSM over H; they are wiped
   * afterwards.
   */
  quotient<T>(use: (scalars: ScalarVector) => Promise<T>): Promise<T>;
  readonly combine: Combine;
  /** Runs the last step, when all MSMs are done. */
  finish<T>(work: () => Promise<T>): Promise<T>;
  /** Takes a point of the proof as soon as it is known. */
  report(name: 'A' | 'B' | 'C', point: Uint8Array): void;
  /** Begins to verify the proof whose A and B are being computed. */
  verifyAhead?(points: Promise<readonly [a: Uint8Array, b: Uint8Array]>): void;
}

/** What the protocol takes of a proving key besides the vectors of its parts. */
export interface KeyHeader {
  readonly facts: Pick<KeyFacts, 'publicSignals'>;
  readonly points: KeyPoints;
}

/** The MSMs over the key's parts B1 and B2, with the same scalars. */
export interface MsmsOfB {
  readonly B1: Uint8Array;
  readonly B2: Uint8Array;
}

/** The points of a proof, affine in the boundary form, and what tells whether the key contradicts itself. */
export interface ProvedPoints {
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  readonly c: Uint8Array;
  readonly sums: MsmsOfB;
}

/**
 * The prover of Groth16 ("On the Size of Pairing-based Non-interactive Arguments", 2016/260, section 3.2). A, B1, B2
 * and C take only the witness and start at once; H waits for the quotient polynomial.
 *
 * @param blinding is used for this proof alone, and overwritten.
 */
export async function prove(
  context: ProtocolContext,
  { facts, points }: KeyHeader,
  witness: SharedScalars,
  blinding: Blinding,
): Promise<ProvedPoints> {
  const { combine } = context;
  const signals = witness.slice();
  const privateSignals = witness.slice(facts.publicSignals + 1);
  // The quotient polynomial comes first, because H waits for it.
  const sums = {
    H: context.quotient((quotient) => context.msm('H', quotient)),
    A: context.msm('A', signals),
    B2: context.msm('B2', signals),
    B1: context.msm('B1', signals),
    C: context.msm('C', privateSignals),
  };
  const reported = (name: 'A' | 'B' | 'C', point: Uint8Array): Uint8Array => {
    context.report(name, point);
    return point;
  };
  const makingA = sums.A.then(async (A) => reported('A', await assembleA(combine, points, A, blinding)));
  const makingB = sums.B2.then(async (B2) => reported('B', await assembleB(combine, points, B2, blinding)));
  const makingAB = Promise.all([makingA, makingB]);
  context.verifyAhead?.(makingAB);
  const blindingC = Promise.all([makingA, sums.B1]).then(([a, B1]) => blindC(combine, points, a, B1, blinding));
  // Not before all that use it have ended, also where one has failed: with zeros in its place they would give points
  // that nothing hides.
  void Promise.allSettled([makingA, makingB, blindingC]).then(() => wipeBlinding(blinding));
  const [[a, b], blind, H, B2, B1, C] = await Promise.all([makingAB, blindingC, sums.H, sums.B2, sums.B1, sums.C]);
  const c = await context.finish(() => assembleC(combine, { C, H }, blind));
  return { a, b, c: reported('C', c), sums: { B1, B2 } };
}

/** The blinding of one proof: two scalars below r, in canonical bytes. */
export interface Blinding {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
}

/** A new blinding. It must be used for one proof only, and be overwritten then. */
export function randomBlinding(curve: CurveId): Blinding {
  return { r: randomScalar(curve), s: randomScalar(curve) };
}

export function wipeBlinding({ r, s }: Blinding): void {
  wipe(r, s);
}

/** The scalar 1. */
const ONE = bigintToBytes(1n, SCALAR_BYTES);

// The three points of a proof from the MSMs over the key's vectors (Groth, "On the Size of Pairing-based
// Non-interactive Arguments", 2016/260, section 3.2). All points are affine in the boundary form.

/** A = alpha + (MSM over A) + r delta. */
export function assembleA(combine: Combine, key: KeyPoints, sum: Uint8Array, { r }: Blinding): Promise<Uint8Array> {
  return linear(combine, 'g1', [key.alpha1, ONE], [sum, ONE], [key.delta1, r]);
}

/** B = beta + (MSM over B2) + s delta, in G2. */
export function assembleB(combine: Combine, key: KeyPoints, sum: Uint8Array, { s }: Blinding): Promise<Uint8Array> {
  return linear(combine, 'g2', [key.beta2, ONE], [sum, ONE], [key.delta2, s]);
}

/** What C has beside its two MSMs: s A + r B1 - r s delta, with B1 = beta + (MSM over B1) + s delta in G1. */
export function blindC(
  combine: Combine,
  key: KeyPoints,
  a: Uint8Array,
  sumB1: Uint8Array,
  { r, s }: Blinding,
): Promise<Uint8Array> {
  // r B1 - r s delta = r beta + r (MSM over B1): the multiples of delta cancel.
  return linear(combine, 'g1', [a, s], [key.beta1, r], [sumB1, r]);
}

/** C = (MSM over C) + (MSM over H) + what `blindC` gives. */
export function assembleC(
  combine: Combine,
  sums: { readonly C: Uint8Array; readonly H: Uint8Array },
  blind: Uint8Array,
): Promise<Uint8Array> {
  return combine({ group: 'g1', points: joinBytes([sums.C, sums.H, blind]) });
}

async function linear(
  combine: Combine,
  group: GroupId,
  ...terms: readonly (readonly [point: Uint8Array, scalar: Uint8Array])[]
): Promise<Uint8Array> {
  const points = joinBytes(terms.map(([point]) => point));
  const scalars = joinBytes(terms.map(([, scalar]) => scalar));
  try {
    return await combine({ group, points, scalars });
  } finally {
    wipe(scalars);
  }
}
