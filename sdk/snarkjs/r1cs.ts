import { PippinError } from '../errors.js';
import { bytesToBigint } from '../field/bytes.js';
import type { ByteSource } from '../io/byte-source.js';
import { readModulus } from './modulus.js';
import { readSectionFile, type SectionFile, viewOf } from './section-file.js';

/**
 * The sections of a .r1cs (iden3's "Binary format for R1CS", version 1): header, constraints, the label of each wire, and, in circuits for
 * PLONK with custom gates, the gates and their uses.
 */
const SECTION = { header: 1, constraints: 2, gates: 4, gateUses: 5 } as const;

/** Numbers after the prime: wires, public outputs, public inputs, private inputs (u32 each), labels (u64), constraints (u32). */
const COUNTS_BYTES = 28;

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

/** A sum of wires, each times a coefficient from 0 to prime - 1. */
export type LinearCombination = ReadonlyMap<number, bigint>;
/** The product of the first two sums equals the third. */
export type Constraint = readonly [a: LinearCombination, b: LinearCombination, c: LinearCombination];

/** A constraint system whose constraints have not been read yet. */
export interface R1cs {
  readonly header: R1csHeader;
  /** Reads all constraints. `MALFORMED_FILE` for a wire that the header does not count, and for a section that does not end with the last constraint. */
  constraints(): Promise<Constraint[]>;
}

/** Opens a .r1cs. `MALFORMED_FILE` for another file or one that contradicts itself, `UNSUPPORTED_FORMAT` for another version. */
export async function readR1cs(source: ByteSource): Promise<R1cs> {
  const file = await readSectionFile(source, 'r1cs');
  if (file.version !== 1) throw new PippinError('UNSUPPORTED_FORMAT', `expected .r1cs version 1, got ${file.version}`);
  const header = await readHeader(file);
  return {
    header,
    async constraints() {
      const section = file.section(SECTION.constraints);
      return parseConstraints(await section.read(0, section.size), header);
    },
  };
}

async function readHeader(file: SectionFile): Promise<R1csHeader> {
  const section = file.section(SECTION.header);
  const { modulus, size, end } = await readModulus(section, 0);
  if (section.size !== end + COUNTS_BYTES) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected a .r1cs header of ${end + COUNTS_BYTES} bytes, got ${section.size}`,
    );
  }
  const view = viewOf(await section.read(end, COUNTS_BYTES));
  return {
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
}

/** Each constraint is three sums; a sum is its number of terms (u32), then each as wire (u32) and coefficient. */
function parseConstraints(bytes: Uint8Array, { constraints, elementBytes, wires }: R1csHeader): Constraint[] {
  const view = viewOf(bytes);
  let at = 0;
  const take = (length: number): number => {
    const start = at;
    at += length;
    if (at > bytes.length) throw malformed(`${constraints} constraints`, 'a section that ends before them');
    return start;
  };
  const readSum = (): LinearCombination => {
    const sum = new Map<number, bigint>();
    const terms = view.getUint32(take(4), true);
    for (let i = 0; i < terms; i++) {
      const wire = view.getUint32(take(4), true);
      if (wire >= wires) throw malformed(`wires below ${wires}`, `wire ${wire}`);
      sum.set(wire, bytesToBigint(bytes, take(elementBytes), elementBytes));
    }
    return sum;
  };
  const all: Constraint[] = [];
  for (let i = 0; i < constraints; i++) all.push([readSum(), readSum(), readSum()]);
  if (at !== bytes.length) throw malformed(`${constraints} constraints`, `${bytes.length - at} further bytes`);
  return all;
}

function malformed(expected: string, got: string): PippinError {
  return new PippinError('MALFORMED_FILE', `expected ${expected} in the .r1cs, got ${got}`);
}
