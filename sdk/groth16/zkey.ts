import { bn254, SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bytesToBigint } from '../field/bytes.js';
import { inverse } from '../field/modular.js';
import { encodePoint } from '../field/point-bytes.js';
import type { ProofPart } from '../progress.js';
import type { ByteSource } from './byte-source.js';
import { readSectionFile, viewOf } from './section-file.js';

/** The sections of a Groth16 .zkey (snarkjs, src/zkey_utils.js and doc). */
const SECTION = { protocol: 1, header: 2, ic: 3, coefficients: 4, A: 5, B1: 6, B2: 7, C: 8, H: 9 } as const;

const PROTOCOLS: Readonly<Record<number, string>> = { 1: 'groth16', 2: 'plonk', 10: 'fflonk' };
const GROTH16 = 1;

const G1_BYTES = 64;
const G2_BYTES = 128;
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
  readonly group: 'g1' | 'g2';
  readonly count: number;
  readonly bytes: ByteSource;
}

/** A Groth16 proving key, its large sections still unread. */
export interface Zkey {
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
  const vector = (id: number, group: 'g1' | 'g2', count: number, name: string): KeyVector => {
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
  const icPoints = Array.from({ length: publicSignals + 1 }, (_, i) => g1FromMontgomery(ic, i * G1_BYTES));
  return {
    facts,
    points: { ...points, ic: icPoints },
    vectors,
    coefficients: await coefficientRows(file.section(SECTION.coefficients)),
  };
}

/** The section's rows behind their count. */
async function coefficientRows(section: ByteSource): Promise<ByteSource> {
  const count = viewOf(await section.read(0, 4)).getUint32(0, true);
  expectSize(section, 4 + count * COEFFICIENT_BYTES, `${count} coefficients in section ${SECTION.coefficients}`);
  return {
    size: section.size - 4,
    read: (offset, length) => section.read(4 + offset, length),
  };
}

async function readHeader(section: ByteSource): Promise<{ facts: KeyFacts; points: Omit<KeyPoints, 'ic'> }> {
  const bytes = await section.read(0, section.size);
  const view = viewOf(bytes);
  let at = 0;
  const need = (length: number): number => {
    if (at + length > bytes.length) {
      throw new PippinError(
        'MALFORMED_FILE',
        `expected a key header of at least ${at + length} bytes, got ${bytes.length}`,
      );
    }
    at += length;
    return at - length;
  };
  const readU32 = (): number => view.getUint32(need(4), true);
  const readPrime = (): bigint => {
    const size = readU32();
    return bytesToBigint(bytes, need(size), size);
  };
  const q = readPrime();
  const r = readPrime();
  if (q !== bn254.fq.modulus || r !== bn254.fr.modulus) {
    throw new PippinError('CURVE_MISMATCH', `expected a key over BN254, got one over ${curveName(q)}`);
  }
  const facts = { variables: readU32(), publicSignals: readU32(), domainSize: readU32() };
  checkFacts(facts);
  const g1 = (): Uint8Array => g1FromMontgomery(bytes, need(G1_BYTES));
  const g2 = (): Uint8Array => g2FromMontgomery(bytes, need(G2_BYTES));
  // In the order of the file.
  const [alpha1, beta1, beta2, gamma2, delta1, delta2] = [g1(), g1(), g2(), g2(), g1(), g2()];
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

/** Base fields that .zkey files are known to come with. */
function curveName(q: bigint): string {
  const bits = q.toString(2).length;
  return bits === 381
    ? 'BLS12-381 (or another curve with a 381-bit base field)'
    : `a curve with a ${bits}-bit base field`;
}

function expectSize(source: ByteSource, size: number, what: string): void {
  if (source.size !== size) {
    throw new PippinError('MALFORMED_FILE', `expected ${size} bytes for ${what}, got ${source.size}`);
  }
}

const P = bn254.fq.modulus;
const INVERSE_R = inverse(1n << 256n, P);

function coordinate(bytes: Uint8Array, offset: number): bigint {
  const value = bytesToBigint(bytes, offset, SCALAR_BYTES);
  if (value >= P)
    throw new PippinError('INVALID_POINT', "expected a coordinate below p in the key's header, got one that is not");
  return (value * INVERSE_R) % P;
}

function g1FromMontgomery(bytes: Uint8Array, offset: number): Uint8Array {
  return encodePoint('bn254', 'g1', [coordinate(bytes, offset), coordinate(bytes, offset + 32)]);
}

function g2FromMontgomery(bytes: Uint8Array, offset: number): Uint8Array {
  const [x0, x1, y0, y1] = [0, 32, 64, 96].map((at) => coordinate(bytes, offset + at)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  return encodePoint('bn254', 'g2', [
    [x0, x1],
    [y0, y1],
  ]);
}
