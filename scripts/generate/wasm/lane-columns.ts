/** 1.5 * 2^52: a double near it is an integer, and its bits count ones. */
export const LOW = 1.5 * 2 ** 52;
/** 2^52: with an integer below it in the bits below its exponent, a double is their sum. */
export const INTEGER = 2 ** 52;

/** 1.5 * 2^(52 + limbBits): a double near it is a multiple of 2^limbBits, and its bits count those. */
export function highOf(limbBits: number): number {
  return LOW * 2 ** limbBits;
}

/**
 * The text of HIGH + LOW + h, and its constant `step`. With limbs of 51 bits HIGH + LOW is a double and the constant;
 * with 52 it is one bit too long, and LOW (2^52 + 1).
 */
export function highAndLow(limbBits: number): { readonly step: number; readonly plus: (h: string) => string } {
  return limbBits < 52
    ? { step: highOf(limbBits) + LOW, plus: (h) => `f64x2.add(step, ${h})` }
    : { step: 2 ** limbBits + 1, plus: (h) => `f64x2.relaxed_madd(low, step, ${h})` };
}

/** Added to a column before its carry, which so is positive; half a limb more makes the digit below it a signed one. */
const OFFSET = 2n ** 60n;

/** The bits of a double as an integer. */
export function bitsOf(value: number): bigint {
  return new BigUint64Array(new Float64Array([value]).buffer)[0]!;
}

/**
 * The columns of a product in text: what is added to which, and what each must start from for all patterns to cancel. A
 * column is two sums, t and o, which take turns: additions to one alone would wait for each other longer than products
 * take.
 */
export class Columns {
  private readonly lines: (() => string)[] = [];
  private readonly starts: bigint[];
  /** Terms of each column so far. */
  private readonly terms: number[];
  private readonly half: bigint;

  /** @param constant gives the text of a vector with this integer in both lanes. */
  constructor(
    count: number,
    private readonly limbBits: number,
    private readonly constant: (bits: bigint) => string,
  ) {
    this.starts = Array.from({ length: count }, () => 0n);
    this.terms = Array.from({ length: count }, () => 0);
    this.half = 2n ** BigInt(limbBits - 1);
  }

  text(...lines: string[]): void {
    for (const line of lines) this.lines.push(() => line);
  }

  /** Adds the product of two limbs: h is -HIGH - its high half, l is LOW + its low half. */
  product(a: string, b: string, column: number): void {
    this.split(a, b);
    this.add(column, 'l', bitsOf(LOW));
    this.add(column + 1, 'h', bitsOf(-highOf(this.limbBits)));
  }

  split(a: string, b: string): void {
    this.text(
      `h = f64x2.relaxed_nmadd(${a}, ${b}, high);`,
      `l = f64x2.relaxed_madd(${a}, ${b}, ${highAndLow(this.limbBits).plus('h')});`,
    );
  }

  /** Adds a term whose pattern is `excess` more than what it stands for. */
  add(column: number, term: string, excess: bigint): void {
    this.starts[column]! -= excess;
    const before = this.terms[column]!++;
    if (before === 0) {
      this.lines.push(() => `let t${column} = i64x2.add(${this.constant(this.starts[column]!)}, ${term});`);
    } else if (before === 1) {
      this.text(`let o${column} = ${term};`);
    } else {
      const sum = before % 2 === 0 ? 't' : 'o';
      this.text(`${sum}${column} = i64x2.add(${sum}${column}, ${term});`);
    }
  }

  /** Joins the sums of a finished column, in t; once more does nothing. */
  join(column: number): void {
    if (this.terms[column]! > 1) this.text(`t${column} = i64x2.add(t${column}, o${column});`);
    this.terms[column] = 0;
  }

  /** A finished column's signed digit, as a double. */
  digit(column: number): string {
    this.join(column);
    return `f64x2.sub(v128.or(v128.and(t${column}, mask), exponent), middle)`;
  }

  /** Carries a finished column into the next one; its digit is a signed one. */
  carry(column: number): void {
    this.starts[column]! += OFFSET + this.half;
    this.carryMultiple(column);
  }

  /** As `carry`, where the digit is what the lowest bits hold as they are. */
  carryUnsigned(column: number): void {
    this.starts[column]! += OFFSET;
    this.carryMultiple(column);
  }

  /** As `carry`, where the column's digit is 0 once `term` is added. */
  cancel(column: number, term: string, excess: bigint): void {
    this.starts[column]! += OFFSET + this.half;
    this.text(`t${column} = i64x2.add(i64x2.add(t${column}, ${term}), ${this.constant(-excess - this.half)});`);
    this.carryMultiple(column);
  }

  private carryMultiple(column: number): void {
    this.join(column);
    this.add(column + 1, `i64x2.shr_u(t${column}, ${this.limbBits})`, OFFSET >> BigInt(this.limbBits));
  }

  /** The highest column, which fits a limb, as a double. */
  last(column: number): string {
    this.join(column);
    this.starts[column]! += bitsOf(LOW);
    return `f64x2.sub(t${column}, ${this.constant(bitsOf(LOW))})`;
  }

  /** The finished text. */
  toLines(): string[] {
    return this.lines.map((line) => line());
  }
}
