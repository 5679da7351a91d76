import type { ScalarVector } from '../bases/scalar-vector.js';
import { type CurveId, SCALAR_BYTES } from '../curves/index.js';
import type { Coset } from './domain.js';
import type { Expression } from './expression.js';

/**
 * Elements of Fr on an executor: the coefficients of a polynomial from the lowest, or its values on a coset in the
 * order of its points. Only the executor that made it takes it: `INVALID_ARGUMENT` for another's, `DISPOSED` for one
 * that was released.
 */
export interface Vector {
  readonly length: number;
  /** Overwrites and frees it. Idempotent. A computation that uses it must have ended. */
  release(): void;
}

export interface VectorCall {
  readonly signal?: AbortSignal | undefined;
}

export interface ConsumingCall extends VectorCall {
  /**
   * Whether the first operand is released by the call, well or not: the result may take its memory. Such a call is not
   * retried when a worker dies.
   */
  readonly consume?: boolean | undefined;
}

export interface TransformCall extends ConsumingCall {
  /** Called with the fraction of the work done, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** f a: a vector and its factor in a linear combination, an integer that is taken modulo r. */
export interface Term {
  readonly vector: Vector;
  readonly factor: bigint;
}

/**
 * What a quotient polynomial asks of vectors over a curve's scalar field Fr, on whatever executor they are. Every
 * result is a new vector, which the caller releases; operands stay as they are unless they are consumed.
 * `INVALID_LENGTH` for vectors whose lengths do not fit, `ABORTED` after an abort, and the executor's errors:
 * `WORKER_FAILED`, `OUT_OF_MEMORY`. `CURVE_MISMATCH` for a curve without transforms.
 */
export interface Vectors {
  readonly curve: CurveId;

  /**
   * A vector of elements given as bytes: `SCALAR_BYTES` each, little-endian, canonical (below r, which is not checked).
   * The vector takes the array, which must fill its buffer and which nobody else may use any more.
   */
  create(bytes: Uint8Array): Vector;

  /** The elements as bytes, in the form that `create` takes, in a new array. */
  read(vector: Vector): Promise<Uint8Array>;

  /** The elements as the scalars of an MSM, while the vector is not released. */
  scalars(vector: Vector): ScalarVector;

  /**
   * Fulfilled when the elements of a vector have been computed; rejects if they could not be. Left out where a vector
   * is given out only then.
   */
  settled?(vector: Vector): Promise<void>;

  /** a_i b_i. */
  multiply(a: Vector, b: Vector, call?: ConsumingCall): Promise<Vector>;

  /** a_i b_i - c_i. */
  multiplySubtract(a: Vector, b: Vector, c: Vector, call?: ConsumingCall): Promise<Vector>;

  /**
   * The values on the domain's `oddCoset` of the polynomial of degree below n with these n values on the domain, by an
   * inverse NTT and an NTT that share their shift. n is a power of two, at most half the order of Fr's 2-torsion.
   */
  toOddCoset(values: Vector, call?: TransformCall): Promise<Vector>;
}

/** Numbers of a vector's elements, which are no secrets, on the executor that made them. */
export interface Indices {
  readonly length: number;
  /** Frees them. Idempotent. */
  release(): void;
}

/**
 * Bytes of an addition: the indices of two elements (u32, little-endian), then a factor of each in Montgomery form with
 * R = 2^256.
 */
export const ADDITION_BYTES = 8 + 2 * SCALAR_BYTES;

/** Sums of two multiples each, on the executor that made them, to be appended to a vector. */
export interface Additions {
  readonly count: number;
  /** Frees them. Idempotent. */
  release(): void;
}

/** A coefficient that is added: value X^index. The value is taken modulo r. */
export interface Monomial {
  readonly index: number;
  readonly value: bigint;
}

/** What proof systems over univariate polynomials ask besides, such as PLONK; conditions and errors as above. */
export interface Polynomials extends Vectors {
  /** How many transforms it computes at a time, at least 1; no limit if it is left out. More would only wait. */
  readonly parallelTransforms?: number | undefined;

  /**
   * The same executor, for vectors that stay from one proof to the next, and are no secrets. Left out where it makes no
   * difference. Each takes the other's vectors.
   */
  readonly lasting?: Polynomials | undefined;

  /** Indices given as bytes (u32, little-endian), which stay as they are. */
  indices(bytes: Uint8Array): Indices;

  /** The elements with these indices, all below the vector's length (which is not checked everywhere). */
  gather(values: Vector, indices: Indices, call?: VectorCall): Promise<Vector>;

  /**
   * Additions given as rows of `ADDITION_BYTES`, which stay as they are. `MALFORMED_FILE`, here or in `extend`, names
   * an addition of an element that does not come before it.
   *
   * @param known the length of the vector that they extend.
   */
  additions(rows: Uint8Array, known: number): Additions;

  /** The elements, followed by the sum of each addition, which may take the sums before it. */
  extend(values: Vector, additions: Additions, call?: VectorCall): Promise<Vector>;

  /** The values of an expression, for all i, over vectors of one length. */
  compute(expression: Expression, operands: readonly Vector[], call?: VectorCall): Promise<Vector>;

  /**
   * f_0 a + f_1 b + ..: at least one term. The result has the length of the longest vector; shorter ones are followed
   * by zeros.
   */
  linearCombination(terms: readonly Term[], call?: VectorCall): Promise<Vector>;

  /** A copy with `length` coefficients, at least as many as before, to which a few monomials are added. */
  addMonomials(coefficients: Vector, monomials: readonly Monomial[], length: number): Promise<Vector>;

  /** Coefficients from..to alone. */
  slice(coefficients: Vector, from: number, to: number): Promise<Vector>;

  /** The elements of one vector after another. */
  concatenate(vectors: readonly Vector[]): Promise<Vector>;

  /** P_0(X^k) + X P_1(X^k) + .. + X^(k-1) P_(k-1)(X^k) for k polynomials, with `length` coefficients. */
  interleave(polynomials: readonly Vector[], length: number): Promise<Vector>;

  /** Whether all elements from number `from` on are 0. */
  isZeroFrom(vector: Vector, from: number): Promise<boolean>;

  /** Element i + by (modulo the length) at i, for `by` from 0 to the length: the values of p(w^by X) on a coset. */
  rotate(values: Vector, by: number): Promise<Vector>;

  /** 1 / a_i, and 0 where a_i is 0, by batch inversion. */
  invert(a: Vector, call?: ConsumingCall): Promise<Vector>;

  /**
   * The products of the first 0, 1, .. n - 1 elements (so the first is 1), and the product of all n: the grand product
   * of a permutation argument. An executor may give the vector before it knows the product; who does not ask for the
   * product need not await it.
   */
  prefixProducts(
    a: Vector,
    call?: VectorCall,
  ): Promise<{ readonly products: Vector; readonly product: Promise<bigint> }>;

  /** The value of the polynomial with these coefficients at x, which is taken modulo r. 0 for no coefficients. */
  evaluate(coefficients: Vector, x: bigint, call?: VectorCall): Promise<bigint>;

  /**
   * p(X) = q(X) (X^k - z) + r(X), deg r < k, for the polynomial p with these coefficients; z is taken modulo r. q has
   * as many coefficients as p, of which the highest k are 0. With k = 1, the default, r is p(z), and q opens a KZG
   * commitment at z (Kate, Zaverucha, Goldberg, "Constant-size commitments to polynomials and their applications",
   * 2010). The remainder may come later, and need not be awaited.
   */
  divideByBinomial(
    coefficients: Vector,
    z: bigint,
    call?: VectorCall & { readonly k?: number },
  ): Promise<{ readonly quotient: Vector; readonly remainder: Promise<readonly bigint[]> }>;

  /**
   * The values on a coset of the polynomial with these coefficients, by a number-theoretic transform. More coefficients
   * than the coset has points are first reduced modulo X^size - shift^size; they should be few.
   */
  ntt(coefficients: Vector, coset: Coset, call?: TransformCall): Promise<Vector>;

  /** The coefficients of the polynomial of degree below the coset's size with these values on it. */
  inverseNtt(values: Vector, coset: Coset, call?: TransformCall): Promise<Vector>;
}
