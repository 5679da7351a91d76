import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type ByteSource, SLICE_BYTES } from '../byte-source.js';
import { expectElementBytes, readModulus } from './modulus.js';
import { readSectionFile, type SectionFile, viewOf } from './section-file.js';
import { SequentialReader } from './sequential-reader.js';

/**
 * The sections of a .r1cs (iden3's "Binary format for R1CS", version 1): header, constraints, the label of each wire,
 * and, in circuits for PLONK with custom gates, the gates and their uses.
 */
const SECTION = { header: 1, constraints: 2, labels: 3, gates: 4, gateUses: 5 } as const;

/**
 * Numbers after the prime: wires, public outputs, public inputs, private inputs (u32 each), labels (u64), constraints
 * (u32).
 */
const COUNTS_BYTES = 28;
/**
 * A number of terms (u32), with which every linear combination begins, and a wire (u32), with which every term begins.
 */
const TERMS_BYTES = 4;
export const WIRE_BYTES = 4;
const LABEL_BYTES = 8;
/** A constraint of three linear combinations without terms. */
const LEAST_CONSTRAINT_BYTES = 3 * TERMS_BYTES;

/** What the header of a .r1cs says. */
export interface R1csHeader {
  /** The field's modulus, and the bytes of an element. */
  readonly prime: bigint;
  readonly elementBytes: number;
  /** Values of a witness, the constant one included. */
  readonly wires: number;
  readonly publicOutputs: number;
  readonly publicInputs: number;
  readonly privateInputs: number;
  readonly labels: number;
  readonly constraints: number;
  readonly hasCustomGates: boolean;
}

/** A linear combination of wires: the coefficient of each, from 0 to prime - 1. */
export type LinearCombination = ReadonlyMap<number, bigint>;
/** The product of the first two linear combinations equals the third. */
export type Constraint = readonly [a: LinearCombination, b: LinearCombination, c: LinearCombination];

/** The terms of a linear combination, as the file has them. */
export interface WrittenTerms {
  /** The constraint's number, and which of its linear combinations it is: 0, 1 or 2. */
  readonly row: number;
  readonly matrix: number;
  readonly count: number;
  /** Where the first term begins. Each has `WIRE_BYTES` of a wire's number and then a coefficient. */
  readonly at: number;
  readonly view: DataView;
}

/** A constraint system whose constraints have not been read yet. */
export interface R1cs {
  readonly header: R1csHeader;
  /**
   * Reads the constraints in order, and keeps none. `MALFORMED_FILE` for a wire that the header does not count or that
   * is twice in a linear combination, for a coefficient that is not below the prime, and for a section that does not
   * end with the last constraint.
   */
  constraints(): AsyncGenerator<Constraint, void>;
  /**
   * Reads the linear combinations in order, slice by slice: `visit` gets each of them, the bytes valid during the call.
   * `MALFORMED_FILE` as in `constraints`, but coefficients are not looked at, and a wire may come twice.
   */
  visitTerms(visit: (terms: WrittenTerms) => void): AsyncGenerator<void, void>;
  /** Reads the label of each wire. `MALFORMED_FILE` unless there is one for each wire, below the number of labels. */
  labels(): Promise<number[]>;
}

/**
 * Opens a .r1cs. `MALFORMED_FILE` for another file or one that contradicts itself, `UNSUPPORTED_FORMAT` for another
 * version.
 */
export async function readR1cs(source: ByteSource): Promise<R1cs> {
  const file = await readSectionFile(source, 'r1cs');
  if (file.version !== 1) throw new PippinError('UNSUPPORTED_FORMAT', `expected .r1cs version 1, got ${file.version}`);
  const header = await readHeader(file);
  return {
    header,
    constraints: () => readConstraints(file.section(SECTION.constraints), header),
    visitTerms: (visit) => visitTerms(file.section(SECTION.constraints), header, visit),
    labels: () => readLabels(file.section(SECTION.labels), header),
  };
}

async function readHeader(file: SectionFile): Promise<R1csHeader> {
  const section = file.section(SECTION.header);
  const written = await readModulus(section, 0);
  const { modulus, size, end } = written;
  // A field of prime order above 2 has an odd modulus, and circom writes its elements in as many words of 64 bits as it
  // needs.
  if (modulus < 3n || modulus % 2n === 0n) throw malformed('an odd modulus above 2', 'another');
  expectElementBytes(written, Math.ceil(modulus.toString(2).length / 64) * 8);
  if (section.size !== end + COUNTS_BYTES) {
    throw malformed(`a header of ${end + COUNTS_BYTES} bytes`, `${section.size}`);
  }
  const view = viewOf(await section.read(end, COUNTS_BYTES));
  const header = {
    prime: modulus,
    elementBytes: size,
    wires: view.getUint32(0, true),
    publicOutputs: view.getUint32(4, true),
    publicInputs: view.getUint32(8, true),
    privateInputs: view.getUint32(12, true),
    labels: view.getUint32(16, true) + view.getUint32(20, true) * 2 ** 32,
    constraints: view.getUint32(24, true),
    hasCustomGates: file.has(SECTION.gates) && file.has(SECTION.gateUses),
  };
  const { wires, publicOutputs, publicInputs, labels } = header;
  const publicWires = 1 + publicOutputs + publicInputs;
  if (publicWires > wires) {
    throw malformed(`at least ${publicWires} wires, the constant one and the public signals`, `${wires}`);
  }
  if (!Number.isSafeInteger(labels)) throw malformed('a number of labels below 2^53', `${labels}`);
  return header;
}

/** Each constraint is three linear combinations: the number of terms, then each term as wire and coefficient. */
async function* readConstraints(section: ByteSource, header: R1csHeader): AsyncGenerator<Constraint, void> {
  const { constraints, elementBytes, wires, prime } = header;
  const reader = new SequentialReader(section);
  if (constraints * LEAST_CONSTRAINT_BYTES > section.size) throw endsBefore(constraints);

  const readSum = async (): Promise<LinearCombination> => {
    if (reader.left < TERMS_BYTES) throw endsBefore(constraints);
    const head = await reader.take(TERMS_BYTES);
    const terms = viewOf(head).getUint32(0, true);
    if (terms * (WIRE_BYTES + elementBytes) > reader.left) throw endsBefore(constraints);
    const bytes = await reader.take(terms * (WIRE_BYTES + elementBytes));
    const view = viewOf(bytes);
    const sum = new Map<number, bigint>();
    for (let at = 0; at < bytes.length; at += WIRE_BYTES + elementBytes) {
      const wire = view.getUint32(at, true);
      const coefficient = bytesToBigint(bytes, at + WIRE_BYTES, elementBytes);
      if (wire >= wires) throw malformed(`wires below ${wires}`, `wire ${wire}`);
      if (sum.has(wire)) throw malformed('each wire once in a sum', `wire ${wire} twice`);
      if (coefficient >= prime) throw malformed('coefficients below the prime', `a larger one of wire ${wire}`);
      sum.set(wire, coefficient);
    }
    return sum;
  };

  for (let i = 0; i < constraints; i++) yield [await readSum(), await readSum(), await readSum()];
  if (reader.left > 0) throw malformed(`${constraints} constraints`, `${reader.left} further bytes`);
}

async function* visitTerms(
  section: ByteSource,
  { constraints, elementBytes, wires }: R1csHeader,
  visit: (terms: WrittenTerms) => void,
): AsyncGenerator<void, void> {
  const termBytes = WIRE_BYTES + elementBytes;
  const all = 3 * constraints;
  if (constraints * LEAST_CONSTRAINT_BYTES > section.size) throw endsBefore(constraints);
  let [done, offset, needed] = [0, 0, SLICE_BYTES];
  while (done < all) {
    const slice = await section.read(offset, Math.min(Math.max(needed, SLICE_BYTES), section.size - offset));
    const view = viewOf(slice);
    let at = 0;
    for (needed = TERMS_BYTES; done < all && at + TERMS_BYTES <= slice.length; done++) {
      const count = view.getUint32(at, true);
      needed = TERMS_BYTES + count * termBytes;
      if (at + needed > slice.length) break;
      for (let term = at + TERMS_BYTES; term < at + needed; term += termBytes) {
        const wire = view.getUint32(term, true);
        if (wire >= wires) throw malformed(`wires below ${wires}`, `wire ${wire}`);
      }
      visit({ row: Math.floor(done / 3), matrix: done % 3, count, at: at + TERMS_BYTES, view });
      at += needed;
      needed = TERMS_BYTES;
    }
    offset += at;
    if (done < all && needed > section.size - offset) throw endsBefore(constraints);
    yield;
  }
  if (offset < section.size) throw malformed(`${constraints} constraints`, `${section.size - offset} further bytes`);
}

/** The labels are numbers of 64 bits. */
async function readLabels(section: ByteSource, { wires, labels }: R1csHeader): Promise<number[]> {
  if (section.size !== wires * LABEL_BYTES) {
    throw malformed(`${wires} labels (${wires * LABEL_BYTES} bytes)`, `${section.size} bytes`);
  }
  const reader = new SequentialReader(section);
  const read: number[] = [];
  for (let wire = 0; wire < wires; wire++) {
    const view = viewOf(await reader.take(LABEL_BYTES));
    const label = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
    if (label >= labels) throw malformed(`labels below ${labels}`, `a larger one of wire ${wire}`);
    read.push(label);
  }
  return read;
}

function endsBefore(constraints: number): PippinError {
  return malformed(`${constraints} constraints`, 'a section that ends before them');
}

function malformed(expected: string, got: string): PippinError {
  return new PippinError('MALFORMED_FILE', `expected ${expected} in the .r1cs, got ${got}`);
}
