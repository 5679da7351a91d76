import { throwIfAborted } from '../../base/abort.js';
import { joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type Curve, type GroupId, SCALAR_BYTES } from '../../curves/index.js';
import type { Protocol } from '../../proofs/parts.js';
import { type ByteSource, beginsWith, joinSources, memorySource, partOf, slicesOf } from '../byte-source.js';
import { DIGEST_BYTES, type MakeSha256 } from '../cache/sha256.js';
import { ELEMENTS_PER_ROW } from '../snarkjs/plonk-arithmetization.js';
import {
  HEADER_BYTES,
  readSectionFile,
  readSectionHeader,
  SECTION_HEADER_BYTES,
  viewOf,
  words,
  wordsOfSize,
} from '../snarkjs/section-file.js';
import { HEADER_SECTION, PACKED_MAGIC, PROTOCOL_SECTION, readCurve, readProtocol } from '../snarkjs/zkey-header.js';
import {
  METHOD,
  PACKED_VERSION,
  type PackedHeader,
  type PackedSection,
  type PackingMethod,
  PIECE_BYTES,
  START_BYTES,
} from './header.js';
import { packCoefficients } from './pack-coefficients.js';
import { packPoints } from './pack-points.js';
import { openPackedKey, type UnpackingKernels } from './packed-key.js';
import { isDomain } from './polynomials.js';

/** What a proof system's key has in its sections, by their numbers. Other sections are packed as they are. */
interface Contents {
  /** Groth16: the coefficients of the matrices. */
  readonly coefficients?: number;
  readonly points: Readonly<Record<number, GroupId>>;
  /** Polynomials with their values. */
  readonly polynomials?: readonly number[];
  readonly lagrange?: number;
  readonly interleaved?: number;
  /** The order in which a prover wants them; the other ones follow in the order of the .zkey. */
  readonly first: readonly number[];
}

const CONTENTS: Readonly<Record<Protocol, Contents>> = {
  groth16: {
    coefficients: 4,
    points: { 5: 'g1', 6: 'g1', 7: 'g2', 8: 'g1', 9: 'g1' },
    first: [1, 2, 3, 4, 6, 7, 5, 8, 9],
  },
  plonk: {
    points: { 14: 'g1' },
    polynomials: [7, 8, 9, 10, 11, 12],
    lagrange: 13,
    first: [1, 2, 14, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  },
  fflonk: {
    points: { 16: 'g1' },
    polynomials: [7, 8, 9, 10, 11, 12, 13, 14],
    lagrange: 15,
    interleaved: 17,
    first: [1, 2, 16, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  },
};

/** Where the number of elements of a universal key's domain stands behind the moduli, and after two other numbers. */
const DOMAIN_AT = 8;

export interface PackOptions {
  /** Whether points are packed as x and a sign. */
  readonly isCompressed: boolean;
  readonly kernels: UnpackingKernels;
  readonly makeSha256: MakeSha256;
  readonly signal?: AbortSignal | undefined;
  /** Called with the fraction that is done; it begins again if a section is packed in another way. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** A section of the .zkey. */
interface ZkeySection {
  readonly id: number;
  readonly place: number;
  readonly bytes: ByteSource;
}

/** A section as it is packed. */
interface Packed {
  readonly section: PackedSection;
  readonly bytes: Uint8Array;
}

/**
 * Packs a .zkey: the bytes of the packed key, in parts. What is packed is unpacked again and compared; a section that
 * would not come back as it was is packed as it is. Errors as of `readProtocol`, and `MALFORMED_FILE` for a .zkey with
 * bytes between or after its sections, or with a section twice.
 */
export async function packZkey(source: ByteSource, options: PackOptions): Promise<Uint8Array[]> {
  const protocol = await readProtocol(source);
  const sections = await sectionsOf(source);
  const header = sections.find(({ id }) => id === HEADER_SECTION);
  if (header === undefined) throw new PippinError('MALFORMED_FILE', `expected a section ${HEADER_SECTION}, got none`);
  const { curve, end } = await readCurve(header.bytes);
  const domain = viewOf(await header.bytes.read(end + DOMAIN_AT, 4)).getUint32(0, true);
  const origin = { size: source.size, sha256: await hashOf(slicesOf(source), options) };
  const asItIs = new Set<number>();
  for (;;) {
    const packed = await packSections(sections, { protocol, curve, domain, asItIs, ...options });
    const header = { ...origin, sections: packed.map(({ section }) => section) };
    const parts = [await writeHeader(header, (bytes) => hashOf([bytes], options)), ...packed.map(({ bytes }) => bytes)];
    const { zkey } = await openPackedKey(joinSources(parts.map(memorySource)), options.kernels);
    const different = await differentSections(source, zkey, sections, options);
    if (different.length === 0) return parts;
    for (const id of different) asItIs.add(id);
  }
}

/** The SHA-256 of parts; not by WebCrypto, which pages over plain HTTP lack. */
async function hashOf(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { makeSha256, signal }: Pick<PackOptions, 'makeSha256' | 'signal'>,
): Promise<Uint8Array> {
  const hash = await makeSha256();
  for await (const part of parts) {
    throwIfAborted(signal);
    hash.update(part);
  }
  return hash.digest();
}

/**
 * The bytes of a header.
 *
 * @param hashOf the SHA-256 of bytes.
 */
async function writeHeader(
  { size, sha256: hash, sections }: PackedHeader,
  hashOf: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const rows = sections.map(({ id, place, method, parameters, size, packed, hashes }) =>
    joinBytes([words(id, place, method, ...parameters, ...wordsOfSize(size), ...wordsOfSize(packed)), ...hashes]),
  );
  const length = START_BYTES + rows.reduce((sum, row) => sum + row.length, 0) + DIGEST_BYTES;
  const magic = new TextEncoder().encode(PACKED_MAGIC);
  const start = words(PACKED_VERSION, length, sections.length, ...wordsOfSize(size));
  const bytes = joinBytes([magic, start, hash, ...rows]);
  return joinBytes([bytes, await hashOf(bytes)]);
}

/** The sections in the order of the file. */
async function sectionsOf(source: ByteSource): Promise<ZkeySection[]> {
  await readSectionFile(source, 'zkey');
  const count = viewOf(await source.read(8, 4)).getUint32(0, true);
  const sections: ZkeySection[] = [];
  let at = HEADER_BYTES;
  for (let place = 0; place < count; place++) {
    const { id, size } = await readSectionHeader(source, at);
    at += SECTION_HEADER_BYTES;
    sections.push({ id, place, bytes: partOf(source, at, size) });
    at += size;
  }
  if (at !== source.size) {
    throw new PippinError('MALFORMED_FILE', `expected a .zkey of ${at} bytes, got ${source.size}`);
  }
  if (new Set(sections.map(({ id }) => id)).size !== count) {
    throw new PippinError('MALFORMED_FILE', 'expected each section of the .zkey once, got one twice');
  }
  return sections;
}

interface SectionsOptions extends PackOptions {
  readonly protocol: Protocol;
  readonly curve: Curve;
  /** Elements of the domain. */
  readonly domain: number;
  /** Sections that are packed as they are. */
  readonly asItIs: ReadonlySet<number>;
}

async function packSections(sections: readonly ZkeySection[], options: SectionsOptions): Promise<Packed[]> {
  const { first } = CONTENTS[options.protocol];
  const rank = ({ id, place }: ZkeySection): number => (first.includes(id) ? first.indexOf(id) : first.length + place);
  const infinities = new Map<number, Uint8Array>();
  const packed: Packed[] = [];
  for (const section of [...sections].sort((a, b) => rank(a) - rank(b))) {
    throwIfAborted(options.signal);
    packed.push(await packSection(section, options, infinities));
  }
  return packed;
}

/** @param infinities by the numbers of the sections that were packed; this section adds its own. */
async function packSection(
  { id, place, bytes }: ZkeySection,
  options: SectionsOptions,
  infinities: Map<number, Uint8Array>,
): Promise<Packed> {
  const { protocol, curve, domain, asItIs, isCompressed } = options;
  const { coefficients, points, polynomials = [], lagrange, interleaved } = CONTENTS[protocol];
  const packedBy = async (
    method: PackingMethod,
    parts: readonly Uint8Array[],
    parameters: readonly [number, number],
  ): Promise<Packed> => {
    const joined = joinBytes(parts);
    const hashes: Uint8Array[] = [];
    for (let at = 0; at < joined.length; at += PIECE_BYTES) {
      hashes.push(await hashOf([joined.subarray(at, at + PIECE_BYTES)], options));
    }
    const section = { id, place, method, parameters, size: bytes.size, packed: joined.length, hashes };
    return { section, bytes: joined };
  };
  const plain = async (): Promise<Packed> => packedBy(METHOD.plain, await partsOf(bytes), [0, 0]);
  if (asItIs.has(id) || id === PROTOCOL_SECTION || id === HEADER_SECTION) return plain();
  if (id === coefficients) {
    const packed = await packCoefficients(bytes);
    return packed === undefined ? plain() : packedBy(METHOD.coefficients, packed.parts, packed.parameters);
  }
  const group = points[id];
  if (group !== undefined) {
    const packed = await packPoints(bytes, { id, group, curve, isCompressed }, infinities);
    if (packed === undefined) return plain();
    if (packed.parameters[1] === id) infinities.set(id, packed.bits);
    return packedBy(isCompressed ? METHOD.compressedPoints : METHOD.points, packed.parts, packed.parameters);
  }
  if (polynomials.includes(id)) {
    const parts = await packPolynomials(bytes, domain);
    return parts === undefined ? plain() : packedBy(METHOD.evaluations, parts, [domain, 0]);
  }
  if (id === lagrange) return packedBy(METHOD.lagrange, [], [domain, 0]);
  if (id === interleaved && !polynomials.some((other) => asItIs.has(other))) {
    return packedBy(METHOD.interleaved, [], [domain, 0]);
  }
  return plain();
}

/** The coefficients of polynomials that have n of them; undefined for a section without them. */
async function packPolynomials(section: ByteSource, n: number): Promise<Uint8Array[] | undefined> {
  const row = ELEMENTS_PER_ROW * n * SCALAR_BYTES;
  if (!isDomain(n) || section.size % row !== 0) return undefined;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < section.size; at += row) parts.push(await section.read(at, n * SCALAR_BYTES));
  return parts;
}

async function partsOf(source: ByteSource): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const slice of slicesOf(source)) parts.push(slice.slice());
  return parts;
}

/** The numbers of the sections that are not the same in the .zkey and in what was unpacked. */
async function differentSections(
  source: ByteSource,
  unpacked: ByteSource,
  sections: readonly ZkeySection[],
  { signal, onProgress }: PackOptions,
): Promise<number[]> {
  const different: number[] = [];
  let at = HEADER_BYTES;
  for (const { id, bytes } of sections) {
    const start = at + SECTION_HEADER_BYTES;
    const slices = slicesOf(bytes, (fraction) => onProgress?.((start + fraction * bytes.size) / source.size));
    if (!(await isSame(slices, partOf(unpacked, start, bytes.size), signal))) different.push(id);
    at = start + bytes.size;
  }
  onProgress?.(1);
  return different;
}

async function isSame(
  section: AsyncIterable<Uint8Array>,
  unpacked: ByteSource,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return await beginsWith(unpacked, section, signal);
  } catch (error) {
    // A point that is not on its curve, or polynomials of another size.
    if (error instanceof PippinError && UNLIKE.has(error.code)) return false;
    throw error;
  }
}

/** What unpacking says of a section that is not as snarkjs writes it. */
const UNLIKE: ReadonlySet<string> = new Set(['INVALID_POINT', 'MALFORMED_FILE', 'INVALID_LENGTH', 'INVALID_SCALAR']);
