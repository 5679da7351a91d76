import { LANE_LIMB_BITS } from './lane-facts.js';

/** 1.5 * 2^104: a double near it is a multiple of 2^52, and its bits count those. */
export const HIGH = 1.5 * 2 ** (2 * LANE_LIMB_BITS);
/** 1.5 * 2^52: a double near it is an integer, and its bits count ones. */
export const LOW = 1.5 * 2 ** LANE_LIMB_BITS;
/** LOW * STEP = HIGH + LOW, which is no double itself. */
export const STEP = 2 ** LANE_LIMB_BITS + 1;
/** Added to a column before its carry, which so is positive; half a limb more makes the digit below it a signed one. */
const OFFSET = 2n ** 60n;
const HALF = 2n ** BigInt(LANE_LIMB_BITS - 1);

/** The bits of a double as an integer. */
export function bitsOf(value: number): bigint {
  return new BigUint64Array(new Float64Array([value]).buffer)[0]!;
}

/** The columns of a product in text: what is added to which, and what each must start from for all patterns to cancel. */
export class Columns {
  private readonly lines: (() => string)[] = [];
  private readonly starts: bigint[];
  private readonly started = new Set<number>();

  /** @param constant gives the text of a vector with this integer in both lanes. */
  constructor(
    count: number,
    private readonly constant: (bits: bigint) => string,
  ) {
    this.starts = Array.from({ length: count }, () => 0n);
  }

  text(...lines: string[]): void {
    for (const line of lines) this.lines.push(() => line);
  }

  /** Adds the product of two limbs: h is -HIGH - its high half, l is LOW + its low half. */
  product(a: string, b: string, column: number): void {
    this.split(a, b);
    this.add(column, 'l', bitsOf(LOW));
    this.add(column + 1, 'h', bitsOf(-HIGH));
  }

  split(a: string, b: string): void {
    this.text(
      `h = f64x2.relaxed_nmadd(${a}, ${b}, high);`,
      `l = f64x2.relaxed_madd(${a}, ${b}, f64x2.relaxed_madd(low, step, h));`,
    );
  }

  /** Adds a term whose pattern is `excess` more than what it stands for. */
  add(column: number, term: string, excess: bigint): void {
    this.starts[column]! -= excess;
    const first = !this.started.has(column);
    this.started.add(column);
    this.lines.push(() =>
      first
        ? `let t${column} = i64x2.add(${this.constant(this.starts[column]!)}, ${term});`
        : `t${column} = i64x2.add(t${column}, ${term});`,
    );
  }

  /** A finished column's signed digit, as a double. */
  digit(column: number): string {
    return `f64x2.sub(v128.or(v128.and(t${column}, mask), exponent), middle)`;
  }

  /** Carries a finished column into the next one; its digit is a signed one. */
  carry(column: number): void {
    this.starts[column]! += OFFSET + HALF;
    this.carryMultiple(column);
  }

  /** As `carry`, where the digit is what the lowest bits hold as they are. */
  carryUnsigned(column: number): void {
    this.starts[column]! += OFFSET;
    this.carryMultiple(column);
  }

  /** As `carry`, where the column's digit is 0 once `term` is added. */
  cancel(column: number, term: string, excess: bigint): void {
    this.starts[column]! += OFFSET + HALF;
    this.text(`t${column} = i64x2.add(i64x2.add(t${column}, ${term}), ${this.constant(-excess - HALF)});`);
    this.carryMultiple(column);
  }

  private carryMultiple(column: number): void {
    this.add(column + 1, `i64x2.shr_u(t${column}, ${LANE_LIMB_BITS})`, OFFSET >> BigInt(LANE_LIMB_BITS));
  }

  /** The highest column, which fits a limb, as a double. */
  last(column: number): string {
    this.starts[column]! += bitsOf(LOW);
    return `f64x2.sub(t${column}, ${this.constant(bitsOf(LOW))})`;
  }

  /** The finished text. */
  toLines(): string[] {
    return this.lines.map((line) => line());
  }
}
