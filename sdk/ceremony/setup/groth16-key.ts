import { throwIfAborted } from '../../base/abort.js';
import { joinBytes, newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { CURVES, type CurveId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import { type ByteSource, memorySource } from '../../files/byte-source.js';
import { words } from '../../files/snarkjs/section-file.js';
import { COEFFICIENT_BYTES } from '../../files/snarkjs/zkey.js';
import { HEADER_SECTION, type KeyVector, PointReader, PROTOCOL_SECTION } from '../../files/snarkjs/zkey-header.js';
import { pairings } from '../../proofs/pairings.js';
import { expectMembers, generator } from '../../proofs/verified-points.js';
import { type BulkHash, type CeremonyWork, CHUNK_POINTS, COST_OF_G2 } from '../ceremony-work.js';
import { HISTORY_SECTION, toMontgomery, toUncompressed, writeHistory } from '../contributions.js';
import { partOfVector } from '../ratio-check.js';
import { type NewSection, wholeSection, writtenModuli } from '../section-writer.js';
import { columnSums, loadTable, type PointTable, type Product } from './column-sums.js';
import {
  ConstraintMatrices,
  type CountedCircuit,
  countEntries,
  openR1csOf,
  type VisitEntry,
} from './constraint-matrices.js';
import { hashedDifferences } from './hashed-differences.js';
import { expectPower, type PreparedPtau, readPreparedPtau } from './prepared-ptau.js';

/** The number of the proof system. */
const GROTH16 = 1;
/** Sections of points: IC, A, B in G1, B in G2, C, H; and the entries of A and B. */
const SECTION = { ic: 3, coefficients: 4, A: 5, B1: 6, B2: 7, C: 8, H: 9 } as const;
/** Room for rows of entries at first, and the numbers of one: matrix, row, wire, coefficient. */
const FIRST_ROWS = 1 << 12;
const ROW_WORDS = 4;

/** The first points of a key, which it has from the powers of tau: written as there, and in the boundary form. */
interface Constants {
  readonly written: Readonly<Record<'alpha1' | 'beta1' | 'beta2', Uint8Array>>;
  readonly points: Readonly<Record<'alpha1' | 'beta1' | 'beta2', Uint8Array>>;
}

/** The set-up of a Groth16 key, before its sections are computed. */
export interface Groth16SetUp {
  readonly work: CeremonyWork;
  readonly ptau: PreparedPtau;
  readonly circuit: CountedCircuit;
  readonly domainSize: number;
  readonly constants: Constants;
}

/**
 * Opens the files of a set-up and counts the circuit's entries. `INVALID_ARGUMENT` for powers of tau that are too few;
 * further errors as in `openR1csOf` and `readPreparedPtau`.
 */
export async function openGroth16SetUp(
  work: CeremonyWork,
  r1cs: ByteSource,
  powers: ByteSource,
): Promise<Groth16SetUp> {
  const ptau = await readPreparedPtau(powers);
  const opened = await openR1csOf(r1cs, ptau.curve);
  const { constraints, publicInputs, publicOutputs } = opened.header;
  // A row for each constraint, each public signal and the constant wire; snarkjs has no domain of a single row.
  const power = Math.max(1, Math.ceil(Math.log2(constraints + publicInputs + publicOutputs + 1)));
  expectPower(ptau, power);
  if (power >= CURVES[ptau.curve].fr.twoAdicity) {
    throw new PippinError('UNSUPPORTED_FORMAT', `expected a circuit with a smaller domain, got one of 2^${power}`);
  }
  await work.open(ptau.curve);
  const circuit = await countEntries(opened, work.signal);
  return { work, ptau, circuit, domainSize: 2 ** power, constants: await readConstants(work, ptau) };
}

async function readConstants({ pool, signal }: CeremonyWork, ptau: PreparedPtau): Promise<Constants> {
  const { curve } = ptau;
  const read = async (name: 'alpha1' | 'beta1' | 'beta2') => {
    const { group, bytes } = ptau[name];
    const written = await bytes.read(0, bytes.size);
    return { written, point: new PointReader(CURVES[curve], written, 0).nextFinite(group, `${name} of the .ptau`) };
  };
  const [alpha1, beta1, beta2] = [await read('alpha1'), await read('beta1'), await read('beta2')];
  const arithmetic = pairings(pool, curve, signal);
  const names = ['alpha1', 'beta1'];
  await expectMembers(arithmetic, 'g1', [alpha1.point, beta1.point], (i) => `${names[i]} of the .ptau`);
  await expectMembers(arithmetic, 'g2', [beta2.point], () => 'beta2 of the .ptau');
  return {
    written: { alpha1: alpha1.written, beta1: beta1.written, beta2: beta2.written },
    points: { alpha1: alpha1.point, beta1: beta1.point, beta2: beta2.point },
  };
}

/** The points H: Lagrange polynomials of the odd powers of a primitive 2n-th root of unity, as the .ptau has them. */
export function oddPointsOf({ ptau, domainSize }: Groth16SetUp): KeyVector {
  const size = pointBytes(ptau.curve, 'g1');
  const { bytes } = ptau.lagrange('tauG1', Math.log2(2 * domainSize));
  const source: ByteSource = {
    size: domainSize * size,
    // Whole points are read.
    async read(offset, length) {
      const all = await bytes.read(2 * offset, 2 * length);
      const odd = newBytes(length);
      for (let at = 0; at < length; at += size) odd.set(all.subarray(2 * at + size, 2 * at + 2 * size), at);
      freeMemory(all);
      return odd;
    },
  };
  return { group: 'g1', count: domainSize, bytes: source };
}

/** Computes the sections of a first key in the order in which snarkjs 0.7.6 writes them. */
export class FirstGroth16Key {
  private readonly curve: CurveId;
  private readonly matrices: ConstraintMatrices;
  private readonly hash: BulkHash;
  private readonly total: number;
  private done = 0;
  private digest: Uint8Array | undefined;

  constructor(
    private readonly setUp: Groth16SetUp,
    private readonly onProgress: (fraction: number) => void,
  ) {
    const { ptau, circuit, domainSize } = setUp;
    this.curve = ptau.curve;
    this.hash = setUp.work.newHash();
    this.matrices = new ConstraintMatrices(circuit, this.curve);
    const [a, b, c] = circuit.offsets.map((offsets) => offsets.at(-1)!) as [number, number, number];
    this.total = 2 * a + (2 + COST_OF_G2) * b + c + domainSize;
  }

  /** The hash of the circuit, once all sections have been computed: what snarkjs' set-up returns. */
  get circuitHash(): Uint8Array {
    if (this.digest === undefined) throw new PippinError('INTERNAL', 'expected all sections of the key, got some');
    return this.digest;
  }

  /** The sections in order. The parts of each must be taken before the next section is asked for. */
  async *sections(): AsyncGenerator<NewSection> {
    const { setUp, curve, matrices } = this;
    const { work, ptau, circuit, domainSize } = setUp;
    const { publicSignals, header } = circuit;
    const [a, b, c] = matrices.columns;
    const g1 = pointBytes(curve, 'g1');
    const module = await work.module(curve, 'roots');
    yield wholeSection(PROTOCOL_SECTION, words(GROTH16));
    yield wholeSection(HEADER_SECTION, this.header());
    const entries = a.rows.length + b.rows.length;
    yield { id: SECTION.coefficients, size: 4 + entries * COEFFICIENT_BYTES, parts: this.coefficients(entries) };

    const tauG1 = await this.table('tauG1');
    const [alpha, beta] = [await this.table('alphaTauG1'), await this.table('betaTauG1')];
    const ofWires: Product[] = [
      { columns: a, table: beta },
      { columns: b, table: alpha },
      { columns: c, table: tauG1 },
    ];
    const sums = (products: readonly Product[], from: number, to: number): AsyncGenerator<Uint8Array> => {
      const weight = products[0]!.table.group === 'g2' ? COST_OF_G2 : 1;
      const { group } = products[0]!.table;
      const what = { curve, group, products, coefficients: matrices.coefficients, module };
      return this.hashed(
        columnSums(work, what, from, to, (added) => this.advance(weight * added)),
        to - from,
      );
    };
    const [privateFrom, wires] = [publicSignals + 1, header.wires];
    yield { id: SECTION.ic, size: privateFrom * g1, parts: sums(ofWires, 0, privateFrom) };
    yield { id: SECTION.H, size: domainSize * g1, parts: this.oddPoints() };
    this.hash.update(bigEndian(domainSize - 1));
    for await (const points of hashedDifferences(work, ptau, domainSize, module, (some) => this.advance(some))) {
      this.hash.update(points);
    }
    yield { id: SECTION.C, size: (wires - privateFrom) * g1, parts: sums(ofWires, privateFrom, wires) };
    freeTables(alpha, beta);
    yield { id: SECTION.A, size: wires * g1, parts: sums([{ columns: a, table: tauG1 }], 0, wires) };
    yield { id: SECTION.B1, size: wires * g1, parts: sums([{ columns: b, table: tauG1 }], 0, wires) };
    freeTables(tauG1);
    const tauG2 = await this.table('tauG2');
    const size = wires * pointBytes(curve, 'g2');
    yield { id: SECTION.B2, size, parts: sums([{ columns: b, table: tauG2 }], 0, wires) };
    freeTables(tauG2);
    this.digest = this.hash.digest();
    this.onProgress(1);
    yield wholeSection(HISTORY_SECTION, writeHistory({ circuitHash: this.digest, contributions: [] }));
  }

  /** Moduli, sizes, and the points alpha1, beta1, beta2, gamma2, delta1, delta2; the last three are generators. */
  private header(): Uint8Array {
    const { circuit, domainSize, constants } = this.setUp;
    const curve = CURVES[this.curve];
    const generators = (['g2', 'g1', 'g2'] as const).map((group) => generator(this.curve, group));
    const { alpha1, beta1, beta2 } = constants.points;
    for (const point of [alpha1, beta1, beta2, ...generators]) this.hash.update(toUncompressed(point));
    return joinBytes([
      writtenModuli(curve),
      words(circuit.header.wires, circuit.publicSignals, domainSize),
      constants.written.alpha1,
      constants.written.beta1,
      constants.written.beta2,
      ...generators.map((point) => toMontgomery(curve, point)),
    ]);
  }

  /** The entries of A and B as rows; each coefficient is written times 2^512 mod r. Fills the matrices. */
  private async *coefficients(entries: number): AsyncGenerator<Uint8Array> {
    const { matrices, setUp } = this;
    yield words(entries);
    const factor = 2n ** BigInt(16 * SCALAR_BYTES) % CURVES[this.curve].fr.modulus;
    let rows = new Uint32Array(FIRST_ROWS * ROW_WORDS);
    let count = 0;
    const put: VisitEntry = (matrix, row, wire, coefficient) => {
      const at = count++ * ROW_WORDS;
      if (at === rows.length) {
        const grown = new Uint32Array(2 * rows.length);
        grown.set(rows);
        rows = grown;
      }
      rows[at] = matrix;
      rows[at + 1] = row;
      rows[at + 2] = wire;
      rows[at + 3] = coefficient;
    };
    for await (const _ of matrices.fill(put)) {
      throwIfAborted(setUp.work.signal);
      const values = matrices.coefficients.times(factor);
      const written = newBytes(count * COEFFICIENT_BYTES);
      const view = new DataView(written.buffer);
      for (let i = 0; i < count; i++) {
        const at = i * COEFFICIENT_BYTES;
        for (let k = 0; k < 3; k++) view.setUint32(at + 4 * k, rows[i * ROW_WORDS + k]!, true);
        const coefficient = rows[i * ROW_WORDS + 3]! * SCALAR_BYTES;
        written.set(values.subarray(coefficient, coefficient + SCALAR_BYTES), at + 12);
      }
      count = 0;
      yield written;
    }
  }

  /** The points H, checked to be in the group of prime order. */
  private async *oddPoints(): AsyncGenerator<Uint8Array> {
    const vector = oddPointsOf(this.setUp);
    for (let from = 0; from < vector.count; from += CHUNK_POINTS) {
      throwIfAborted(this.setUp.work.signal);
      const part = partOfVector(this.curve, vector, from, Math.min(CHUNK_POINTS, vector.count - from));
      const points = await part.bytes.read(0, part.bytes.size);
      await this.expectMembers({ ...part, bytes: memorySource(points) }, from);
      yield points;
    }
  }

  private async expectMembers({ group, count, bytes }: KeyVector, firstIndex: number): Promise<void> {
    const { pool, signal } = this.setUp.work;
    const request = { curve: this.curve, group, encoding: 'montgomery', count, firstIndex, points: bytes } as const;
    const what = 'the Lagrange polynomials of the .ptau';
    const { points } = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined });
    freeMemory(points);
  }

  /** The points of the rows that the circuit has. */
  private table(name: 'tauG1' | 'tauG2' | 'alphaTauG1' | 'betaTauG1'): Promise<PointTable> {
    const { work, ptau, circuit, domainSize } = this.setUp;
    const rows = circuit.header.constraints + circuit.publicSignals + 1;
    const vector = ptau.lagrange(name, Math.log2(domainSize));
    return loadTable(work, this.curve, vector, rows, 'the Lagrange polynomials of the .ptau');
  }

  /** The points of sums, which go to the circuit's hash after their number. */
  private async *hashed(
    sums: AsyncGenerator<{ readonly points: Uint8Array; readonly hashed: Uint8Array }>,
    count: number,
  ): AsyncGenerator<Uint8Array> {
    this.hash.update(bigEndian(count));
    for await (const { points, hashed } of sums) {
      this.hash.update(hashed);
      yield points;
    }
  }

  private advance(units: number): void {
    this.done += units;
    this.onProgress(Math.min(1, this.done / this.total));
  }
}

function freeTables(...tables: readonly PointTable[]): void {
  freeMemory(...tables.map(({ words: { buffer } }) => new Uint8Array(buffer)));
}

function bigEndian(value: number): Uint8Array {
  return words(value).reverse();
}
