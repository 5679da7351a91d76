export type GroupId = 'g1' | 'g2';

/** A prime field, and for a scalar field what its NTT needs. */
export interface FieldParameters {
  /** Short name used in generated code, e.g. `bn254_fq`. */
  readonly name: string;
  readonly modulus: bigint;
  /** Bits of the modulus. */
  readonly bits: number;
}

export interface ScalarFieldParameters extends FieldParameters {
  /** The largest s with 2^s dividing modulus - 1. */
  readonly twoAdicity: number;
  /** A primitive 2^twoAdicity-th root of unity; smaller domains take its squares. */
  readonly rootOfUnity: bigint;
  /** A quadratic non-residue; rootOfUnity is its power (modulus - 1) / 2^twoAdicity. */
  readonly nonResidue: bigint;
}

/** A short Weierstrass curve y^2 = x^3 + b of prime-order subgroup r over F_p, and the endomorphism (x, y) -> (beta x, y). */
export interface G1Parameters {
  readonly b: bigint;
  readonly generator: readonly [x: bigint, y: bigint];
  readonly cofactor: bigint;
  /** beta^3 = 1 in F_p, lambda^3 = 1 in F_r, and (beta x, y) = lambda (x, y) on the subgroup. */
  readonly endomorphism: { readonly beta: bigint; readonly lambda: bigint; readonly basis: EndomorphismBasis };
}

/**
 * Two short vectors (a, b) with a + b lambda = 0 in F_r, the first with a, b > 0, the second with a > 0 > b: two consecutive remainders
 * of Euclid's algorithm on r and lambda and their factors (Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves
 * with efficient endomorphisms", CRYPTO 2001, section 4). Their determinant is -r.
 */
export type EndomorphismBasis = readonly [readonly [a: bigint, b: bigint], readonly [a: bigint, b: bigint]];

/** The sextic twist y^2 = x^3 + b over F_p^2 = F_p[u] / (u^2 + 1), coefficients as (c0, c1). */
export interface G2Parameters {
  readonly b: readonly [c0: bigint, c1: bigint];
  readonly generator: readonly [x: readonly [bigint, bigint], y: readonly [bigint, bigint]];
}

/**
 * The twisted Edwards form -X^2 + Y^2 = 1 + d X^2 Y^2 of a Weierstrass curve y^2 = x^3 + b, through its Montgomery form:
 * x_m = s (x - alpha), y_m = s y, then X = scale * x_m / y_m and Y = (x_m - 1) / (x_m + 1).
 */
export interface EdwardsParameters {
  /** A root of x^3 + b. */
  readonly alpha: bigint;
  /** A square root of 1 / (3 alpha^2). */
  readonly s: bigint;
  /** A square root of minus the a of the unscaled twisted Edwards form; brings a to -1. */
  readonly scale: bigint;
  readonly d: bigint;
}

/** What the optimal ate pairing of a Barreto-Naehrig curve needs beside its groups. */
export interface PairingParameters {
  /** x of p(x) = 36 x^4 + 36 x^3 + 24 x^2 + 6 x + 1 and r(x) = 36 x^4 + 36 x^3 + 18 x^2 + 6 x + 1; positive. */
  readonly parameter: bigint;
  /** xi in F_p^2, neither a square nor a cube: F_p^12 = F_p^2[w] / (w^6 - xi), and the twist is y^2 = x^3 + b / xi. */
  readonly nonResidue: readonly [c0: bigint, c1: bigint];
}

/** How snarkjs and circom name a curve. */
export interface SnarkjsNames {
  /** What snarkjs writes as `curve` into proofs and keys. */
  readonly name: string;
  /** Other names that its readers take for the same curve, in lower case without punctuation. */
  readonly aliases: readonly string[];
}

/** All that is particular to a curve. */
export interface CurveParameters<Id extends string = string> {
  /** The name in Pippin's API and in the names of files. */
  readonly id: Id;
  /** The name in messages and documents. */
  readonly name: string;
  /** The curve's names in snarkjs' files; undefined where snarkjs does not have the curve. */
  readonly snarkjs?: SnarkjsNames;
  /** Limbs of the first operand that a turn of the WGSL product's loop takes: a divisor of their number, found by measurement. */
  readonly wgslLimbsPerTurn: number;
  /** The field of the coordinates. */
  readonly fq: FieldParameters;
  /** The field of the scalars. */
  readonly fr: ScalarFieldParameters;
  /** Bytes of one coordinate at the boundary. */
  readonly coordinateBytes: 32 | 48;
  readonly g1: G1Parameters;
  readonly g2?: G2Parameters;
  readonly edwards?: EdwardsParameters;
  readonly pairing?: PairingParameters;
}

/** Bytes of one scalar at the boundary, on every curve here. */
export const SCALAR_BYTES = 32;
