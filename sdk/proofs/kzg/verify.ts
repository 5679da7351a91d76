import { bytesToBigint, joinBytes } from '../../base/bytes.js';
import { CURVES, type CurveId, type GroupId } from '../../curves/index.js';
import { randomBytes } from '../../curves/random.js';
import type { PairingArithmetic } from '../pairings.js';
import { finite, generator, multiples, ofKey } from '../verified-points.js';
import { batchChallenge, powersOf } from './open.js';

/** A claim about the values of polynomials at one point, in numbers and points of the boundary form. */
export interface ClaimedOpening {
  /** Of G1; at least one. */
  readonly commitments: readonly Uint8Array[];
  /** z, from 0 to r - 1. */
  readonly point: bigint;
  /** As many as commitments; any integers. */
  readonly values: readonly bigint[];
  readonly proof: Uint8Array;
  /** gamma; by default it is derived, for more than one commitment. */
  readonly challenge?: bigint | undefined;
}

/** Bytes of a coefficient of the random linear combination: 2^-128 is the chance of a wrong opening. */
const COEFFICIENT_BYTES = 16;

/** Points that a worker checks or adds up in one call: about 10 ms. */
const SLICE_POINTS = 64;

/** A point of G1 and its factor in a linear combination, any integer. */
type Term = readonly [point: Uint8Array, factor: bigint];

/**
 * Whether all openings hold: sum_j rho_j (C_j - y_j G1 + z_j W_j) and sum_j rho_j W_j have the pairings e(.., G2) and
 * e(.., tau G2) in common, for commitments C_j to p_j, values y_j = p_j(z_j) and proofs W_j. Several openings at one
 * point are one of C = C_0 + gamma C_1 + ... The rho_j are random, and one opening needs none. No openings hold.
 *
 * An opening does not hold if one of its points is not in the subgroup of prime order, or a value is not from 0 to
 * r - 1. `INVALID_POINT` for a tau in G2 that is not in the subgroup, or infinity: with it everyone could open
 * commitments to anything.
 */
export async function openingsHold(
  arithmetic: PairingArithmetic,
  curve: CurveId,
  tauG2: Uint8Array,
  openings: readonly ClaimedOpening[],
): Promise<boolean> {
  await expectTau(arithmetic, tauG2);
  const r = CURVES[curve].fr.modulus;
  if (openings.some(({ values }) => values.some((value) => value < 0n || value >= r))) return false;
  const points = openings.flatMap(({ commitments, proof }) => [...commitments, proof]);
  if (!(await areMembers(arithmetic, points))) return false;
  if (openings.length === 0) return true;
  const opened: Term[] = [];
  const proofs: Term[] = [];
  let value = 0n;
  for (const [j, opening] of openings.entries()) {
    const { commitments, point, values, proof } = opening;
    const rho = j === 0 ? 1n : bytesToBigint(randomBytes(COEFFICIENT_BYTES));
    const gammas = powersOf(gammaOf(curve, opening), commitments.length, r);
    for (const [i, commitment] of commitments.entries()) {
      opened.push([commitment, rho * gammas[i]!]);
      value += rho * gammas[i]! * values[i]!;
    }
    opened.push([proof, rho * point]);
    proofs.push([proof, -rho]);
  }
  const [left, right] = await Promise.all([
    linearCombination(arithmetic, curve, [...opened, [generator(curve, 'g1'), -value]]),
    linearCombination(arithmetic, curve, proofs),
  ]);
  return arithmetic.pairingProductIsOne({
    g1: joinBytes([left, right]),
    g2: joinBytes([generator(curve, 'g2'), tauG2]),
  });
}

function gammaOf(curve: CurveId, { commitments, point, values, challenge }: ClaimedOpening): bigint {
  if (challenge !== undefined) return challenge;
  return commitments.length === 1 ? 0n : batchChallenge(curve, commitments, point, values);
}

/** `INVALID_POINT` unless a point of G2 is finite and in the subgroup. */
export async function expectTau(arithmetic: PairingArithmetic, tauG2: Uint8Array): Promise<void> {
  const isMember = await arithmetic.isInSubgroup({ group: 'g2', points: tauG2 });
  finite(ofKey(isMember ? tauG2 : undefined, 'tau in G2'), 'tau in G2');
}

/** Whether all points of G1 are in the subgroup. */
async function areMembers(arithmetic: PairingArithmetic, points: readonly Uint8Array[]): Promise<boolean> {
  const answers = await Promise.all(
    inSlices(points).map((slice) => arithmetic.isInSubgroup({ group: G1, points: joinBytes(slice) })),
  );
  return answers.every((isMember) => isMember);
}

const G1: GroupId = 'g1';

/** sum k_i P_i, in slices on all workers. */
async function linearCombination(
  arithmetic: PairingArithmetic,
  curve: CurveId,
  terms: readonly Term[],
): Promise<Uint8Array> {
  const sums = await Promise.all(inSlices(terms).map((slice) => multiples(arithmetic, curve, slice)));
  return sums.length === 1 ? sums[0]! : arithmetic.combine({ group: G1, points: joinBytes(sums) });
}

function inSlices<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / SLICE_POINTS) }, (_, i) =>
    all.slice(i * SLICE_POINTS, (i + 1) * SLICE_POINTS),
  );
}
