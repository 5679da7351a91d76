import type { GroupId } from '../../curves/index.js';
import type { ExceptionalPoint, PointForm } from '../../msm/prepared.js';

/** How the coordinates of points handed to `prepareBases` are encoded; both little-endian, coordinateBytes each. */
export type PointEncoding =
  /** Integers below p. */
  | 'canonical'
  /** a * 2^(8 coordinateBytes) mod p, what a .zkey holds. */
  | 'montgomery';

/** The result of preparing a run of points: a part of `PreparedBases`, indices relative to the run's first point. */
export interface PreparedPart {
  readonly kept: number;
  readonly points: Uint8Array;
  /** undefined when all are kept. */
  readonly indices: Uint32Array | undefined;
  readonly exceptional: readonly ExceptionalPoint[];
}

/**
 * What one kernel (one WASM instance of one curve) can do. `Kernel` implements it; a kernel worker exposes it; tests and
 * benches call it in place. Unless said otherwise points are affine in the boundary form (canonical, little-endian,
 * infinity all zero) and field elements are 32 canonical little-endian bytes below r. Arrays that are returned own their
 * memory, so that a worker can transfer them.
 *
 * Long methods are asynchronous and work in steps of some 20 ms; between steps they look at `cancelled`.
 */
export interface KernelApi {
  /**
   * Checks that every coordinate is below p and every point on the curve (`INVALID_POINT` names the first that is not, by
   * its index plus `firstIndex`), drops infinities, sets exceptional points aside and converts the rest to the packed form.
   */
  prepareBases(
    group: GroupId,
    form: PointForm,
    encoding: PointEncoding,
    points: Uint8Array,
    /** Index, among all points, of the first in this run; for error messages alone. */
    firstIndex: number,
    task?: KernelTask,
  ): Promise<PreparedPart>;

  /** Keeps prepared points ready for `multiply` under `id`, replacing what was there. `OUT_OF_MEMORY` when they do not fit. */
  loadShard(id: string, group: GroupId, form: PointForm, points: Uint8Array): void;
  releaseShard(id: string): void;
  /** sum k_i P_i over a shard: `scalars` has 32 bytes a point, each below the order. Zeros are skipped, points of equal scalars added first. */
  multiply(id: string, scalars: Uint8Array, windowBits: number | undefined, task?: KernelTask): Promise<Uint8Array>;

  /**
   * Signed digits of n scalars, window-major: entry w * n + i is digit w of scalar i, its absolute value in the low 31
   * bits, its sign in bit 31; -2^(c-1) < d <= 2^(c-1). windowCount(scalar bits, c) windows.
   */
  cutDigits(scalars: Uint8Array, windowBits: number): Promise<Uint32Array>;
  /** sum over w of 2^(c w) S_w, for the window sums of `MsmParts`. */
  reduceWindows(group: GroupId, form: PointForm, sums: Uint8Array, windowBits: number): Promise<Uint8Array>;
  /** sum k_i P_i of a few affine points, on the form of the boundary, without buckets; all k_i = 1 when left out. */
  combine(group: GroupId, points: Uint8Array, scalars?: Uint8Array): Promise<Uint8Array>;
  /** Whether an affine point satisfies the curve's equation; infinity does. */
  isOnCurve(group: GroupId, point: Uint8Array): Promise<boolean>;

  // The three methods below are for curves with a pairing; `CURVE_MISMATCH` on others. They are a few milliseconds' work, in one step.
  /**
   * Whether each of n affine points is in the group of prime order r: infinity, or coordinates below p, on the curve or its
   * twist, and in the subgroup.
   */
  isInSubgroup(group: GroupId, points: Uint8Array): Promise<boolean>;
  /**
   * Whether the product of the pairings e(P_i, Q_i) of n points of each group is 1; a pair with infinity counts as 1, and so does the
   * product of none. `INVALID_LENGTH` when the groups' points are not as many, `INVALID_POINT` for a coordinate that is not below p or
   * a point off its curve. That the points are in the subgroups is for `isInSubgroup` to tell; outside of them the answer means nothing.
   */
  pairingProductIsOne(g1: Uint8Array, g2: Uint8Array): Promise<boolean>;
  /**
   * The product of the reduced pairings e(P_i, Q_i), raised as in ffjavascript (the final exponentiation has a factor that depends on the
   * curve's family: wasm/pairing/bn.ts, bls12.ts): 12 canonical coefficients of coordinateBytes each, in the order of `vk_alphabeta_12` in a
   * verification key of snarkjs, which are those of 1, w^2, w^4, w, w^3, w^5, c0 and c1 of each. Refuses what `pairingProductIsOne` refuses.
   */
  pairing(g1: Uint8Array, g2: Uint8Array): Promise<Uint8Array>;

  /** Number-theoretic transform over Fr of 2^k elements, natural order in and out; the inverse divides by 2^k. */
  transform(values: Uint8Array, direction: 'forward' | 'inverse', task?: KernelTask): Promise<Uint8Array>;
  /**
   * Values of a polynomial of degree < n on the odd 2n-th roots of unity, from its values on the n-th roots. n is 2^k with k below the
   * field's two-adicity: the largest domain of all, which snarkjs shifts by another factor, does not fit a WASM memory.
   */
  shiftToCoset(values: Uint8Array, task?: KernelTask): Promise<Uint8Array>;
  /** a_i b_i. */
  multiplyElements(a: Uint8Array, b: Uint8Array): Promise<Uint8Array>;
  /** a_i b_i - c_i: the quotient's values on the coset, up to the factor that the key's H points carry. */
  quotient(a: Uint8Array, b: Uint8Array, c: Uint8Array): Promise<Uint8Array>;

  /**
   * Keeps one matrix of a constraint system: `entries` rows of a .zkey's coefficient section, 12 bytes of indices (matrix,
   * constraint, signal; u32 each) and the coefficient times 2^512 mod r. Entries of the other matrix are skipped.
   */
  loadConstraints(id: string, matrix: 0 | 1, entries: Uint8Array, domainSize: number): void;
  releaseConstraints(id: string): void;
  /** The matrix times the witness (32 bytes a signal): domainSize elements. */
  evaluateConstraints(id: string, witness: Uint8Array, task?: KernelTask): Promise<Uint8Array>;
}

/** Handed to a long method so that it can be stopped between steps and can tell how far it is. */
export interface KernelTask {
  /** True once the caller no longer wants the result; the method then throws `ABORTED`. Awaited between steps. */
  cancelled(): Promise<boolean>;
  /** The done fraction of this method's work, 0 to 1. */
  progress(fraction: number): void;
}
