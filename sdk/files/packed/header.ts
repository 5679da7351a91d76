import { PippinError } from '../../base/errors.js';
import type { ByteSource } from '../byte-source.js';
import { canHash, DIGEST_BYTES, sha256, toHex } from '../cache/sha256.js';
import { MAX_KEY_BYTES } from '../downloads.js';
import { printable, viewOf } from '../snarkjs/section-file.js';
import { PACKED_MAGIC } from '../snarkjs/zkey-header.js';

export const PACKED_VERSION = 1;

/** How a section is packed, by its number in the file. docs/packed-keys.md describes each. */
export const METHOD = {
  plain: 0,
  points: 1,
  compressedPoints: 2,
  coefficients: 3,
  evaluations: 4,
  lagrange: 5,
  interleaved: 6,
} as const;
export type PackingMethod = (typeof METHOD)[keyof typeof METHOD];

/** Bytes of a section that have a hash together. */
export const PIECE_BYTES = 2 ** 18;

export const START_BYTES = 56;
const ROW_BYTES = 36;
/** As many as a .zkey may have. */
const MAX_SECTIONS = 64;
/** A header of a file of 2^33 bytes is smaller. */
const MAX_HEADER_BYTES = 2 ** 21;

/** A section of a packed key. */
export interface PackedSection {
  /** Its number in the .zkey. */
  readonly id: number;
  /** How many sections stand before it in the .zkey. */
  readonly place: number;
  readonly method: PackingMethod;
  /** Two numbers whose meaning depends on the method. */
  readonly parameters: readonly [number, number];
  /** Its bytes in the .zkey, without what stands before it. */
  readonly size: number;
  /** Its bytes in this file. */
  readonly packed: number;
  /** The SHA-256 of each `PIECE_BYTES` of these; the last piece may be shorter. */
  readonly hashes: readonly Uint8Array[];
}

/** What stands before the sections. */
export interface PackedHeader {
  /** Bytes of the .zkey. */
  readonly size: number;
  /** The SHA-256 of the .zkey. */
  readonly sha256: Uint8Array;
  /** In the order of this file. */
  readonly sections: readonly PackedSection[];
}

/**
 * Reads and checks a header: `MALFORMED_FILE` for one that contradicts itself or the file's size, `UNSUPPORTED_FORMAT`
 * for another version.
 *
 * @returns the header, and the offset of the first section.
 */
export async function readHeader(source: ByteSource): Promise<{ readonly header: PackedHeader; readonly end: number }> {
  const start = await source.read(0, Math.min(START_BYTES, source.size));
  const magic = String.fromCharCode(...start.subarray(0, 4));
  if (start.length < START_BYTES || magic !== PACKED_MAGIC) {
    throw malformedPackedKey(
      `a file that begins with "${PACKED_MAGIC}"`,
      `"${printable(magic)}" (${source.size} bytes)`,
    );
  }
  const view = viewOf(start);
  const version = view.getUint32(4, true);
  if (version !== PACKED_VERSION) {
    throw new PippinError(
      'UNSUPPORTED_FORMAT',
      `expected a packed key of version ${PACKED_VERSION}, got version ${version}`,
      { hint: 'pack the .zkey again, or update the package' },
    );
  }
  const end = view.getUint32(8, true);
  const count = view.getUint32(12, true);
  if (count > MAX_SECTIONS) throw malformedPackedKey(`at most ${MAX_SECTIONS} sections`, `${count}`);
  const most = Math.min(source.size, MAX_HEADER_BYTES);
  if (end < START_BYTES + DIGEST_BYTES || end > most)
    throw malformedPackedKey(`a header of at most ${most} bytes`, `${end}`);
  const bytes = await source.read(0, end);
  await expectHash(bytes.subarray(0, end - DIGEST_BYTES), bytes.subarray(end - DIGEST_BYTES), 'the header');
  const header = { size: sizeAt(view, 16), sha256: bytes.slice(24, START_BYTES), sections: sectionsOf(bytes, count) };
  expectSizes(header, source.size - end);
  return { header, end };
}

function sectionsOf(bytes: Uint8Array, count: number): PackedSection[] {
  const view = viewOf(bytes);
  const end = bytes.length - DIGEST_BYTES;
  const sections: PackedSection[] = [];
  let at = START_BYTES;
  for (let i = 0; i < count; i++) {
    if (at + ROW_BYTES > end)
      throw malformedPackedKey(`${count} sections in the header`, `its end before section ${i + 1}`);
    const [id, place, method, first, second] = [0, 4, 8, 12, 16].map((offset) => view.getUint32(at + offset, true));
    const packed = sizeAt(view, at + 28);
    const pieces = Math.ceil(packed / PIECE_BYTES);
    const hashesAt = at + ROW_BYTES;
    at = hashesAt + pieces * DIGEST_BYTES;
    if (at > end) throw malformedPackedKey(`${pieces} hashes of section ${id}`, 'the end of the header');
    sections.push({
      id: id!,
      place: place!,
      method: expectMethod(method!, id!),
      parameters: [first!, second!],
      size: sizeAt(view, hashesAt - 16),
      packed,
      hashes: Array.from({ length: pieces }, (_, piece) =>
        bytes.slice(hashesAt + piece * DIGEST_BYTES, hashesAt + (piece + 1) * DIGEST_BYTES),
      ),
    });
  }
  if (at !== end)
    throw malformedPackedKey(`a header of ${at + DIGEST_BYTES} bytes for ${count} sections`, `${bytes.length}`);
  return sections;
}

/** All sizes must add up, each place and each number be there once, and the .zkey be no larger than any may be. */
function expectSizes({ size, sections }: PackedHeader, body: number): void {
  const packed = sections.reduce((sum, section) => sum + section.packed, 0);
  if (packed !== body) throw malformedPackedKey(`${packed} bytes of sections after the header`, `${body}`);
  const whole = sections.reduce((sum, section) => sum + 12 + section.size, 12);
  if (whole !== size) throw malformedPackedKey(`sections of a .zkey of ${size} bytes`, `ones of ${whole} bytes`);
  if (size > MAX_KEY_BYTES) throw malformedPackedKey(`a .zkey of at most ${MAX_KEY_BYTES} bytes`, `one of ${size}`);
  const places = new Set(sections.map(({ place }) => place));
  if (places.size !== sections.length || sections.some(({ place }) => place >= sections.length)) {
    throw malformedPackedKey(`the places 0 to ${sections.length - 1} of sections, each once`, 'others');
  }
  if (new Set(sections.map(({ id }) => id)).size !== sections.length) {
    throw malformedPackedKey('each section once', 'one twice');
  }
}

function expectMethod(method: number, id: number): PackingMethod {
  if ((Object.values(METHOD) as number[]).includes(method)) return method as PackingMethod;
  throw new PippinError('UNSUPPORTED_FORMAT', `expected section ${id} packed by a known method, got method ${method}`, {
    hint: 'update the package',
  });
}

/** `MALFORMED_FILE` unless the bytes have this hash. Not checked on pages over plain HTTP, which have no WebCrypto. */
export async function expectHash(bytes: Uint8Array, expected: Uint8Array, what: string): Promise<void> {
  if (!canHash()) return;
  const got = toHex(await sha256(bytes));
  if (got === toHex(expected)) return;
  throw new PippinError(
    'MALFORMED_FILE',
    `expected ${what} of the packed key with the SHA-256 ${toHex(expected)}, got ${got}`,
    { hint: 'the file was damaged on its way: load it again' },
  );
}

/** The error of a packed key that is not as it should be. */
export function malformedPackedKey(expected: string, got: string): PippinError {
  return new PippinError('MALFORMED_FILE', `expected ${expected} in the packed key, got ${got}`);
}

/** Copies to a read of a section from byte `offset` on what it has of a part that begins at byte `at`. */
export function copyPart(read: Uint8Array, offset: number, part: Uint8Array, at: number): void {
  const from = Math.max(offset, at);
  const to = Math.min(offset + read.length, at + part.length);
  if (from < to) read.set(part.subarray(from - at, to - at), from - offset);
}

function sizeAt(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}
