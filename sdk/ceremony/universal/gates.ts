import { throwIfAborted } from '../../base/abort.js';
import { bytesToBigint } from '../../base/bytes.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { FACTOR } from '../../executors/workers/kernel/ceremony/linear-combinations.js';
import { type R1cs, WIRE_BYTES, type WrittenTerms } from '../../files/snarkjs/r1cs.js';
import { Coefficients } from '../setup/coefficients.js';
import { numbersFor } from '../setup/constraint-matrices.js';

/** The columns of a gate: the signals on its wires, then the numbers of the selectors' coefficients. */
const COLUMNS = ['a', 'b', 'c', 'Qm', 'Ql', 'Qr', 'Qo', 'Qc'] as const;
type Column = (typeof COLUMNS)[number];
/** Numbers of an addition: two signals, and the numbers of their coefficients. */
const ADDITION_COLUMNS = 4;
/** The signals of a gate of a linear combination alone, and of a wire of a product. */
const SUM_TERMS = 3;
const FACTOR_TERMS = 1;

/** A linear combination, by ascending signals, each of which it has once. Signal 0 is the constant 1. */
interface Sum {
  readonly signals: number[];
  /** Numbers of coefficients. */
  readonly coefficients: number[];
}

/**
 * The gates qm a b + ql a + qr b + qo c + qc = 0 of a circuit, in the order and with the coefficients of snarkjs 0.7.6:
 *
 * - The first gates take the public signals, one each.
 * - A constraint A B = C is one gate if A, B and C have one signal each besides the constant. Before it there is an
 *   addition, a gate that defines a new signal as a linear combination of two, for each signal too many: the first two
 *   terms of a queue become one at its end.
 * - If A or B is constant the constraint is linear: a gate for three signals, after the additions.
 */
export class Gates {
  /** One row for each gate. */
  readonly rows = new NumberRows(COLUMNS.length);
  /** One row for each addition. */
  readonly additions = new NumberRows(ADDITION_COLUMNS);
  readonly field: NumberedField;
  /** The circuit's wires, and one signal for each addition. */
  signals: number;
  readonly publicSignals: number;
  private readonly termBytes: number;
  /** A and B of the constraint whose C comes next. */
  private readonly factors: Sum[] = [];

  private constructor(
    { header }: R1cs,
    curve: CurveId,
    private readonly dropsZeros: boolean,
  ) {
    this.field = new NumberedField(curve);
    this.signals = header.wires;
    this.termBytes = WIRE_BYTES + header.elementBytes;
    this.publicSignals = header.publicOutputs + header.publicInputs;
    const { zero, one } = this.field;
    for (let signal = 1; signal <= this.publicSignals; signal++) {
      this.rows.push(signal, 0, 0, zero, one, zero, zero, zero);
    }
  }

  /**
   * Reads a circuit. Errors as in `visitTerms`, `MALFORMED_FILE` for a coefficient that is not below r, `OUT_OF_MEMORY`
   * for more gates than memory holds.
   *
   * @param dropsZeros whether terms with the coefficient 0 are left out, as in FFLONK keys of snarkjs.
   */
  static async of(r1cs: R1cs, curve: CurveId, dropsZeros: boolean, signal: AbortSignal | undefined): Promise<Gates> {
    const gates = new Gates(r1cs, curve, dropsZeros);
    for await (const _ of r1cs.visitTerms((terms) => gates.visit(terms))) throwIfAborted(signal);
    return gates;
  }

  /** The column of the gates, followed by what the rows without a gate have: signal 0, and the coefficient 0. */
  column(name: Column, domainSize: number): Uint32Array {
    const index = COLUMNS.indexOf(name);
    return this.rows.column(index, domainSize, index < 3 ? 0 : this.field.zero);
  }

  private visit(terms: WrittenTerms): void {
    const sum = this.read(terms);
    if (terms.matrix < 2) this.factors[terms.matrix] = sum;
    else this.addConstraint(this.factors[0]!, this.factors[1]!, sum);
  }

  /** A signal that comes twice has its last coefficient. */
  private read({ count, at, view }: WrittenTerms): Sum {
    const { coefficients, zero } = this.field;
    const sum: Sum = { signals: [], coefficients: [] };
    let isInOrder = true;
    let last = -1;
    for (let i = 0, term = at; i < count; i++, term += this.termBytes) {
      const signal = view.getUint32(term, true);
      const coefficient = coefficients.numberOf(view, term + WIRE_BYTES);
      if (signal <= last || (this.dropsZeros && coefficient === zero)) isInOrder = false;
      last = signal;
      sum.signals.push(signal);
      sum.coefficients.push(coefficient);
    }
    return isInOrder ? sum : this.sumOf(new Map(sum.signals.map((signal, i) => [signal, sum.coefficients[i]!])));
  }

  private sumOf(terms: ReadonlyMap<number, number>): Sum {
    const { zero } = this.field;
    const kept = [...terms].filter(([, coefficient]) => !this.dropsZeros || coefficient !== zero);
    kept.sort(([one], [other]) => one - other);
    return { signals: kept.map(([signal]) => signal), coefficients: kept.map(([, coefficient]) => coefficient) };
  }

  private addConstraint(a: Sum, b: Sum, c: Sum): void {
    if (a.signals.length === 0 || b.signals.length === 0) this.addSum(c);
    else if (isConstant(a)) this.addSum(this.difference(a.coefficients[0]!, b, c));
    else if (isConstant(b)) this.addSum(this.difference(b.coefficients[0]!, a, c));
    else this.addProduct(a, b, c);
  }

  /** k a - c. */
  private difference(k: number, a: Sum, c: Sum): Sum {
    const { field } = this;
    const terms = new Map(a.signals.map((signal, i) => [signal, field.multiply(k, a.coefficients[i]!)]));
    for (const [i, signal] of c.signals.entries()) {
      terms.set(signal, field.subtract(terms.get(signal) ?? field.zero, c.coefficients[i]!));
    }
    return this.sumOf(terms);
  }

  private addSum(sum: Sum): void {
    const { rows, field } = this;
    const constant = this.constantOf(sum);
    const at = this.shorten(sum, SUM_TERMS);
    const { signals, coefficients } = sum;
    const [a, b, c] = [signals[at]!, signals[at + 1]!, signals[at + 2]!];
    rows.push(a, b, c, field.zero, coefficients[at]!, coefficients[at + 1]!, coefficients[at + 2]!, constant);
  }

  private addProduct(a: Sum, b: Sum, c: Sum): void {
    const { field } = this;
    const [constantA, constantB, constantC] = [this.constantOf(a), this.constantOf(b), this.constantOf(c)];
    const atA = this.shorten(a, FACTOR_TERMS);
    const atB = this.shorten(b, FACTOR_TERMS);
    const atC = this.shorten(c, FACTOR_TERMS);
    const [ka, kb] = [a.coefficients[atA]!, b.coefficients[atB]!];
    this.rows.push(
      a.signals[atA]!,
      b.signals[atB]!,
      c.signals[atC]!,
      field.multiply(ka, kb),
      field.multiply(ka, constantB),
      field.multiply(constantA, kb),
      field.negate(c.coefficients[atC]!),
      field.subtract(field.multiply(constantA, constantB), constantC),
    );
  }

  private constantOf({ signals, coefficients }: Sum): number {
    return signals[0] === 0 ? coefficients[0]! : this.field.zero;
  }

  /**
   * Makes a sum of exactly `terms` signals besides the constant, by additions if it has more; signal 0 with the
   * coefficient 0 fills it up.
   *
   * @returns where they begin: the sum's arrays end with them.
   */
  private shorten({ signals, coefficients }: Sum, terms: number): number {
    const { zero, one } = this.field;
    let first = signals[0] === 0 ? 1 : 0;
    while (signals.length - first > terms) {
      const [a, b] = [signals[first]!, signals[first + 1]!];
      const [ka, kb] = [coefficients[first]!, coefficients[first + 1]!];
      first += 2;
      const added = this.signals++;
      this.rows.push(a, b, added, zero, this.field.negate(ka), this.field.negate(kb), one, zero);
      this.additions.push(a, b, ka, kb);
      signals.push(added);
      coefficients.push(one);
    }
    while (signals.length - first < terms) {
      signals.push(0);
      coefficients.push(zero);
    }
    return first;
  }
}

function isConstant({ signals }: Sum): boolean {
  return signals.length === 1 && signals[0] === 0;
}

/** Room for rows at first. */
const FIRST_ROWS = 1 << 12;

/** A growing table of u32 with a fixed number of columns. */
class NumberRows {
  private words: Uint32Array;
  private rows = 0;

  constructor(private readonly columns: number) {
    this.words = numbersFor(FIRST_ROWS * columns);
  }

  get count(): number {
    return this.rows;
  }

  /** Appends a row with one number for each column. `OUT_OF_MEMORY` if there is no room. */
  push(...row: readonly number[]): void {
    if ((this.rows + 1) * this.columns > this.words.length) {
      const grown = numbersFor(2 * this.words.length);
      grown.set(this.words);
      this.words = grown;
    }
    const at = this.rows++ * this.columns;
    for (let i = 0; i < row.length; i++) this.words[at + i] = row[i]!;
  }

  at(row: number, column: number): number {
    return this.words[row * this.columns + column]!;
  }

  /** A column of `length` numbers, at least as many as there are rows, of which the last ones are `rest`. */
  column(column: number, length = this.rows, rest = 0): Uint32Array {
    const numbers = numbersFor(length);
    if (rest !== 0) numbers.fill(rest, this.rows);
    for (let row = 0; row < this.rows; row++) numbers[row] = this.words[row * this.columns + column]!;
    return numbers;
  }
}

/** Arithmetic in a curve's scalar field on coefficients that are known by their numbers (`Coefficients`). */
class NumberedField {
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
