import { throwIfAborted } from '../../base/abort.js';
import { asPippinError, PippinError } from '../../base/errors.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { FACTOR } from '../../executors/workers/kernel/ceremony/linear-combinations.js';
import type { ByteSource } from '../../files/byte-source.js';
import { fieldName } from '../../files/snarkjs/modulus.js';
import { type R1cs, type R1csHeader, readR1cs, WIRE_BYTES } from '../../files/snarkjs/r1cs.js';
import { Coefficients } from './coefficients.js';

/** snarkjs' largest powers of tau serve domains of 2^28; a file with more wires is damaged. */
const MOST_WIRES = 2 ** 28;

/** A matrix of a circuit, column by column: a wire has the entries offsets[wire] to offsets[wire + 1]. */
export interface MatrixColumns {
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
  /** Numbers of `Coefficients`. */
  readonly coefficients: Uint32Array;
}

/** A circuit whose header and numbers of entries are known. */
export interface CountedCircuit {
  readonly r1cs: R1cs;
  readonly header: R1csHeader;
  readonly publicSignals: number;
  /** For A, B and C, where the entries of each wire begin. */
  readonly offsets: readonly [Uint32Array, Uint32Array, Uint32Array];
}

/** An entry of A or B, as it is visited row by row. */
export type VisitEntry = (matrix: number, row: number, wire: number, coefficient: number) => void;

/**
 * Opens an .r1cs of this curve. `UNSUPPORTED_FORMAT` for custom gates, `CURVE_MISMATCH` for another field,
 * `MALFORMED_FILE` for too many wires; further errors as in `readR1cs`.
 */
export async function openR1csOf(source: ByteSource, curve: CurveId): Promise<R1cs> {
  const r1cs = await readR1cs(source);
  const { prime, hasCustomGates, wires } = r1cs.header;
  const { name, fr } = CURVES[curve];
  if (prime !== fr.modulus) {
    throw new PippinError('CURVE_MISMATCH', `expected an .r1cs over ${name}'s scalar field, got ${fieldName(prime)}`);
  }
  if (hasCustomGates) {
    throw new PippinError('UNSUPPORTED_FORMAT', 'expected a circuit without custom gates, got one that has some');
  }
  if (wires > MOST_WIRES) throw new PippinError('MALFORMED_FILE', `expected at most 2^28 wires, got ${wires}`);
  return r1cs;
}

/**
 * Counts the entries of the matrices, for which the .r1cs is read once. After the circuit's constraints the key has a
 * row for the constant wire and for each public one, with an entry 1 in A: they keep public signals from being
 * exchanged.
 */
export async function countEntries(r1cs: R1cs, signal: AbortSignal | undefined): Promise<CountedCircuit> {
  const { header } = r1cs;
  const publicSignals = header.publicOutputs + header.publicInputs;
  const offsets = [0, 1, 2].map(() => numbersFor(header.wires + 1)) as unknown as CountedCircuit['offsets'];
  const termBytes = WIRE_BYTES + header.elementBytes;
  offsets[0].fill(1, 1, publicSignals + 2);
  const reading = r1cs.visitTerms(({ matrix, count, at, view }) => {
    const counts = offsets[matrix]!;
    for (let i = 0; i < count; i++) counts[view.getUint32(at + i * termBytes, true) + 1]!++;
  });
  for await (const _ of reading) throwIfAborted(signal);
  for (const counts of offsets) for (let wire = 0; wire < header.wires; wire++) counts[wire + 1]! += counts[wire]!;
  return { r1cs, header, publicSignals, offsets };
}

/** Room for numbers; `OUT_OF_MEMORY` if there is none. */
export function numbersFor(count: number): Uint32Array {
  try {
    return new Uint32Array(count);
  } catch (error) {
    throw asPippinError(error, 'OUT_OF_MEMORY', `expected room for ${count} numbers of a circuit`);
  }
}

/** The matrices A, B and C of a circuit by columns. They are filled while the circuit is read row by row. */
export class ConstraintMatrices {
  readonly columns: readonly [MatrixColumns, MatrixColumns, MatrixColumns];
  readonly coefficients: Coefficients;

  constructor(
    private readonly circuit: CountedCircuit,
    curve: CurveId,
  ) {
    this.coefficients = new Coefficients(CURVES[curve].fr.modulus);
    this.columns = circuit.offsets.map((offsets) => {
      const entries = offsets.at(-1)!;
      return { offsets, rows: numbersFor(entries), coefficients: numbersFor(entries) };
    }) as unknown as ConstraintMatrices['columns'];
  }

  /**
   * Reads the .r1cs again, and visits the entries of A and B row by row: of each row first A's, at last the rows of
   * public signals.
   */
  async *fill(visit: VisitEntry): AsyncGenerator<void, void> {
    const { r1cs, header, publicSignals } = this.circuit;
    const termBytes = WIRE_BYTES + header.elementBytes;
    const next = this.columns.map(({ offsets }) => offsets.slice());
    const put = (matrix: number, row: number, wire: number, coefficient: number): void => {
      const entry = next[matrix]![wire]!++;
      this.columns[matrix]!.rows[entry] = row;
      this.columns[matrix]!.coefficients[entry] = coefficient;
      if (matrix < 2) visit(matrix, row, wire, coefficient);
    };
    yield* r1cs.visitTerms(({ row, matrix, count, at, view }) => {
      for (let i = 0; i < count; i++) {
        const term = at + i * termBytes;
        put(matrix, row, view.getUint32(term, true), this.coefficients.numberOf(view, term + WIRE_BYTES));
      }
    });
    for (let wire = 0; wire <= publicSignals; wire++) put(0, header.constraints + wire, wire, FACTOR.one);
    yield;
  }
}
