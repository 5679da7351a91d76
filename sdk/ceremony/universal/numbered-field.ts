import { bytesToBigint } from '../../base/bytes.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { FACTOR } from '../../executors/workers/kernel/ceremony/linear-combinations.js';
import { Coefficients } from '../setup/coefficients.js';

/** Arithmetic in a curve's scalar field on coefficients that are known by their numbers (`Coefficients`). */
export class NumberedField {
  readonly one = FACTOR.one;
  readonly minusOne = FACTOR.minusOne;
  readonly zero: number;
  readonly coefficients: Coefficients;
  private readonly modulus: bigint;
  private readonly negatives: number[] = [];

  constructor(curve: CurveId) {
    this.modulus = CURVES[curve].fr.modulus;
    this.coefficients = new Coefficients(this.modulus);
    this.zero = this.coefficients.numberOfValue(0n);
  }

  negate(a: number): number {
    const known = this.negatives[a];
    if (known !== undefined) return known;
    const value = this.valueOf(a);
    const negative = this.coefficients.numberOfValue(value === 0n ? 0n : this.modulus - value);
    this.negatives[a] = negative;
    return negative;
  }

  multiply(a: number, b: number): number {
    if (a === this.one) return b;
    if (b === this.one) return a;
    if (a === this.zero || b === this.zero) return this.zero;
    if (a === this.minusOne) return this.negate(b);
    if (b === this.minusOne) return this.negate(a);
    return this.coefficients.numberOfValue((this.valueOf(a) * this.valueOf(b)) % this.modulus);
  }

  subtract(a: number, b: number): number {
    if (b === this.zero) return a;
    if (a === this.zero) return this.negate(b);
    const difference = this.valueOf(a) - this.valueOf(b);
    return this.coefficients.numberOfValue(difference < 0n ? difference + this.modulus : difference);
  }

  private valueOf(number: number): bigint {
    return bytesToBigint(this.coefficients.bytes(number));
  }
}
