import { bytesToBigint, writeBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type Curve, type GroupId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import type { Protocol } from '../../proofs/parts.js';
import type { ByteSource } from '../byte-source.js';
import { expectOnCurve } from './curve-equation.js';
import { curveOfModuli } from './known-curves.js';
import { expectElementBytes, readModulus } from './modulus.js';
import { readSectionFile, type SectionFile, viewOf } from './section-file.js';

/**
 * What the .zkey files of snarkjs' proof systems share: a section 1 with the proof system's number, and a section 2
 * that begins with p and r. All numbers are u32 and all bytes little-endian; points are affine with coordinates times R
 * mod p, infinity all zero. R is 2^(8 n) for coordinates of n bytes: 2^256 on BN254, 2^384 on BLS12-381.
 */
export const PROTOCOL_SECTION = 1;
export const HEADER_SECTION = 2;

/** The proof systems by the numbers that snarkjs writes for them. */
const PROTOCOLS: Readonly<Record<number, Protocol>> = { 1: 'groth16', 2: 'plonk', 10: 'fflonk' };

/** One of the key's vectors of points: affine, coordinates times R mod p. */
export interface KeyVector {
  readonly group: GroupId;
  readonly count: number;
  readonly bytes: ByteSource;
}

/**
 * The proof system of a .zkey. `UNSUPPORTED_FORMAT` for one that snarkjs 0.7 does not have, and for another version of
 * the file; `MALFORMED_FILE` for anything else than a .zkey.
 */
export async function readProtocol(source: ByteSource): Promise<Protocol> {
  return protocolOfSections(await readZkeySections(source));
}

/** The proof system of a .zkey whose sections are known; errors as in `readProtocol`. */
export async function protocolOfSections(file: SectionFile): Promise<Protocol> {
  const number = await protocolNumber(file);
  const protocol = protocolOfNumber(number);
  if (protocol === undefined) {
    throw new PippinError(
      'UNSUPPORTED_FORMAT',
      `expected a key of ${Object.values(PROTOCOLS).join(', ')}, got protocol ${number}`,
    );
  }
  return protocol;
}

/** The table of sections of a .zkey of this proof system; errors as in `readProtocol`. */
export async function openZkey(source: ByteSource, protocol: Protocol): Promise<SectionFile> {
  const file = await readZkeySections(source);
  const number = await protocolNumber(file);
  const found = protocolOfNumber(number);
  if (found !== protocol) {
    throw new PippinError('UNSUPPORTED_FORMAT', `expected a ${protocol} key, got ${found ?? `protocol ${number}`}`, {
      hint: `it is made with snarkjs ${protocol} setup${protocol === 'groth16' ? ', then zkey contribute' : ''}`,
    });
  }
  return file;
}

async function readZkeySections(source: ByteSource): Promise<SectionFile> {
  const file = await readSectionFile(source, 'zkey');
  if (file.version !== 1) throw new PippinError('UNSUPPORTED_FORMAT', `expected .zkey version 1, got ${file.version}`);
  return file;
}

async function protocolNumber(file: SectionFile): Promise<number> {
  return viewOf(await file.section(PROTOCOL_SECTION).read(0, 4)).getUint32(0, true);
}

/** The proof system that snarkjs writes as this number. */
export function protocolOfNumber(number: number): Protocol | undefined {
  return PROTOCOLS[number];
}

/** Reads the moduli at the beginning of a key's header: their curve, and the offset of the first byte after them. */
export async function readCurve(header: ByteSource): Promise<{ readonly curve: Curve; readonly end: number }> {
  const q = await readModulus(header, 0);
  const r = await readModulus(header, q.end);
  const curve = curveOfModuli(q.modulus, r.modulus);
  expectElementBytes(q, curve.coordinateBytes);
  expectElementBytes(r, SCALAR_BYTES);
  return { curve, end: r.end };
}

/**
 * Reads a header's points one after another from `at` on, in the boundary form and checked to be on their curves;
 * `INVALID_POINT` names one that is not.
 */
export class PointReader {
  private readonly canonical: (bytes: Uint8Array, name: string) => Uint8Array;

  constructor(
    private readonly curve: Curve,
    private readonly bytes: Uint8Array,
    private at: number,
  ) {
    this.canonical = montgomeryReader(curve);
  }

  next(group: GroupId, name: string): Uint8Array {
    const size = pointBytes(this.curve.id, group);
    const point = this.canonical(this.bytes.subarray(this.at, this.at + size), name);
    this.at += size;
    expectOnCurve(this.curve, group, point, name);
    return point;
  }

  /** As `next`; `INVALID_POINT` for infinity, too. */
  nextFinite(group: GroupId, name: string): Uint8Array {
    const point = this.next(group, name);
    if (point.every((byte) => byte === 0)) {
      throw new PippinError('INVALID_POINT', `expected ${name} as a finite point, got infinity`);
    }
    return point;
  }
}

/** `MALFORMED_FILE` unless a key has fewer public signals than variables, to which the constant one belongs. */
export function expectPublicSignals(publicSignals: number, variables: number): void {
  if (publicSignals >= variables) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected fewer public signals than variables, got ${publicSignals} of ${variables}`,
    );
  }
}

/** `MALFORMED_FILE` for a domain that is not 2^k with k in this range. */
export function expectDomain(domainSize: number, smallest: number, largest: number): void {
  const logDomain = Math.log2(domainSize);
  if (!Number.isInteger(logDomain) || logDomain < smallest || logDomain > largest) {
    const range = smallest === 0 ? `k up to ${largest}` : `k from ${smallest} to ${largest}`;
    throw new PippinError('MALFORMED_FILE', `expected a domain of 2^k, ${range}, got ${domainSize}`);
  }
}

/** `MALFORMED_FILE` unless the source has this many bytes. */
export function expectSize(source: ByteSource, size: number, what: string): void {
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

/** What a packed key begins with (docs/packed-keys.md). A .zkey begins with "zkey". */
export const PACKED_MAGIC = 'pzky';

/** Whether a source begins as a packed key does. */
export async function isPackedKey(source: ByteSource): Promise<boolean> {
  if (source.size < PACKED_MAGIC.length) return false;
  return String.fromCharCode(...(await source.read(0, PACKED_MAGIC.length))) === PACKED_MAGIC;
}
