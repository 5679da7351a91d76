import { joinBytes, newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { CURVES, type CurveId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { WorkersPolynomials } from '../../executors/workers/pool/workers-polynomials.js';
import type { ByteSource } from '../../files/byte-source.js';
import { expectOnCurve } from '../../files/snarkjs/curve-equation.js';
import { LOG_EXTENSION, SMALLEST_LOG_DOMAIN, WIRING_SECTIONS } from '../../files/snarkjs/plonk-arithmetization.js';
import { type PtauPowers, readPtau } from '../../files/snarkjs/ptau.js';
import { words } from '../../files/snarkjs/section-file.js';
import { type KeyVector, PROTOCOL_SECTION } from '../../files/snarkjs/zkey-header.js';
import { ADDITION_BYTES } from '../../polynomials/polynomials.js';
import { pairings } from '../../proofs/pairings.js';
import { expectMembers, finite } from '../../proofs/verified-points.js';
import type { CeremonyWork } from '../ceremony-work.js';
import { inOrder } from '../in-order.js';
import { lagrangeVectors } from '../powers/powers-file.js';
import { partOfVector } from '../ratio-check.js';
import { type NewSection, wholeSection, writtenModuli } from '../section-writer.js';
import { numbersFor, openR1csOf } from '../setup/constraint-matrices.js';
import { expectPower } from '../setup/prepared-ptau.js';
import { Commitments } from './commitments.js';
import { Gates } from './gates.js';
import { type KeyRow, KeyRows, montgomeryScalar, rowBytes, WIRE_FACTORS, type WrittenRow } from './key-rows.js';

/** The selectors of the gates. */
type Selector = 'Qm' | 'Ql' | 'Qr' | 'Qo' | 'Qc';

/** What the keys of a proof system have of their own. */
export interface UniversalFormat {
  /** The proof system's number in a .zkey. */
  readonly protocol: number;
  /** The selectors in the order of the file. The permutation's three polynomials follow. */
  readonly selectors: readonly Selector[];
  readonly dropsZeros: boolean;
  /** The last rows of the domain that belong to no gate. */
  readonly blindedRows: number;
  /** The section of the Lagrange polynomials of public signals, and of the powers of tau. */
  readonly lagrangeSection: number;
  readonly powersSection: number;
  /** The powers of tau of a key with a domain of n elements. */
  powers(domainSize: number): number;
}

/** Bytes of polynomials that are computed before their turn. */
const BYTES_AHEAD = 2 ** 28;
/** What a polynomial, one that is only rotated, and a power of tau cost, in rows of a domain: for progress. */
const COST = { row: 1, lagrange: 0.3, power: 2 } as const;

/** A circuit as the gates of a proof system. */
interface CircuitInGates {
  readonly format: UniversalFormat;
  readonly gates: Gates;
  readonly domainSize: number;
}

/** The set-up of a PLONK or FFLONK key, whose circuit has been read. */
export class UniversalSetUp {
  readonly format: UniversalFormat;
  readonly gates: Gates;
  readonly domainSize: number;
  readonly curve: CurveId;
  private readonly rows: KeyRows;
  private readonly total: number;
  private done = 0;

  private constructor(
    readonly work: CeremonyWork,
    private readonly ptau: PtauPowers,
    { format, gates, domainSize }: CircuitInGates,
    private readonly onProgress: (fraction: number) => void,
  ) {
    this.format = format;
    this.gates = gates;
    this.domainSize = domainSize;
    this.curve = ptau.curve;
    const on = new WorkersPolynomials(work.pool, this.curve);
    this.rows = new KeyRows(on, domainSize, { signal: work.signal });
    const polynomials = format.selectors.length + WIRE_FACTORS.length;
    this.total =
      domainSize * (COST.row * polynomials + COST.lagrange * this.lagrangeCount) +
      COST.power * format.powers(domainSize);
  }

  /**
   * Reads the circuit and the powers' header. `INVALID_ARGUMENT` for powers of tau that are too few,
   * `UNSUPPORTED_FORMAT` for a domain that is too large for the field, `INVALID_POINT` for tau in G2 that is infinite
   * or not in its group; further errors as in `readPtau`, `openR1csOf` and `Gates.of`.
   */
  static async open(
    format: UniversalFormat,
    work: CeremonyWork,
    r1cs: ByteSource,
    powers: ByteSource,
    onProgress: (fraction: number) => void,
  ): Promise<UniversalSetUp> {
    const ptau = await readPtau(powers);
    const { curve, tauG2 } = ptau;
    const circuit = await openR1csOf(r1cs, curve);
    // The workers start while the circuit is read. It is awaited below.
    const opened = work.open(curve);
    opened.catch(() => undefined);
    const gates = await Gates.of(circuit, curve, format.dropsZeros, work.signal);
    const needed = Math.max(1, gates.rows.count + format.blindedRows);
    const logDomain = Math.max(SMALLEST_LOG_DOMAIN, Math.ceil(Math.log2(needed)));
    const domainSize = 2 ** logDomain;
    // A .ptau of the power k has 2^(k + 1) - 1 powers.
    expectPower(ptau, Math.max(logDomain, Math.ceil(Math.log2(format.powers(domainSize) + 1)) - 1));
    if (logDomain > CURVES[curve].fr.twoAdicity - LOG_EXTENSION) {
      throw new PippinError(
        'UNSUPPORTED_FORMAT',
        `expected a circuit with a smaller domain, got one of 2^${logDomain}`,
      );
    }
    await opened;
    const name = 'tau in G2';
    expectOnCurve(CURVES[curve], 'g2', finite(tauG2, name), name);
    await expectMembers(pairings(work.pool, curve, work.signal), 'g2', [tauG2], () => name);
    return new UniversalSetUp(work, ptau, { format, gates, domainSize }, onProgress);
  }

  /** tau in G2, in the boundary form. */
  get tauG2(): Uint8Array {
    return this.ptau.tauG2;
  }

  protocolSection(): NewSection {
    return wholeSection(PROTOCOL_SECTION, words(this.format.protocol));
  }

  /** The additions, and the signals on the wires of the gates. */
  *wiringSections(): Generator<NewSection> {
    yield wholeSection(WIRING_SECTIONS.additions, this.additions());
    for (const [i, id] of WIRING_SECTIONS.maps.entries()) {
      const { buffer } = this.gates.rows.column(i);
      yield wholeSection(id, new Uint8Array(buffer));
    }
  }

  /** The selectors and the polynomials of the permutation, in this order. The workers compute some ahead. */
  polynomials(): AsyncGenerator<KeyRow> {
    const { format, gates, domainSize, rows } = this;
    const wires = (['a', 'b', 'c'] as const).map((wire) => gates.column(wire, domainSize));
    const images = permutationOf(wires, gates.signals, format.blindedRows);
    const makers = [
      ...format.selectors.map((name) => () => rows.selector(gates, gates.column(name, domainSize))),
      ...WIRE_FACTORS.map((_, i) => () => rows.permutation(images.slice(i * domainSize, (i + 1) * domainSize))),
    ];
    return inOrder(makers, () => this.ahead);
  }

  /** The parts of a polynomial's section, which are given away. */
  *written({ coefficients, evaluations }: WrittenRow): Generator<Uint8Array> {
    yield coefficients;
    yield evaluations;
    this.advance(COST.row * this.domainSize);
  }

  /** The Lagrange polynomials of the public signals: one at least. */
  lagrangeSection(): NewSection {
    return {
      id: this.format.lagrangeSection,
      size: this.lagrangeCount * rowBytes(this.domainSize),
      parts: this.lagrangeParts(),
    };
  }

  /** The section of the powers of tau. The commitments to these polynomials are complete when it has been written. */
  powersSection(coefficients: readonly Uint8Array[]): {
    readonly section: NewSection;
    readonly commitments: Commitments;
  } {
    const { curve, work, ptau, format, domainSize } = this;
    const count = format.powers(domainSize);
    const vector = partOfVector(curve, { group: 'g1', count: ptau.count, bytes: ptau.g1 }, 0, count);
    const commitments = new Commitments(work, curve, { vector, what: 'the powers of tau of the .ptau' }, coefficients);
    const parts = commitments.points((some) => this.advance(COST.power * some));
    return { section: { id: format.powersSection, size: count * pointBytes(curve, 'g1'), parts }, commitments };
  }

  /** Whether the .ptau has the Lagrange polynomials of the domain: it was prepared for phase 2. */
  get isPrepared(): boolean {
    return this.lagrangeVector !== undefined;
  }

  /**
   * Commits to polynomials with these values on the domain. Selectors have few values but 0: MSMs over them cost much
   * less than over coefficients.
   */
  async commitToValues(values: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const { curve, work, domainSize } = this;
    const vector = partOfVector(curve, this.lagrangeVector!, domainSize - 1, domainSize);
    const what = 'the Lagrange polynomials of the .ptau';
    const commitments = new Commitments(work, curve, { vector, what }, values);
    for await (const points of commitments.points(() => undefined)) freeMemory(points);
    return commitments.sum();
  }

  /** What the header section begins with: moduli, sizes, k1 and k2. */
  headerHead(): Uint8Array {
    const { gates, domainSize } = this;
    const curve = CURVES[this.curve];
    const [, k1, k2] = WIRE_FACTORS;
    return joinBytes([
      writtenModuli(curve),
      words(gates.signals, gates.publicSignals, domainSize, gates.additions.count, gates.rows.count),
      ...[k1, k2].map((factor) => montgomeryScalar(curve.fr.modulus, factor)),
    ]);
  }

  /** The Lagrange polynomials at tau of the domains of 1, 2, 4, .. elements, one domain after another. */
  private get lagrangeVector(): KeyVector | undefined {
    const { file, power } = this.ptau;
    return lagrangeVectors({ file, curve: CURVES[this.curve], power })?.[0];
  }

  private get lagrangeCount(): number {
    return Math.max(1, this.gates.publicSignals);
  }

  private get ahead(): number {
    return Math.max(2, Math.min(this.work.pool.size, Math.floor(BYTES_AHEAD / rowBytes(this.domainSize))));
  }

  private async *lagrangeParts(): AsyncGenerator<Uint8Array> {
    const makers = Array.from({ length: this.lagrangeCount }, (_, i) => () => this.rows.lagrange(i));
    for await (const { coefficients, evaluations } of inOrder(makers, () => this.ahead)) {
      yield coefficients;
      yield evaluations;
      this.advance(COST.lagrange * this.domainSize);
    }
  }

  /** The rows of the additions: two signals, and the factor of each in Montgomery form. */
  private additions(): Uint8Array {
    const { additions, field } = this.gates;
    const factors = field.coefficients.times((1n << BigInt(8 * SCALAR_BYTES)) % CURVES[this.curve].fr.modulus);
    const written = newBytes(additions.count * ADDITION_BYTES);
    const view = new DataView(written.buffer);
    for (let row = 0; row < additions.count; row++) {
      for (const i of [0, 1]) {
        const at = row * ADDITION_BYTES;
        view.setUint32(at + 4 * i, additions.at(row, i), true);
        const number = additions.at(row, 2 + i) * SCALAR_BYTES;
        written.set(factors.subarray(number, number + SCALAR_BYTES), at + 8 + i * SCALAR_BYTES);
      }
    }
    return written;
  }

  private advance(units: number): void {
    this.done += units;
    this.onProgress(Math.min(1, this.done / this.total));
  }
}

/**
 * The permutation that connects the wires with the same signal in a cycle. A wire has the number i, n + i or 2 n + i as
 * wire a, b or c of gate i; the wires are visited gate by gate. Each is mapped to the wire with its signal that was
 * visited last before it, and the first of a signal to the last.
 *
 * @param wires the signals on the wires a, b and c of n rows.
 * @param signals how many signals there are.
 * @param fixed how many of the last rows have wires that are mapped to themselves.
 */
function permutationOf(wires: readonly Uint32Array[], signals: number, fixed: number): Uint32Array {
  const n = wires[0]!.length;
  const images = numbersFor(wires.length * n);
  // Numbers + 1 of the wires that were visited first and last; 0 for signals that were not yet visited.
  const first = numbersFor(signals);
  const last = numbersFor(signals);
  for (let row = 0; row < n; row++) {
    for (let wire = 0; wire < wires.length; wire++) {
      const number = wire * n + row;
      if (row >= n - fixed) {
        images[number] = number;
        continue;
      }
      const signal = wires[wire]![row]!;
      if (last[signal] === 0) first[signal] = number + 1;
      else images[number] = last[signal]! - 1;
      last[signal] = number + 1;
    }
  }
  for (let signal = 0; signal < signals; signal++) {
    if (first[signal] !== 0) images[first[signal]! - 1] = last[signal]! - 1;
  }
  return images;
}
