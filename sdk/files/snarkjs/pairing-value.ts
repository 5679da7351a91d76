import { writeBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId, type PairingParameters } from '../../curves/index.js';
import { inverse, mod } from '../../curves/modular.js';
import { decodePoint } from '../../curves/point-bytes.js';

/** An element c0 + c1 u of F_p^2 = F_p[u] / (u^2 + 1). */
type Fq2 = readonly [c0: bigint, c1: bigint];
/** A point of the twist, affine and finite. */
type TwistPoint = readonly [x: Fq2, y: Fq2];
/** An element of F_p^12, as the 12 coefficients in F_p of a polynomial in w, where w^6 = xi = k + u. */
type Fq12 = readonly bigint[];

const DEGREE = 12;

/**
 * The reduced optimal ate pairing of a point of G1 with one of G2, which are affine, finite, and in the boundary form:
 * its 12 coefficients as the kernels' `pairing` writes them. It is computed with BigInts, which takes a fifth of a
 * second, and needs neither a worker nor WebAssembly. A loaded key has its value from a kernel.
 *
 * F_p^12 is one extension of F_p here, by w^12 - 2 k w^6 + k^2 + 1 = 0, so that its product is a product of two
 * polynomials.
 */
export function pairingValue(curve: CurveId, g1: Uint8Array, g2: Uint8Array): Uint8Array {
  const { pairing, fq, fr, name, coordinateBytes } = CURVES[curve];
  if (pairing === undefined) throw new PippinError('CURVE_MISMATCH', `expected a curve with a pairing, got ${name}`);
  const p = fq.modulus;
  const field = new PairingField(p, pairing);
  const { x, y } = decodePoint(curve, 'g1', g1);
  const q = decodePoint(curve, 'g2', g2);
  const loop = new MillerLoop(field, pairing, x as bigint, y as bigint, [q.x as Fq2, q.y as Fq2]);
  const exponent = ((p ** 12n - 1n) / fr.modulus) * cofactor(pairing);
  const value = field.power(loop.value(), exponent);
  const bytes = new Uint8Array(DEGREE * coordinateBytes);
  for (const [i, power] of [0, 2, 4, 1, 3, 5].entries()) {
    const [c0, c1] = field.coefficient(value, power);
    writeBigint(bytes, 2 * i * coordinateBytes, coordinateBytes, c0);
    writeBigint(bytes, (2 * i + 1) * coordinateBytes, coordinateBytes, c1);
  }
  return bytes;
}

/**
 * The factor of the final exponentiation's exponent, which ffjavascript and the kernels have as well, because it makes
 * it quicker: for BN curves Fuentes-Castaneda, Knapp, Rodriguez-Henriquez, "Faster hashing to G2", SAC 2011, section 5;
 * for BLS12 Hayashida, Hayasaka, Teruya, 2020/875.
 */
function cofactor({ family, parameter: x }: PairingParameters): bigint {
  return family === 'bn' ? 2n * x * (6n * x * x + 3n * x + 1n) : 3n;
}

/**
 * The Miller loop of the optimal ate pairing (Vercauteren, "Optimal pairings", 2008/096, section IV). Points stay on
 * the twist, and lines are the curve's lines, up to factors in F_p^4, which the final exponentiation maps to 1.
 */
class MillerLoop {
  private f: Fq12;
  private at: TwistPoint;

  constructor(
    private readonly field: PairingField,
    private readonly pairing: PairingParameters,
    private readonly x: bigint,
    private readonly y: bigint,
    private readonly q: TwistPoint,
  ) {
    this.f = field.one;
    this.at = q;
  }

  value(): Fq12 {
    const { field, pairing, q } = this;
    const { family, parameter } = pairing;
    const length = family === 'bn' ? 6n * parameter + 2n : parameter < 0n ? -parameter : parameter;
    for (const bit of length.toString(2).slice(1)) {
      this.f = field.multiply(this.f, this.f);
      this.addLine(this.at);
      if (bit === '1') this.addLine(q);
    }
    if (family === 'bn') {
      const image = this.frobenius(q);
      this.addLine(image);
      const [x, y] = this.frobenius(image);
      this.addLine([x, field.scale(y, -1n)]);
    }
    // 1 / f is f^(p^6), up to a factor that the final exponentiation maps to 1.
    return parameter < 0n ? field.conjugate(this.f) : this.f;
  }

  /**
   * Multiplies by the line through the present point and another one, or by the tangent if they are the same, and adds
   * the points.
   */
  private addLine(to: TwistPoint): void {
    const { field } = this;
    const [x1, y1] = this.at;
    const [x2, y2] = to;
    const isTangent = this.at === to;
    const slope = isTangent
      ? field.divide2(field.scale(field.multiply2(x1, x1), 3n), field.scale(y1, 2n))
      : field.divide2(field.subtract2(y2, y1), field.subtract2(x2, x1));
    const x3 = field.subtract2(field.subtract2(field.multiply2(slope, slope), x1), x2);
    const y3 = field.subtract2(field.multiply2(slope, field.subtract2(x1, x3)), y1);
    // The twist is mapped to the curve by (x w^2, y w^3) for type D and by (x / w^2, y / w^3) for type M, whose line is
    // multiplied by w^3.
    const ofY: Fq2 = [this.y, 0n];
    const ofX = field.scale(slope, -this.x);
    const constant = field.subtract2(field.multiply2(slope, x1), y1);
    const line = this.pairing.twist === 'D' ? ([ofY, ofX, constant] as const) : ([constant, ofX, ofY] as const);
    const powers = this.pairing.twist === 'D' ? [0, 1, 3] : [0, 2, 3];
    this.f = field.multiply(this.f, field.fromCoefficients(line, powers));
    this.at = [x3, y3];
  }

  /** The Frobenius endomorphism of the curve, on the twist of type D. */
  private frobenius([x, y]: TwistPoint): TwistPoint {
    const { field } = this;
    const conjugate = ([c0, c1]: Fq2): Fq2 => [c0, mod(-c1, field.p)];
    return [
      field.multiply2(conjugate(x), field.powerOfXi((field.p - 1n) / 3n)),
      field.multiply2(conjugate(y), field.powerOfXi((field.p - 1n) / 2n)),
    ];
  }
}

/** Arithmetic in F_p^2 and F_p^12. */
class PairingField {
  readonly one: Fq12 = Array.from({ length: DEGREE }, (_, i) => (i === 0 ? 1n : 0n));
  private readonly k: bigint;

  constructor(
    readonly p: bigint,
    { nonResidue: [k] }: PairingParameters,
  ) {
    this.k = k;
  }

  multiply2([a0, a1]: Fq2, [b0, b1]: Fq2): Fq2 {
    return [mod(a0 * b0 - a1 * b1, this.p), mod(a0 * b1 + a1 * b0, this.p)];
  }

  subtract2([a0, a1]: Fq2, [b0, b1]: Fq2): Fq2 {
    return [mod(a0 - b0, this.p), mod(a1 - b1, this.p)];
  }

  scale([a0, a1]: Fq2, factor: bigint): Fq2 {
    return [mod(a0 * factor, this.p), mod(a1 * factor, this.p)];
  }

  divide2(a: Fq2, [b0, b1]: Fq2): Fq2 {
    const norm = inverse(b0 * b0 + b1 * b1, this.p);
    return this.multiply2(a, [b0 * norm, -b1 * norm]);
  }

  powerOfXi(exponent: bigint): Fq2 {
    const xi: Fq2 = [this.k, 1n];
    let result: Fq2 = [1n, 0n];
    for (const bit of exponent.toString(2)) {
      result = this.multiply2(result, result);
      if (bit === '1') result = this.multiply2(result, xi);
    }
    return result;
  }

  /** The sum of elements of F_p^2 times powers of w below 6: u is w^6 - k. */
  fromCoefficients(coefficients: readonly Fq2[], powers: readonly number[]): Fq12 {
    const sum = new Array<bigint>(DEGREE).fill(0n);
    for (const [i, [c0, c1]] of coefficients.entries()) {
      sum[powers[i]!] = mod(c0 - this.k * c1, this.p);
      sum[powers[i]! + 6] = c1;
    }
    return sum;
  }

  /** The coefficient in F_p^2 of a power of w below 6. */
  coefficient(a: Fq12, power: number): Fq2 {
    return [mod(a[power]! + this.k * a[power + 6]!, this.p), a[power + 6]!];
  }

  multiply(a: Fq12, b: Fq12): Fq12 {
    const product = new Array<bigint>(2 * DEGREE).fill(0n);
    for (const [i, left] of a.entries()) {
      if (left === 0n) continue;
      for (const [j, right] of b.entries()) product[i + j]! += left * right;
    }
    // From the highest power on, since w^(12 + i) = 2 k w^(6 + i) - (k^2 + 1) w^i has one that is reduced in its turn.
    for (let i = 2 * DEGREE - 1; i >= DEGREE; i--) {
      const high = product[i]!;
      product[i - 6]! += 2n * this.k * high;
      product[i - 12]! -= (this.k * this.k + 1n) * high;
    }
    return product.slice(0, DEGREE).map((value) => mod(value, this.p));
  }

  /** a^(p^6): w^(p^6) is -w. */
  conjugate(a: Fq12): Fq12 {
    return a.map((value, i) => (i % 2 === 0 ? value : mod(-value, this.p)));
  }

  power(a: Fq12, exponent: bigint): Fq12 {
    let result = this.one;
    for (const bit of exponent.toString(2)) {
      result = this.multiply(result, result);
      if (bit === '1') result = this.multiply(result, a);
    }
    return result;
  }
}
