import { throwIfAborted } from '../../base/abort.js';
import type { CurveId } from '../../curves/index.js';
import { type R1cs, WIRE_BYTES, type WrittenTerms } from '../../files/snarkjs/r1cs.js';
import { NumberRows } from './number-rows.js';
import { NumberedField } from './numbered-field.js';

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
  readonly signals: readonly number[];
  /** Numbers of coefficients. */
  readonly coefficients: readonly number[];
}

/** The rest of a linear combination: the constant, and as many terms as a gate takes. */
interface ShortSum extends Sum {
  readonly constant: number;
}

/**
 * The gates qm a b + ql a + qr b + qo c + qc = 0 of a circuit. In their order and coefficients they are snarkjs' (0.7.6),
 * which are as good as any that follow from the constraints in one way:
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
    const signals: number[] = [];
    const numbers: number[] = [];
    let isAscending = true;
    for (let i = 0; i < count; i++) {
      const term = at + i * this.termBytes;
      const signal = view.getUint32(term, true);
      const number = coefficients.numberOf(view, term + WIRE_BYTES);
      if (i > 0 && signal <= signals.at(-1)!) isAscending = false;
      signals.push(signal);
      numbers.push(number);
    }
    if (isAscending && !(this.dropsZeros && numbers.includes(zero))) return { signals, coefficients: numbers };
    return this.sumOf(new Map(signals.map((signal, i) => [signal, numbers[i]!])));
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
    const { signals, coefficients, constant } = this.shorten(sum, SUM_TERMS);
    const [ql, qr, qo] = coefficients as [number, number, number];
    this.rows.push(signals[0]!, signals[1]!, signals[2]!, this.field.zero, ql, qr, qo, constant);
  }

  private addProduct(sumA: Sum, sumB: Sum, sumC: Sum): void {
    const { field } = this;
    const [a, b, c] = [sumA, sumB, sumC].map((sum) => this.shorten(sum, FACTOR_TERMS)) as [
      ShortSum,
      ShortSum,
      ShortSum,
    ];
    const [ka, kb, kc] = [a, b, c].map(({ coefficients }) => coefficients[0]!) as [number, number, number];
    this.rows.push(
      a.signals[0]!,
      b.signals[0]!,
      c.signals[0]!,
      field.multiply(ka, kb),
      field.multiply(ka, b.constant),
      field.multiply(a.constant, kb),
      field.negate(kc),
      field.subtract(field.multiply(a.constant, b.constant), c.constant),
    );
  }

  /** A sum of exactly `terms` signals, by additions if it has more; signal 0 with the coefficient 0 fills it up. */
  private shorten(sum: Sum, terms: number): ShortSum {
    const { zero, one } = this.field;
    const hasConstant = sum.signals[0] === 0;
    const constant = hasConstant ? sum.coefficients[0]! : zero;
    const signals = hasConstant ? sum.signals.slice(1) : [...sum.signals];
    const coefficients = hasConstant ? sum.coefficients.slice(1) : [...sum.coefficients];
    let first = 0;
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
    return { signals: signals.slice(first), coefficients: coefficients.slice(first), constant };
  }
}

function isConstant({ signals }: Sum): boolean {
  return signals.length === 1 && signals[0] === 0;
}
