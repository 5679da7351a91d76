import type { ProofPart } from '../../api/progress.js';
import { throwIfAborted } from '../../base/abort.js';
import { bytesToBigint, writeBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { type Curve, type CurveId, type GroupId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import { type ByteSource, partOf } from '../byte-source.js';
import { expectOnCurve } from './curve-equation.js';
import { curveOfModuli } from './known-curves.js';
import { expectElementBytes, readModulus } from './modulus.js';
import { readSectionFile, viewOf } from './section-file.js';

/**
 * The sections of a Groth16 .zkey, as snarkjs 0.7 writes them (src/zkey_utils.js, src/zkey_new.js). All numbers are u32
 * and all bytes little-endian; points are affine with coordinates times R mod p, infinity all zero. R is 2^(8 n) for
 * coordinates of n bytes: 2^256 on BN254, 2^384 on BLS12-381.
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
const SECTION = { protocol: 1, header: 2, ic: 3, coefficients: 4, A: 5, B1: 6, B2: 7, C: 8, H: 9 } as const;

const PROTOCOLS: Readonly<Record<number, string>> = { 1: 'groth16', 2: 'plonk', 10: 'fflonk' };
const GROTH16 = 1;

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

/** One of the key's vectors of points: affine, coordinates times R mod p. */
export interface KeyVector {
  readonly group: GroupId;
  readonly count: number;
  readonly bytes: ByteSource;
}

/** A Groth16 proving key whose large sections have not been read yet. */
export interface Zkey {
  readonly curve: CurveId;
  readonly facts: KeyFacts;
  readonly points: KeyPoints;
  readonly vectors: Readonly<Record<ProofPart, KeyVector>>;
  /** Rows of `COEFFICIENT_BYTES`. */
  readonly coefficients: ByteSource;
}

/**
 * Reads the header and the table of sections of a snarkjs .zkey; its moduli determine the curve. `UNSUPPORTED_FORMAT`
 * for another proof system, `CURVE_MISMATCH` for a curve without Groth16 in Pippin, `INVALID_POINT` for a bad point of
 * the header, `MALFORMED_FILE` for a file that contradicts itself.
 */
export async function readZkey(source: ByteSource): Promise<Zkey> {
  const file = await readSectionFile(source, 'zkey');
  if (file.version !== 1) throw new PippinError('UNSUPPORTED_FORMAT', `expected .zkey version 1, got ${file.version}`);
  const protocol = viewOf(await file.section(SECTION.protocol).read(0, 4)).getUint32(0, true);
  if (protocol !== GROTH16) {
    throw new PippinError(
      'UNSUPPORTED_FORMAT',
      `expected a groth16 key, got ${PROTOCOLS[protocol] ?? `protocol ${protocol}`}`,
      { hint: 'a Groth16 key is made with snarkjs groth16 setup, then zkey contribute' },
    );
  }
  const { curve, facts, points } = await readHeader(file.section(SECTION.header));
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
  const size = pointBytes(id, 'g1');
  const canonical = montgomeryReader(curve);
  const icPoints = Array.from({ length: publicSignals + 1 }, (_, i) => {
    const point = canonical(ic.subarray(i * size, (i + 1) * size), `IC[${i}]`);
    expectOnCurve(curve, 'g1', point, `IC[${i}]`);
    return point;
  });
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
  const q = await readModulus(section, 0);
  const r = await readModulus(section, q.end);
  const curve = curveOfModuli(q.modulus, r.modulus);
  expectElementBytes(q, curve.coordinateBytes);
  expectElementBytes(r, SCALAR_BYTES);
  const pointsBytes = 3 * pointBytes(curve.id, 'g1') + 3 * pointBytes(curve.id, 'g2');
  expectSize(section, r.end + 12 + pointsBytes, `section ${SECTION.header} (header)`);
  const bytes = await section.read(r.end, section.size - r.end);
  const view = viewOf(bytes);
  const facts = {
    variables: view.getUint32(0, true),
    publicSignals: view.getUint32(4, true),
    domainSize: view.getUint32(8, true),
  };
  checkFacts(facts, curve.fr.twoAdicity);
  const canonical = montgomeryReader(curve);
  let at = 12;
  const next = (group: GroupId, name: string): Uint8Array => {
    const size = pointBytes(curve.id, group);
    const point = canonical(bytes.subarray(at, at + size), name);
    at += size;
    // With infinity for one of these points, a proof would prove nothing, or would hide nothing.
    if (point.every((byte) => byte === 0)) {
      throw new PippinError('INVALID_POINT', `expected ${name} as a finite point, got infinity`);
    }
    expectOnCurve(curve, group, point, name);
    return point;
  };
  // This is the order in the file; a comment in snarkjs gives another order.
  const alpha1 = next('g1', 'alpha1');
  const beta1 = next('g1', 'beta1');
  const beta2 = next('g2', 'beta2');
  const gamma2 = next('g2', 'gamma2');
  const delta1 = next('g1', 'delta1');
  const delta2 = next('g2', 'delta2');
  return { curve, facts, points: { alpha1, beta1, beta2, gamma2, delta1, delta2 } };
}

function checkFacts({ variables, publicSignals, domainSize }: KeyFacts, twoAdicity: number): void {
  if (publicSignals >= variables) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected fewer public signals than variables, got ${publicSignals} of ${variables}`,
    );
  }
  const logDomain = Math.log2(domainSize);
  if (!Number.isInteger(logDomain) || logDomain > twoAdicity) {
    throw new PippinError('MALFORMED_FILE', `expected a domain of 2^k, k up to ${twoAdicity}, got ${domainSize}`);
  }
}

function expectSize(source: ByteSource, size: number, what: string): void {
  if (source.size !== size) {
    throw new PippinError('MALFORMED_FILE', `expected ${size} bytes for ${what}, got ${source.size}`);
  }
}

/** Returns the function that converts a point of the file to the boundary form; infinity is all zero in both. */
export function montgomeryReader({ coordinateBytes, fq }: Curve): (bytes: Uint8Array, name: string) => Uint8Array {
  const p = fq.modulus;
  const inverseR = inverse(1n << BigInt(8 * coordinateBytes), p);
  return (bytes, name) => {
    const canonical = new Uint8Array(bytes.length);
    for (let at = 0; at < bytes.length; at += coordinateBytes) {
      const value = bytesToBigint(bytes, at, coordinateBytes);
      if (value >= p) throw new PippinError('INVALID_POINT', `expected a coordinate of ${name} below p, got ${value}`);
      writeBigint(canonical, at, coordinateBytes, (value * inverseR) % p);
    }
    return canonical;
  };
}
