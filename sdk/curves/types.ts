/** A group of a curve: G1, or G2 over the quadratic extension (BN254, BLS12-377 and BLS12-381). */
export type GroupId = 'g1' | 'g2';

/** A prime field. */
export interface FieldParameters {
  readonly modulus: bigint;
  /** Bits of the modulus. */
  readonly bits: number;
}

/** A scalar field, with what its number-theoretic transform needs. */
export interface ScalarFieldParameters extends FieldParameters {
  /** The largest s with 2^s dividing modulus - 1. */
  readonly twoAdicity: number;
  /** A quadratic non-residue, from which the roots of unity follow (`rootOfUnity`). */
  readonly nonResidue: bigint;
}

/**
 * The group of order r on a curve over F_p, which is y^2 = x^3 + a x + b or, by `CurveParameters.edwards`, equivalent
 * to it.
 */
export interface G1Parameters {
  readonly a: bigint;
  readonly b: bigint;
  /** In the coordinates that callers use (`CurveParameters.boundary`). */
  readonly generator: readonly [x: bigint, y: bigint];
  readonly cofactor: bigint;
}

/**
 * The endomorphism (x, y) -> (beta x, y) of a curve with a = 0: beta^3 = 1 in F_p, lambda^3 = 1 in F_r, and (beta x, y)
 * = lambda (x, y) on the subgroup.
 */
export interface EndomorphismParameters {
  readonly beta: bigint;
  readonly lambda: bigint;
  readonly basis: EndomorphismBasis;
}

/**
 * Two short vectors (a, b) with a + b lambda = 0 in F_r, the first with a, b > 0, the second with a > 0 > b: two
 * consecutive remainders of Euclid's algorithm on r and lambda and their factors (Gallant, Lambert, Vanstone, "Faster
 * point multiplication on elliptic curves with efficient endomorphisms", CRYPTO 2001, section 4). Their determinant is
 * -r.
 */
export type EndomorphismBasis = readonly [readonly [a: bigint, b: bigint], readonly [a: bigint, b: bigint]];

/** The sextic twist y^2 = x^3 + b over F_p^2 = F_p[u] / (u^2 - nonResidue), coefficients as (c0, c1). */
export interface G2Parameters {
  /** u^2: an integer of few bits, with its sign, that is no square modulo p. */
  readonly nonResidue: bigint;
  readonly b: readonly [c0: bigint, c1: bigint];
}

/** A point of G2 that generates the subgroup, in the coordinates that callers use. */
export type G2Generator = readonly [x: readonly [bigint, bigint], y: readonly [bigint, bigint]];

/**
 * The twisted Edwards form -X^2 + Y^2 = 1 + d X^2 Y^2 of a Weierstrass curve y^2 = x^3 + a x + b, through its
 * Montgomery form: x_m = s (x - alpha), y_m = s y, then X = scale * x_m / y_m and Y = (x_m - 1) / (x_m + 1).
 */
export interface EdwardsParameters {
  /** A root of x^3 + a x + b. */
  readonly alpha: bigint;
  /** What scales the Weierstrass form to the Montgomery form. */
  readonly s: bigint;
  /** What brings the a of the twisted Edwards form to -1. */
  readonly scale: bigint;
  readonly d: bigint;
}

/** The parameters of the optimal ate pairing of a curve with a sextic twist and u^2 = -1, besides its groups. */
export interface PairingParameters {
  /**
   * `bn`, Barreto-Naehrig: p = 36 x^4 + 36 x^3 + 24 x^2 + 6 x + 1, r = 36 x^4 + 36 x^3 + 18 x^2 + 6 x + 1. `bls12`,
   * Barreto-Lynn-Scott of embedding degree 12: r = x^4 - x^2 + 1, p = (x - 1)^2 r / 3 + x.
   */
  readonly family: 'bn' | 'bls12';
  /** x, with its sign; positive for `bn`. */
  readonly parameter: bigint;
  /** xi = k + u in F_p^2, neither a square nor a cube: F_p^12 = F_p^2[w] / (w^6 - xi). */
  readonly nonResidue: readonly [c0: bigint, c1: bigint];
  /** `D`: the twist is y^2 = x^3 + b / xi; `M`: y^2 = x^3 + b xi. */
  readonly twist: 'D' | 'M';
}

/** The parameters of transforms and constraint products over F_r, besides the field. */
export interface TransformParameters {
  /**
   * Whether the modules with fused multiply-add transform in lanes of f64x2. A field of 255 bits is too large for the
   * bounds of lanes.
   */
  readonly inLanes: boolean;
}

/** How snarkjs and circom name a curve. */
export interface SnarkjsNames {
  /** The name that snarkjs writes as `curve` into proofs and keys. */
  readonly name: string;
  /** Other names that are accepted for the same curve, in lower case without punctuation. */
  readonly aliases: readonly string[];
}

/** Everything that is particular to a curve. */
export interface CurveParameters<Id extends string = string> {
  /** The name in Pippin's API and in the names of files. */
  readonly id: Id;
  /** The name in messages and documents. */
  readonly name: string;
  /** The curve's names in snarkjs' files; undefined where snarkjs does not have the curve. */
  readonly snarkjs?: SnarkjsNames;
  /**
   * How many limbs of the first operand one turn of the WGSL product's loop handles: a divisor of their number, chosen
   * by measurement. Undefined if there are no kernels for the curve on the GPU: the workers compute its MSMs.
   */
  readonly wgslLimbsPerTurn?: number;
  /** The field of the coordinates. */
  readonly fq: FieldParameters;
  /** The field of the scalars. */
  readonly fr: ScalarFieldParameters;
  /** Bytes of one coordinate at the boundary. */
  readonly coordinateBytes: 32 | 48 | 96;
  /** Bytes of one scalar at the boundary: `SCALAR_BYTES` where the curve has transforms. */
  readonly scalarBytes: 32 | 96;
  /**
   * The coordinates of the points that callers give and take: affine x, y on y^2 = x^3 + a x + b, or affine X, Y on the
   * twisted Edwards form, whose neutral element is (0, 1). In both cases the neutral element is written as zeros.
   */
  readonly boundary: 'weierstrass' | 'edwards';
  readonly g1: G1Parameters;
  readonly g2?: G2Parameters;
  /** Whether G1 has an Edwards form, in which its points are prepared (`EDWARDS_FORMS`). */
  readonly edwards?: true;
  readonly pairing?: PairingParameters;
  /** Undefined if the curve serves only for multi-scalar multiplications. */
  readonly transforms?: TransformParameters;
}

/**
 * Bytes of one scalar on every curve with transforms, and so of an element in a file of snarkjs. MSMs take
 * `CurveParameters.scalarBytes`.
 */
export const SCALAR_BYTES = 32;
