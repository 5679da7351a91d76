import { bn254, type CurveId, type GroupId } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bytesToBigint, writeBigint } from '../field/bytes.js';
import { inverse } from '../field/modular.js';
import { type ByteSource, partOf } from '../io/byte-source.js';
import type { ProofPart } from '../progress.js';
import { expectOnCurve } from '../proofs/groth16/curve-equation.js';
import { fieldName, readModulus } from './modulus.js';
import { readSectionFile, viewOf } from './section-file.js';

/**
 * The sections of a Groth16 .zkey, as snarkjs 0.7 writes them (src/zkey_utils.js, src/zkey_new.js). All numbers are u32 and all
 * bytes little-endian; points are affine with coordinates times 2^256 mod p, infinity all zero.
 *
 * - 1: the proof system's number.
 * - 2: p and r (size, bytes), variables, public signals, domain size, then alpha1, beta1, beta2, gamma2, delta1, delta2.
 * - 3: one point for the constant and each public signal.
 * - 4: the number of entries of the matrices A (0) and B (1), then each as matrix, constraint, signal, and the coefficient
 *   times 2^512 mod r. There are none for C: on the domain it is the product of the other two. Behind the circuit's own
 *   constraints come publicSignals + 1 rows with entry 1 in A alone, which tie the public signals into the key.
 * - 5, 6, 7, 8: A, B in G1, B in G2, C. C has no points for the constant and the public signals.
 * - 9: H: what belongs to the values of A B - C at the odd 2n-th roots of unity, n being the domain's size.
 * - 10: the history of the ceremony, not read here.
 */
const SECTION = { protocol: 1, header: 2, ic: 3, coefficients: 4, A: 5, B1: 6, B2: 7, C: 8, H: 9 } as const;

const PROTOCOLS: Readonly<Record<number, string>> = { 1: 'groth16', 2: 'plonk', 10: 'fflonk' };
const GROTH16 = 1;

const G1_BYTES = 64;
const G2_BYTES = 128;
/** alpha1, beta1, beta2, gamma2, delta1, delta2. */
const HEADER_POINTS_BYTES = 3 * G1_BYTES + 3 * G2_BYTES;
/** A row of the coefficient section: matrix, constraint, signal (u32 each), value. */
export const COEFFICIENT_BYTES = 44;

/** The points of a key that every proof uses, affine in the boundary form. */
export interface KeyPoints {
  readonly alpha1: Uint8Array;
  readonly beta1: Uint8Array;
  readonly beta2: Uint8Array;
  readonly gamma2: Uint8Array;
  readonly delta1: Uint8Array;
  readonly delta2: Uint8Array;
  /** Of the public signals, the constant one first. */
  readonly ic: readonly Uint8Array[];
}

/** What a key's header says. */
export interface KeyFacts {
  /** Values of a witness, the constant one included. */
  readonly variables: number;
  readonly publicSignals: number;
  readonly domainSize: number;
}

/** One of the key's vectors of points: affine, coordinates times 2^256 mod p. */
export interface KeyVector {
  readonly group: GroupId;
  readonly count: number;
  readonly bytes: ByteSource;
}

/** A Groth16 proving key, its large sections still unread. */
export interface Zkey {
  readonly curve: CurveId;
  readonly facts: KeyFacts;
  readonly points: KeyPoints;
  readonly vectors: Readonly<Record<ProofPart, KeyVector>>;
  /** Rows of `COEFFICIENT_BYTES`. */
  readonly coefficients: ByteSource;
}

/**
 * Reads a snarkjs .zkey's header and table. `UNSUPPORTED_FORMAT` for another proof system, `CURVE_MISMATCH` for another curve,
 * `MALFORMED_FILE` for what contradicts itself.
 */
export async function readZkey(source: ByteSource): Promise<Zkey> {
  const file = await readSectionFile(source, 'zkey');
  if (file.version !== 1) throw new PippinError('UNSUPPORTED_FORMAT', `expected .zkey version 1, got ${file.version}`);
  const protocol = viewOf(await file.section(SECTION.protocol).read(0, 4)).getUint32(0, true);
  if (protocol !== GROTH16) {
    throw new PippinError(
      'UNSUPPORTED_FORMAT',
      `expected a groth16 key, got ${PROTOCOLS[protocol] ?? `protocol ${protocol}`}`,
    );
  }
  const { facts, points } = await readHeader(file.section(SECTION.header));
  const { variables, publicSignals, domainSize } = facts;
  const vector = (id: number, group: GroupId, count: number, name: string): KeyVector => {
    const bytes = file.section(id);
    expectSize(bytes, count * (group === 'g1' ? G1_BYTES : G2_BYTES), `${count} points in section ${id} (${name})`);
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
  const icPoints = Array.from({ length: publicSignals + 1 }, (_, i) => {
    const point = fromMontgomery(ic.subarray(i * G1_BYTES, (i + 1) * G1_BYTES), `IC[${i}]`);
    expectOnCurve('g1', point, `IC[${i}]`);
    return point;
  });
  return {
    curve: bn254.id,
    facts,
    points: { ...points, ic: icPoints },
    vectors,
    coefficients: await coefficientRows(file.section(SECTION.coefficients)),
  };
}

/** Checks that every coefficient belongs to a signal that the key has; `MALFORMED_FILE` names the first that does not. */
export function checkCoefficientSignals(rows: Uint8Array, { variables }: KeyFacts): void {
  const view = viewOf(rows);
  for (let at = 0; at < rows.length; at += COEFFICIENT_BYTES) {
    const signal = view.getUint32(at + 8, true);
    if (signal >= variables) {
      const row = at / COEFFICIENT_BYTES;
      throw new PippinError(
        'MALFORMED_FILE',
        `expected coefficient ${row} of a signal below ${variables}, got signal ${signal}`,
      );
    }
  }
}

/** The section's rows behind their count. */
async function coefficientRows(section: ByteSource): Promise<ByteSource> {
  const count = viewOf(await section.read(0, 4)).getUint32(0, true);
  expectSize(section, 4 + count * COEFFICIENT_BYTES, `${count} coefficients in section ${SECTION.coefficients}`);
  return partOf(section, 4, section.size - 4);
}

async function readHeader(section: ByteSource): Promise<{ facts: KeyFacts; points: Omit<KeyPoints, 'ic'> }> {
  const q = await readModulus(section, 0);
  const r = await readModulus(section, q.end);
  if (q.modulus !== bn254.fq.modulus || r.modulus !== bn254.fr.modulus) {
    const other = q.modulus === bn254.fq.modulus ? r.modulus : q.modulus;
    throw new PippinError('CURVE_MISMATCH', `expected a key over BN254, got one over ${fieldName(other)}`);
  }
  expectSize(section, r.end + 12 + HEADER_POINTS_BYTES, `section ${SECTION.header} (header)`);
  const bytes = await section.read(r.end, section.size - r.end);
  const view = viewOf(bytes);
  const facts = {
    variables: view.getUint32(0, true),
    publicSignals: view.getUint32(4, true),
    domainSize: view.getUint32(8, true),
  };
  checkFacts(facts);
  let at = 12;
  const next = (group: GroupId, name: string): Uint8Array => {
    const size = group === 'g1' ? G1_BYTES : G2_BYTES;
    const point = fromMontgomery(bytes.subarray(at, at + size), name);
    at += size;
    // Without one of these a key proves nothing, or hides nothing.
    if (point.every((byte) => byte === 0)) {
      throw new PippinError('INVALID_POINT', `expected ${name} as a finite point, got infinity`);
    }
    expectOnCurve(group, point, name);
    return point;
  };
  // In the order of the file, which is not the one that a comment in snarkjs gives.
  const alpha1 = next('g1', 'alpha1');
  const beta1 = next('g1', 'beta1');
  const beta2 = next('g2', 'beta2');
  const gamma2 = next('g2', 'gamma2');
  const delta1 = next('g1', 'delta1');
  const delta2 = next('g2', 'delta2');
  return { facts, points: { alpha1, beta1, beta2, gamma2, delta1, delta2 } };
}

function checkFacts({ variables, publicSignals, domainSize }: KeyFacts): void {
  if (publicSignals >= variables) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected fewer public signals than variables, got ${publicSignals} of ${variables}`,
    );
  }
  const logDomain = Math.log2(domainSize);
  if (!Number.isInteger(logDomain) || logDomain > bn254.fr.twoAdicity) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected a domain of 2^k, k up to ${bn254.fr.twoAdicity}, got ${domainSize}`,
    );
  }
}

function expectSize(source: ByteSource, size: number, what: string): void {
  if (source.size !== size) {
    throw new PippinError('MALFORMED_FILE', `expected ${size} bytes for ${what}, got ${source.size}`);
  }
}

const P = bn254.fq.modulus;
const INVERSE_R = inverse(1n << 256n, P);

/** A point of the file in the boundary form; infinity is all zero in both. */
function fromMontgomery(bytes: Uint8Array, name: string): Uint8Array {
  const coordinates = bn254.coordinateBytes;
  const canonical = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += coordinates) {
    const value = bytesToBigint(bytes, at, coordinates);
    if (value >= P) throw new PippinError('INVALID_POINT', `expected a coordinate of ${name} below p, got ${value}`);
    writeBigint(canonical, at, coordinates, (value * INVERSE_R) % P);
  }
  return canonical;
}
