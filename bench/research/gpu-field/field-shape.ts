import { CURVES, type CurveId } from '../../../sdk/curves/index.js';
import { packedWords, wgslLimbBits, wgslLimbs } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';

/**
 * How a variant cuts the elements of a coordinate field into limbs, in Montgomery form with R = 2^(limbs * limbBits),
 * which is `r`.
 */
export interface FieldShape {
  readonly curve: CurveId;
  readonly p: bigint;
  readonly limbBits: number;
  readonly limbs: number;
  /** 32-bit words of a packed coordinate below p. */
  readonly words: number;
  readonly r: bigint;
}

/** The shape of the kernels that Pippin ships: limbs of 13 bits. */
export function shippedShape(curve: CurveId): FieldShape {
  const { modulus: p, bits } = CURVES[curve].fq;
  const limbs = wgslLimbs(bits);
  const limbBits = wgslLimbBits(bits);
  const r = 1n << BigInt(limbs * limbBits);
  return { curve, p, limbBits, limbs, words: packedWords(bits), r };
}

/**
 * The same field cut into limbs of `limbBits` bits, with at least 3 bits more than p has. Limbs of 32 bits are the
 * words of a packed coordinate, with no further bits.
 */
export function withLimbs(shape: FieldShape, limbBits: number): FieldShape {
  const limbs = limbBits === 32 ? shape.words : Math.ceil((shape.p.toString(2).length + 3) / limbBits);
  return { ...shape, limbBits, limbs, r: 1n << BigInt(limbs * limbBits) };
}

/** BigInt arithmetic on numbers in the Montgomery form of a shape. Every kernel is checked against it. */
export class MontgomeryReference {
  private readonly p: bigint;
  private readonly r: bigint;
  private readonly rInverse: bigint;

  constructor({ p, r }: FieldShape) {
    this.p = p;
    this.r = r;
    this.rInverse = inverse(r, p);
  }

  mul(a: bigint, b: bigint): bigint {
    return mod(a * b * this.rInverse, this.p);
  }

  /** The inverse, in Montgomery form as well; 0 for 0. */
  inv(a: bigint): bigint {
    return mod(inverse(a, this.p) * this.r * this.r, this.p);
  }

  add(a: bigint, b: bigint): bigint {
    return mod(a + b, this.p);
  }

  sub(a: bigint, b: bigint): bigint {
    return mod(a - b, this.p);
  }
}
