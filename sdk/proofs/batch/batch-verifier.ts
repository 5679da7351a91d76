import { bigintToBytes, bytesToBigint, joinBytes } from '../../base/bytes.js';
import { CURVES, type CurveId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { mod } from '../../curves/modular.js';
import { randomBytes } from '../../curves/random.js';
import type { KernelPool } from '../../executors/workers/pool/pool.js';
import { type PairingArithmetic, pairings } from '../pairings.js';

/** Bytes of a weight of the random linear combination. */
const WEIGHT_BYTES = 16;

/** The arithmetic of many verifications at once: methods of the curve's kernel on any idle worker. */
export interface BatchArithmetic extends PairingArithmetic {
  /** Whether the product of the pairings e(w_i P_i, Q_i) is 1 for points P_i of G1, and all Q_i are in G2. */
  batchIsOne(args: {
    readonly g1: Uint8Array;
    readonly g2: Uint8Array;
    readonly weights: Uint8Array;
  }): Promise<boolean>;
  /** The MSM over finite points of G1. */
  sumProducts(args: {
    readonly group: 'g1';
    readonly points: Uint8Array;
    readonly scalars: Uint8Array;
  }): Promise<Uint8Array>;
}

/** The proofs of one verification key, which has been checked. A claim is a proof that has been read. */
export interface BatchVerifier<Claim> {
  readonly curve: CurveId;
  /**
   * What a proof claims: undefined if it does not hold whatever its points are. Signals and proof are in snarkjs' JSON
   * form, with the errors of `verify`.
   */
  read(publicSignals: unknown, proof: unknown): Claim | undefined;
  /** The points of G1 in a claim, which need not be in the group. */
  pointsOf(claim: Claim): readonly Uint8Array[];
  /** Whether a random linear combination of claims holds, whose points of G1 are in the group. */
  holdTogether(arithmetic: BatchArithmetic, claims: readonly Claim[]): Promise<boolean>;
  /** Whether a single proof holds. */
  verify(arithmetic: BatchArithmetic, publicSignals: unknown, proof: unknown): Promise<boolean>;
}

/** The arithmetic of a batch. Its long calls wait for what is urgent. The curve's kernels must be open. */
export function batchPairings(pool: KernelPool, curve: CurveId, signal: AbortSignal): BatchArithmetic {
  return {
    ...pairings(pool, curve, signal),
    batchIsOne: (args) => pool.call(curve, 'batchIsOne', args, { signal }),
    sumProducts: (args) => pool.call(curve, 'sumProducts', args, { signal }),
  };
}

/** So many independent weights, each uniform from 1 to 2^128 - 1, from the platform's generator. */
export function randomWeights(count: number): bigint[] {
  const bytes = randomBytes(count * WEIGHT_BYTES);
  return Array.from({ length: count }, (_, i) => {
    const weight = bytesToBigint(bytes, i * WEIGHT_BYTES, WEIGHT_BYTES);
    return weight === 0n ? randomWeights(1)[0]! : weight;
  });
}

/** sum k_i P_i over points of G1, with any integers k_i: infinity, all zero, counts as nothing. */
export async function sumOfProducts(
  { sumProducts }: BatchArithmetic,
  curve: CurveId,
  terms: readonly (readonly [point: Uint8Array, factor: bigint])[],
): Promise<Uint8Array> {
  const finite = terms.filter(([point]) => point.some((byte) => byte !== 0));
  if (finite.length === 0) return new Uint8Array(pointBytes(curve, 'g1'));
  const r = CURVES[curve].fr.modulus;
  return sumProducts({
    group: 'g1',
    points: joinBytes(finite.map(([point]) => point)),
    scalars: joinBytes(finite.map(([, factor]) => bigintToBytes(mod(factor, r), SCALAR_BYTES))),
  });
}
