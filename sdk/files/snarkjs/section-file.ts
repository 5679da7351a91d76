import { PippinError } from '../../base/errors.js';
import { type ByteSource, partOf } from '../byte-source.js';
import { fileHint } from '../file-hint.js';

export const HEADER_BYTES = 12;
export const SECTION_HEADER_BYTES = 12;
/** More sections than any file of the formats read here has; a larger number is a damaged file. */
const MAX_SECTIONS = 64;

/** The sections of a binary file, by number. */
export interface SectionFile {
  readonly version: number;
  has(id: number): boolean;
  /** `MALFORMED_FILE` when the file has no such section, or more than one. */
  section(id: number): ByteSource;
}

/**
 * Reads the table of iden3's binary container: a magic word of 4 characters, version and number of sections (u32), then
 * for each section its number (u32), its size (u64) and its bytes; all little-endian. Only the table is read here.
 */
export async function readSectionFile(source: ByteSource, magic: string): Promise<SectionFile> {
  const header = await source.read(0, Math.min(HEADER_BYTES, source.size));
  const found = String.fromCharCode(...header.subarray(0, 4));
  if (header.length < HEADER_BYTES || found !== magic) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected a file that begins with "${magic}", got "${printable(found)}" (${source.size} bytes)`,
      fileHint(header),
    );
  }
  const view = viewOf(header);
  const version = view.getUint32(4, true);
  const count = view.getUint32(8, true);
  if (count > MAX_SECTIONS)
    throw new PippinError('MALFORMED_FILE', `expected at most ${MAX_SECTIONS} sections, got ${count}`);
  const sections = new Map<number, ByteSource[]>();
  let offset = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    if (offset + SECTION_HEADER_BYTES > source.size) {
      throw truncated(magic, `${count} sections`, `its section ${i + 1} at byte ${offset}`, source.size);
    }
    const { id, size } = await readSectionHeader(source, offset);
    offset += SECTION_HEADER_BYTES;
    if (size > source.size - offset) {
      throw truncated(
        magic,
        `a section ${id} of ${size} bytes`,
        `it after ${source.size - offset} of them`,
        source.size,
      );
    }
    sections.set(id, [...(sections.get(id) ?? []), partOf(source, offset, size)]);
    offset += size;
  }
  return {
    version,
    has: (id) => sections.has(id),
    section(id) {
      const [section, second] = sections.get(id) ?? [];
      if (section === undefined || second !== undefined) {
        const got = section === undefined ? 'none' : 'more than one';
        throw new PippinError('MALFORMED_FILE', `expected one section ${id} in the "${magic}" file, got ${got}`);
      }
      return section;
    },
  };
}

/** What stands before a section. A size beyond 2^53 is rounded, but is still larger than any file. */
export async function readSectionHeader(
  source: ByteSource,
  offset: number,
): Promise<{ readonly id: number; readonly size: number }> {
  const header = viewOf(await source.read(offset, SECTION_HEADER_BYTES));
  return { id: header.getUint32(0, true), size: header.getUint32(4, true) + header.getUint32(8, true) * 2 ** 32 };
}

/** A view of exactly these bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Numbers as u32, little-endian. */
export function words(...values: number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * values.length);
  const view = viewOf(bytes);
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value, true);
  return bytes;
}

/** A size as two u32. */
export function wordsOfSize(size: number): [number, number] {
  return [size % 2 ** 32, Math.floor(size / 2 ** 32)];
}

/** What a section begins with: its number, and the bytes that follow. */
export function sectionHead(id: number, size: number): Uint8Array<ArrayBuffer> {
  return words(id, ...wordsOfSize(size));
}

function truncated(magic: string, expected: string, ends: string, size: number): PippinError {
  return new PippinError(
    'MALFORMED_FILE',
    `expected ${expected} in the "${magic}" file, got a file of ${size} bytes that ends before ${ends}`,
  );
}

/** The text with characters that cannot be printed replaced, for messages. */
export function printable(text: string): string {
  return text.replace(/[^ -~]/g, '?');
}
