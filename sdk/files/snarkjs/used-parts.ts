import { PippinError } from '../../base/errors.js';
import { type CurveId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { ADDITION_BYTES } from '../../polynomials/polynomials.js';
import { type ByteSource, partOf } from '../byte-source.js';
import { checkedParts, type Extent, PartialFile } from '../partial-file.js';
import { fetchParts, type UsedParts } from '../url-parts.js';
import type { FetchOptions } from '../url-request.js';
import type { FetchedFile } from '../url-source.js';
import type { UrlVersion } from '../url-version.js';
import { KEY_CURVES } from './known-curves.js';
import { ELEMENTS_PER_ROW, FACTS_BYTES, type PlonkKeyFacts, readFacts } from './plonk-arithmetization.js';
import { HEADER_BYTES, readSectionHeader, SECTION_HEADER_BYTES, viewOf } from './section-file.js';
import { HEADER_SECTION, PROTOCOL_SECTION, protocolOfNumber, readCurve } from './zkey-header.js';

/** The section that snarkjs writes first into a PLONK key. */
const FIRST_OF_PLONK = 3;
/** Bytes at the end of a file that have the longest header, with what stands before it. */
const LAST_BYTES = 2 ** 11;
/** Bytes of the moduli and facts at the beginning of a header. */
const headStartBytes = (coordinateBytes: number): number => 4 + coordinateBytes + 4 + SCALAR_BYTES + FACTS_BYTES;
/** k1, k2, eight points of G1 and one of G2. */
const plonkHeaderBytes = (coordinateBytes: number): number =>
  headStartBytes(coordinateBytes) + 2 * SCALAR_BYTES + (8 * 2 + 4) * coordinateBytes;
/** k1, k2, four roots of unity, a point of G2 and one of G1. */
const fflonkHeaderBytes = (coordinateBytes: number): number =>
  headStartBytes(coordinateBytes) + 6 * SCALAR_BYTES + (4 + 2) * coordinateBytes;

/** A section as snarkjs writes it. */
interface ExpectedSection {
  readonly id: number;
  readonly size: number;
  /** What is used of it, from the section's first byte. */
  readonly used: readonly Extent[];
}

/**
 * Fetches what is used of the key at a URL: a PLONK or FFLONK key without its evaluations and Lagrange polynomials (22%
 * and 37% of a file with one public signal), as far as its server knows ranges; any other file as a whole. undefined if
 * it is the kept one. Errors as of `fetchFile`.
 */
export function fetchUsedParts(
  url: string,
  isKept: (version: UrlVersion) => Promise<boolean>,
  options: FetchOptions,
): Promise<FetchedFile | undefined> {
  return fetchParts(url, { partsOf: usedParts, isKept }, options);
}

/** The parts of a file that were kept; undefined if what the storage says of them cannot be. */
export function keptParts(contents: ByteSource, parts: unknown): PartialFile | undefined {
  const checked = checkedParts(parts, contents.size);
  return checked && new PartialFile(checked, contents);
}

/**
 * The parts that a prover uses of a PLONK or FFLONK key whose sections stand as snarkjs writes them; undefined for any
 * other file. The first and the last bytes of the file tell, since snarkjs writes the header last: its section 2 is of
 * one size for a proof system and a curve, and from it follow the sizes of all other sections. The parts begin with
 * what stands before each section, so that the table of sections can be read, too.
 */
export async function usedParts(file: ByteSource): Promise<UsedParts | undefined> {
  const sections = await expectedSections(file).catch((error: unknown) => {
    if (error instanceof PippinError) return undefined;
    throw error;
  });
  if (sections === undefined) return undefined;
  const extents: Extent[] = [{ start: 0, end: HEADER_BYTES }];
  let at = HEADER_BYTES;
  const places = sections.map(({ id, size, used }) => {
    const header = at;
    const body = header + SECTION_HEADER_BYTES;
    at = body + size;
    extents.push({ start: header, end: body });
    extents.push(...used.map((part) => ({ start: body + part.start, end: body + part.end })));
    return { id, size, header };
  });
  if (at !== file.size) return undefined;
  return {
    extents,
    async fit(fetched) {
      const headers = await Promise.all(places.map(({ header }) => readSectionHeader(fetched, header)));
      return headers.every(({ id, size }, i) => id === places[i]!.id && size === places[i]!.size);
    },
  };
}

/** The sections in the order of the file; undefined for other protocols. Malformed files are errors. */
async function expectedSections(file: ByteSource): Promise<readonly ExpectedSection[] | undefined> {
  const count = viewOf(await file.read(8, 4)).getUint32(0, true);
  const { id: first } = await readSectionHeader(file, HEADER_BYTES);
  const isPlonk = first === FIRST_OF_PLONK;
  const number = viewOf(await file.read(HEADER_BYTES + SECTION_HEADER_BYTES, 4)).getUint32(0, true);
  if (!isPlonk && (first !== PROTOCOL_SECTION || protocolOfNumber(number) !== 'fflonk')) return undefined;
  const last = partOf(file, Math.max(0, file.size - LAST_BYTES), Math.min(LAST_BYTES, file.size));
  // Read at once; the parts of it are there then.
  await last.read(0, last.size);
  const header = await headerAtEnd(file, isPlonk ? plonkHeaderBytes : fflonkHeaderBytes);
  if (header === undefined) return undefined;
  const { curve, end } = await readCurve(header);
  const facts = readFacts(await header.read(end, header.size - end), curve);
  const protocol = whole(PROTOCOL_SECTION, 4);
  const own = whole(HEADER_SECTION, header.size);
  const sections = isPlonk
    ? [...plonkSections(curve.id, facts), protocol, own]
    : [protocol, ...fflonkSections(curve.id, facts), own];
  return sections.length === count ? sections : undefined;
}

/** The last section of a file, if it is a header of the size over a curve. */
async function headerAtEnd(
  file: ByteSource,
  bytesOver: (coordinateBytes: number) => number,
): Promise<ByteSource | undefined> {
  for (const { coordinateBytes } of KEY_CURVES) {
    const size = bytesOver(coordinateBytes);
    const body = file.size - size;
    if (body < HEADER_BYTES + SECTION_HEADER_BYTES) continue;
    const header = await readSectionHeader(file, body - SECTION_HEADER_BYTES);
    if (header.id === HEADER_SECTION && header.size === size) return partOf(file, body, size);
  }
  return undefined;
}

/** See plonk-zkey.ts. */
function plonkSections(curve: CurveId, facts: PlonkKeyFacts): ExpectedSection[] {
  return [
    ...wiring(facts),
    ...[7, 8, 9, 10, 11].map((id) => coefficients(id, facts)),
    coefficients(12, facts, 3),
    unused(13, facts, Math.max(1, facts.publicSignals)),
    whole(14, (facts.domainSize + 6) * pointBytes(curve, 'g1')),
  ];
}

/** See fflonk-zkey.ts. C0 has the coefficients of the polynomials once more. */
function fflonkSections(curve: CurveId, facts: PlonkKeyFacts): ExpectedSection[] {
  return [
    ...wiring(facts),
    ...[7, 8, 9, 10, 11, 12, 13, 14].map((id) => coefficients(id, facts)),
    unused(15, facts, Math.max(1, facts.publicSignals)),
    whole(16, (9 * facts.domainSize + 18) * pointBytes(curve, 'g1')),
    { id: 17, size: 8 * facts.domainSize * SCALAR_BYTES, used: [] },
  ];
}

function wiring({ additions, constraints }: PlonkKeyFacts): ExpectedSection[] {
  return [whole(3, additions * ADDITION_BYTES), ...[4, 5, 6].map((id) => whole(id, 4 * constraints))];
}

function whole(id: number, size: number): ExpectedSection {
  return { id, size, used: [{ start: 0, end: size }] };
}

/** `count` polynomials, of which the coefficients alone are used, and not the evaluations that follow each. */
function coefficients(id: number, { domainSize }: PlonkKeyFacts, count = 1): ExpectedSection {
  const own = domainSize * SCALAR_BYTES;
  const row = ELEMENTS_PER_ROW * own;
  const used = Array.from({ length: count }, (_, i) => ({ start: i * row, end: i * row + own }));
  return { id, size: count * row, used };
}

/** `count` polynomials of which nothing is used. */
function unused(id: number, facts: PlonkKeyFacts, count: number): ExpectedSection {
  return { ...coefficients(id, facts, count), used: [] };
}
