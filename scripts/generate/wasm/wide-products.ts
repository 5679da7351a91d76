import { range } from './field-facts.js';
import { type Operand, subtractLimbs, WideCode, type Word, widened } from './wide-code.js';
import type { WideFacts } from './wide-facts.js';

/**
 * Montgomery products by rows (operand scanning, CIOS: Koc, Acar, Kaliski, "Analyzing and comparing Montgomery
 * multiplication algorithms"): each product of limbs is added to a limb and a carry, which together fit 128 bits. In
 * memory p has the address `p`: loading its limbs is faster than constants of 64 bits.
 */
class RowWriter {
  private readonly modulus: readonly Word[];

  constructor(
    private readonly code: WideCode,
    private readonly facts: WideFacts,
  ) {
    this.modulus = wordsAt(facts, 'p');
  }

  /** sum + limb b, of which the limb above is given apart. */
  addRow(sum: readonly Operand[], limb: Operand, b: readonly Operand[]): { low: Operand[]; carry: Operand } {
    const { code } = this;
    const low: Operand[] = [];
    let carry: Operand | undefined;
    for (const [j, other] of b.entries()) {
      let product = code.mulWide(limb, other);
      if (sum[j] !== undefined) product = code.add128(product, widened(sum[j]));
      if (carry !== undefined) product = code.add128(product, widened(carry));
      low.push(product.low);
      carry = product.high;
    }
    return { low, carry: carry! };
  }

  /** (sum + q p) / 2^64 with the q that makes it whole, where sum has the carries above it. */
  reduceRow(sum: readonly Operand[], ...carries: Operand[]): Operand[] {
    const { code } = this;
    const quotient = code.mul(sum[0]!, this.facts.negativeInverse);
    const { low, carry } = this.addRow(sum, quotient, this.modulus);
    return [...low.slice(1), carries.reduce((total, other) => code.add(total, other), carry)];
  }
}

/** r = a b / R modulo p, below 2p. r may be a or b. Sums stay below 3p between rows. */
export function wideProduct(facts: WideFacts): string {
  const code = new WideCode();
  const rows = new RowWriter(code, facts);
  const b = wordsAt(facts, 'b').map((word) => code.load(word));
  let sum: Operand[] = [];
  for (const word of wordsAt(facts, 'a')) {
    const row = rows.addRow(sum, code.load(word), b);
    sum = rows.reduceRow(row.low, row.carry);
  }
  storeWords(code, facts, sum);
  return code.finish('mul', ['r', 'a', 'b', 'p']);
}

/**
 * r = a^2 / R modulo p, below 2p: rows of a limb times the limbs from it on, those above it doubled, which fit below
 * 2^64 as 2 a does. r may be a. Sums stay below 5p between rows.
 */
export function wideSquare(facts: WideFacts): string {
  const code = new WideCode();
  const rows = new RowWriter(code, facts);
  const a = wordsAt(facts, 'a').map((word) => code.load(word));
  const doubled = a.map((limb) => code.shiftLeft(limb, 1));
  const joined = a.map((_, i) => (i === 0 ? doubled[0]! : code.or(doubled[i]!, code.shiftRight(a[i - 1]!, 63))));
  let sum: Operand[] = [];
  for (const [i, limb] of a.entries()) {
    const row = rows.addRow(sum.slice(i), limb, [limb, ...doubled.slice(i + 1, i + 2), ...joined.slice(i + 2)]);
    sum = rows.reduceRow([...sum.slice(0, i), ...row.low], row.carry);
  }
  storeWords(code, facts, sum);
  return code.finish('sqr', ['r', 'a', 'p']);
}

/**
 * r = (a b + c d) / R modulo p, below 2p, with one reduction. r may be any of them. Sums stay below 5p between rows, and
 * the last is below p + 8 p^2 / R: where that may reach 2p, p is taken from it once if it is not less.
 */
export function wideProductSum(facts: WideFacts): string {
  const { p, r } = facts;
  const code = new WideCode();
  const rows = new RowWriter(code, facts);
  const [b, d] = ['b', 'd'].map((name) => wordsAt(facts, name).map((word) => code.load(word)));
  const c = wordsAt(facts, 'c');
  let sum: Operand[] = [];
  for (const [i, word] of wordsAt(facts, 'a').entries()) {
    const first = rows.addRow(sum, code.load(word), b!);
    const second = rows.addRow(first.low, code.load(c[i]!), d!);
    sum = rows.reduceRow(second.low, first.carry, second.carry);
  }
  if (8n * p > r) {
    // Below 2p < R / 2 remains, so that the highest limb has the sign.
    const less = subtractLimbs(code, sum, wordsAt(facts, 'p'));
    const isNegative = code.signOf(less.at(-1)!);
    sum = sum.map((limb, j) => code.select(isNegative, limb, less[j]!));
  }
  storeWords(code, facts, sum);
  return code.finish('mulSum', ['r', 'a', 'b', 'c', 'd', 'p']);
}

/** The limbs of the element at the address that a parameter holds. */
export function wordsAt({ limbs }: WideFacts, parameter: string): Word[] {
  return range(limbs).map((i) => ({ parameter, offset: 8 * i }));
}

export function storeWords(code: WideCode, facts: WideFacts, limbs: readonly Operand[]): void {
  for (const [i, word] of wordsAt(facts, 'r').entries()) code.store(word, limbs[i]!);
}
