import { throwIfAborted } from '../../base/abort.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { type Curve, type CurveId, type GroupId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { type ByteSource, partOf } from '../byte-source.js';
import { viewOf } from './section-file.js';
import {
  expectDomain,
  expectPublicSignals,
  expectSize,
  HEADER_SECTION,
  type KeyVector,
  openZkey,
  PointReader,
  readCurve,
} from './zkey-header.js';

/**
 * The sections of a Groth16 .zkey, as snarkjs 0.7 writes them (src/zkey_utils.js, src/zkey_new.js); numbers and points
 * as zkey-header.ts says.
 *
 * - 1: the proof system's number.
 * - 2: p and r (size, bytes), variables, public signals, domain size, then alpha1, beta1, beta2, gamma2, delta1,
 *   delta2.
 * - 3: one point for the constant and each public signal.
 * - 4: the number of entries of the matrices A (0) and B (1), then each entry as matrix, constraint, signal, and the
 *   coefficient times 2^512 mod r. There are none for C: on the domain it is the product of the other two. After the
 *   circuit's own constraints come publicSignals + 1 rows that have an entry 1 in A and none in B; they tie the public
 *   signals to the key.
 * - 5, 6, 7, 8: A, B in G1, B in G2, C. C has no points for the constant and the public signals.
 * - 9: H: the points for the values of A B - C at the odd powers of a primitive 2n-th root of unity, where n is the
 *   domain's size.
 * - 10: the history of the ceremony, not read here.
 */
const SECTION = { ic: 3, coefficients: 4, A: 5, B1: 6, B2: 7, C: 8, H: 9 } as const;

/** A row of the coefficient section: matrix, constraint, signal (u32 each), value. */
export const COEFFICIENT_BYTES = 12 + SCALAR_BYTES;

/** The points of a key that every proof uses, affine in the boundary form. */
export interface KeyPoints {
  readonly alpha1: Uint8Array;
  readonly beta1: Uint8Array;
  readonly beta2: Uint8Array;
  readonly gamma2: Uint8Array;
  readonly delta1: Uint8Array;
  readonly delta2: Uint8Array;
  /** The points of the public signals, after the point of the constant one. */
  readonly ic: readonly Uint8Array[];
}

/** What a key's header says. */
export interface KeyFacts {
  /** Values of a witness, the constant one included. */
  readonly variables: number;
  readonly publicSignals: number;
  readonly domainSize: number;
}

/** A Groth16 proving key whose large sections have not been read yet. */
export interface Zkey {
  readonly curve: CurveId;
  readonly facts: KeyFacts;
  readonly points: KeyPoints;
  readonly vectors: Readonly<Record<'A' | 'B1' | 'B2' | 'C' | 'H', KeyVector>>;
  /** Rows of `COEFFICIENT_BYTES`. */
  readonly coefficients: ByteSource;
}

/**
 * Reads the header and the table of sections of a snarkjs .zkey; its moduli determine the curve. `UNSUPPORTED_FORMAT`
 * for another proof system, `CURVE_MISMATCH` for a curve without Groth16 in Pippin, `INVALID_POINT` for a bad point of
 * the header, `MALFORMED_FILE` for a file that contradicts itself.
 */
export async function readZkey(source: ByteSource): Promise<Zkey> {
  const file = await openZkey(source, 'groth16');
  const { curve, facts, points } = await readHeader(file.section(HEADER_SECTION));
  const { id } = curve;
  const { variables, publicSignals, domainSize } = facts;
  const vector = (section: number, group: GroupId, count: number, name: string): KeyVector => {
    const bytes = file.section(section);
    expectSize(bytes, count * pointBytes(id, group), `${count} points in section ${section} (${name})`);
    return { group, count, bytes };
  };
  const vectors = {
    A: vector(SECTION.A, 'g1', variables, 'A'),
    B1: vector(SECTION.B1, 'g1', variables, 'B1'),
    B2: vector(SECTION.B2, 'g2', variables, 'B2'),
    C: vector(SECTION.C, 'g1', variables - publicSignals - 1, 'C'),
    H: vector(SECTION.H, 'g1', domainSize, 'H'),
  };
  const icBytes = vector(SECTION.ic, 'g1', publicSignals + 1, 'IC').bytes;
  const ic = await icBytes.read(0, icBytes.size);
  const icReader = new PointReader(curve, ic, 0);
  const icPoints = Array.from({ length: publicSignals + 1 }, (_, i) => icReader.next('g1', `IC[${i}]`));
  return {
    curve: id,
    facts,
    points: { ...points, ic: icPoints },
    vectors,
    coefficients: await coefficientRows(file.section(SECTION.coefficients)),
  };
}

/** Rows of the coefficient section that are read at a time: 3 MB. */
export const PIECE_ROWS = 2 ** 16;

/**
 * How many rows of the coefficient section belong to the matrices A and B. The section is read in pieces.
 * `MALFORMED_FILE` names the first row of a signal that the key does not have.
 *
 * @param onProgress called with the fraction of the rows that were counted.
 */
export async function countCoefficients(
  { coefficients, facts }: Pick<Zkey, 'coefficients' | 'facts'>,
  signal?: AbortSignal,
  onProgress?: (fraction: number) => void,
): Promise<readonly [a: number, b: number]> {
  const counts: [number, number] = [0, 0];
  for (let from = 0, at = 0; at < coefficients.size; from += PIECE_ROWS) {
    throwIfAborted(signal);
    const rows = await coefficients.read(at, Math.min(PIECE_ROWS * COEFFICIENT_BYTES, coefficients.size - at));
    checkCoefficientSignals(rows, facts, counts, from);
    at += rows.length;
    freeMemory(rows);
    onProgress?.(at / coefficients.size);
  }
  return counts;
}

/**
 * Checks that every coefficient belongs to a signal that the key has; `MALFORMED_FILE` names the first that does not.
 *
 * @param counts how many rows each matrix has is added to it. A row of no matrix is refused when it is loaded.
 * @param first the number of the first row.
 */
export function checkCoefficientSignals(
  rows: Uint8Array,
  { variables }: KeyFacts,
  counts: [a: number, b: number] = [0, 0],
  first = 0,
): void {
  const view = viewOf(rows);
  for (let at = 0; at < rows.length; at += COEFFICIENT_BYTES) {
    const signal = view.getUint32(at + 8, true);
    if (signal >= variables) {
      const row = first + at / COEFFICIENT_BYTES;
      throw new PippinError(
        'MALFORMED_FILE',
        `expected coefficient ${row} of a signal below ${variables}, got signal ${signal}`,
      );
    }
    counts[view.getUint32(at, true) === 0 ? 0 : 1]++;
  }
}

/** The section's rows, without their count, which comes first. */
async function coefficientRows(section: ByteSource): Promise<ByteSource> {
  const count = viewOf(await section.read(0, 4)).getUint32(0, true);
  expectSize(section, 4 + count * COEFFICIENT_BYTES, `${count} coefficients in section ${SECTION.coefficients}`);
  return partOf(section, 4, section.size - 4);
}

async function readHeader(
  section: ByteSource,
): Promise<{ curve: Curve; facts: KeyFacts; points: Omit<KeyPoints, 'ic'> }> {
  const { curve, end } = await readCurve(section);
  const pointsBytes = 3 * pointBytes(curve.id, 'g1') + 3 * pointBytes(curve.id, 'g2');
  expectSize(section, end + 12 + pointsBytes, `section ${HEADER_SECTION} (header)`);
  const bytes = await section.read(end, section.size - end);
  const view = viewOf(bytes);
  const facts = {
    variables: view.getUint32(0, true),
    publicSignals: view.getUint32(4, true),
    domainSize: view.getUint32(8, true),
  };
  expectPublicSignals(facts.publicSignals, facts.variables);
  expectDomain(facts.domainSize, 0, curve.fr.twoAdicity);
  const points = new PointReader(curve, bytes, 12);
  // With infinity for one of these points, a proof would prove nothing, or would hide nothing. This is the order in the
  // file; a comment in snarkjs gives another order.
  const alpha1 = points.nextFinite('g1', 'alpha1');
  const beta1 = points.nextFinite('g1', 'beta1');
  const beta2 = points.nextFinite('g2', 'beta2');
  const gamma2 = points.nextFinite('g2', 'gamma2');
  const delta1 = points.nextFinite('g1', 'delta1');
  const delta2 = points.nextFinite('g2', 'delta2');
  return { curve, facts, points: { alpha1, beta1, beta2, gamma2, delta1, delta2 } };
}
