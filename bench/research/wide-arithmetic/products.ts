import { inverse } from '../../../sdk/curves/modular.js';
import type { Code, Operand, Wide, Word } from './code.js';

/**
 * How a Montgomery product is written. Elements are below 2p between calls, in words of 64 bits, lowest first.
 *
 * - `rows`: limbs of 64 bits, operand scanning (CIOS, Koc, Acar and Kaliski 1996): each product of limbs is added to a
 *   word and a carry, which together fit 128 bits.
 * - `columns`: limbs of fewer bits, product scanning: a column's products are added up in 128 bits without a carry
 *   between them.
 */
export interface ProductForm {
  readonly modulus: bigint;
  readonly layout: 'rows' | 'columns';
  /** 5 p < 2^(limbs * limbBits). Limbs of `rows` have 64 bits; in `columns` 2 * limbs * 4^limbBits < 2^128. */
  readonly limbs: number;
  readonly limbBits: number;
  /** How numbers of 128 bits are added: by `i64.add128`, or by i64.add and a comparison that gives the carry. */
  readonly sums: 'add128' | 'compare';
}

/** r = a b / R modulo p, below 2p. The code's parameters are r, a, b; r may be a or b. p's limbs lie from address 0 on. */
export function writeProduct(code: Code, form: ProductForm): void {
  const a = limbsAt(form, 1);
  const b = limbsAt(form, 2).map((word) => code.load(word));
  new ProductWriter(code, form).writeProduct(a, b);
}

/** r = a^2 / R modulo p, below 2p, with cross products once. The code's parameters are r, a; r may be a. */
export function writeSquare(code: Code, form: ProductForm): void {
  const a = limbsAt(form, 1).map((word) => code.load(word));
  new ProductWriter(code, form).writeSquare(a);
}

/** r = a - b modulo p, below 2p, by rows. The code's parameters are r, a, b. 2p follows p in memory. */
export function writeDifference(code: Code, form: ProductForm): void {
  const { limbs } = form;
  const [r, a, b] = [0, 1, 2].map((parameter) => limbsAt(form, parameter)) as [Word[], Word[], Word[]];
  let carry: Operand | undefined;
  const difference = a.map((word, i) => {
    let limb = code.sub128({ low: word, high: 0n }, { low: b[i]!, high: 0n });
    if (carry !== undefined) limb = code.add128(limb, { low: carry, high: carry });
    carry = limb.high;
    return limb.low;
  });
  // A borrow is -1, which selects 2p.
  const borrow = carry!;
  carry = undefined;
  for (const [i, limb] of difference.entries()) {
    let sum = code.add128({ low: limb, high: 0n }, { low: code.and(borrow, { offset: 8 * (limbs + i) }), high: 0n });
    if (carry !== undefined) sum = code.add128(sum, { low: carry, high: 0n });
    carry = sum.high;
    code.store(r[i]!, sum.low);
  }
}

/** The limbs of the element at the address that a parameter holds. */
function limbsAt({ limbs }: ProductForm, parameter: number): Word[] {
  return Array.from({ length: limbs }, (_, i) => ({ parameter, offset: 8 * i }));
}

/** The pairs (i, j) of limbs with i + j = k. */
function terms(limbs: number, k: number): (readonly [number, number])[] {
  return Array.from({ length: limbs }, (_, i) => [i, k - i] as const).filter(([, j]) => j >= 0 && j < limbs);
}

class ProductWriter {
  private readonly mask: bigint;
  private readonly modulus: readonly Word[];
  /** -1/p modulo a limb's base. */
  private readonly negativeInverse: bigint;

  constructor(
    private readonly code: Code,
    private readonly form: ProductForm,
  ) {
    const base = 1n << BigInt(form.limbBits);
    this.mask = base - 1n;
    this.modulus = Array.from({ length: form.limbs }, (_, i) => ({ offset: 8 * i }));
    this.negativeInverse = base - inverse(form.modulus % base, base);
  }

  writeProduct(a: readonly Word[], b: readonly Operand[]): void {
    if (this.form.layout === 'rows') this.store(this.productByRows(a, b));
    else {
      const loaded = a.map((word) => this.code.load(word));
      this.store(this.reduceColumns((k) => terms(b.length, k).map(([i, j]) => [loaded[i]!, b[j]!])));
    }
  }

  writeSquare(a: readonly Operand[]): void {
    if (this.form.layout === 'rows') this.store(this.squareByRows(a));
    else {
      const doubled = a.map((limb) => this.code.add(limb, limb));
      const crossed = (k: number) => terms(a.length, k).filter(([i, j]) => i <= j);
      this.store(this.reduceColumns((k) => crossed(k).map(([i, j]) => [i === j ? a[i]! : doubled[i]!, a[j]!])));
    }
  }

  private store(result: readonly Operand[]): void {
    for (const [i, word] of limbsAt(this.form, 0).entries()) this.code.store(word, result[i]!);
  }

  /** Rows of a_i b and of q p in turns. Sums stay below 3p between them, so that no limb is needed above. */
  private productByRows(a: readonly Word[], b: readonly Operand[]): Operand[] {
    let sum: Operand[] = [];
    for (const word of a) {
      const row = this.addRow(sum, this.code.load(word), b);
      const { low, carry } = this.reduceRow(row.low);
      sum = [...low, this.code.add(row.carry, carry)];
    }
    return sum;
  }

  /**
   * Rows of a_i times the limbs from a_i on, those above a_i doubled, which fit below 2^64 as 2 a does, and of q p in
   * turns. Sums stay below 5p between them.
   */
  private squareByRows(a: readonly Operand[]): Operand[] {
    const { code } = this;
    const doubled = a.map((limb) => code.shiftLeft(limb, 1));
    const joined = a.map((_, i) => (i === 0 ? doubled[0]! : code.or(doubled[i]!, code.shiftRight(a[i - 1]!, 63))));
    let sum: Operand[] = [];
    for (const [i, limb] of a.entries()) {
      const row = this.addRow(sum.slice(i), limb, [limb, ...doubled.slice(i + 1, i + 2), ...joined.slice(i + 2)]);
      const { low, carry } = this.reduceRow([...sum.slice(0, i), ...row.low]);
      sum = [...low, code.add(row.carry, carry)];
    }
    return sum;
  }

  /** The columns' sums of products of limbs, and of q p below them, are reduced from the lowest on. */
  private reduceColumns(factors: (k: number) => readonly (readonly [Operand, Operand])[]): Operand[] {
    const { code, mask, modulus } = this;
    const { limbs, limbBits } = this.form;
    const quotients: Operand[] = [];
    const result: Operand[] = [];
    let carry: Wide | undefined;
    for (let k = 0; k < 2 * limbs - 1; k++) {
      const reduction = terms(limbs, k).filter(([i]) => i < quotients.length);
      const pairs = [...factors(k), ...reduction.map(([i, j]) => [quotients[i]!, modulus[j]!] as const)];
      let sum = pairs.map(([x, y]) => code.mulWide(x, y)).reduce((x, y) => this.addWide(x, y));
      // The carry comes last, so that columns overlap.
      if (carry !== undefined) sum = this.addWide(sum, carry);
      if (k < limbs) {
        const quotient = code.and(code.mul(sum.low, this.negativeInverse), mask);
        quotients.push(quotient);
        sum = this.addWide(sum, code.mulWide(quotient, modulus[0]!));
      } else result.push(code.and(sum.low, mask));
      const low = code.or(code.shiftRight(sum.low, limbBits), code.shiftLeft(sum.high, 64 - limbBits));
      carry = { low, high: code.shiftRight(sum.high, limbBits) };
    }
    return [...result, carry!.low];
  }

  /** sum + limb b, of which the limb above is given apart. */
  private addRow(sum: readonly Operand[], limb: Operand, b: readonly Operand[]): { low: Operand[]; carry: Operand } {
    const low: Operand[] = [];
    let carry: Operand | undefined;
    for (const [j, other] of b.entries()) {
      let product = this.code.mulWide(limb, other);
      if (sum[j] !== undefined) product = this.addTo(product, sum[j]);
      if (carry !== undefined) product = this.addTo(product, carry);
      low.push(product.low);
      carry = product.high;
    }
    return { low, carry: carry! };
  }

  /** (sum + q p) / 2^64 with the q that makes it whole, of which the limb above is given apart. */
  private reduceRow(sum: readonly Operand[]): { low: Operand[]; carry: Operand } {
    const quotient = this.code.mul(sum[0]!, this.negativeInverse);
    const { low, carry } = this.addRow(sum, quotient, this.modulus);
    return { low: low.slice(1), carry };
  }

  private addTo(a: Wide, b: Operand): Wide {
    return this.addWide(a, { low: b, high: 0n });
  }

  private addWide(a: Wide, b: Wide): Wide {
    const { code } = this;
    if (this.form.sums === 'add128') return code.add128(a, b);
    const low = code.add(a.low, b.low);
    const carry = code.isLess(low, b.low);
    if (b.high === 0n) return { low, high: code.add(a.high, carry) };
    return { low, high: code.add(code.add(a.high, b.high), carry) };
  }
}
