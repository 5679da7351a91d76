import { PippinError } from '../base/errors.js';
import { isObject, ownMembers } from '../base/records.js';
import { type ByteSource, expectWithin } from './byte-source.js';

/** The bytes from `start` to `end` - 1 of a file. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Which parts of a file are there, as plain data. */
export interface PartsOfFile {
  /** Bytes of the whole file. */
  readonly size: number;
  /** In ascending order; none overlap or touch. */
  readonly extents: readonly Extent[];
}

/** A file of which only some parts are there. Reading anything else fails: `MALFORMED_FILE`. */
export class PartialFile implements ByteSource {
  readonly size: number;
  name?: string | undefined;

  /** @param contents the parts one after another. */
  constructor(
    readonly parts: PartsOfFile,
    readonly contents: ByteSource,
  ) {
    this.size = parts.size;
  }

  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    expectWithin(this.size, offset, length);
    let before = 0;
    for (const { start, end } of this.parts.extents) {
      if (start <= offset && offset + length <= end) return this.contents.read(before + offset - start, length);
      before += end - start;
    }
    throw new PippinError(
      'MALFORMED_FILE',
      `expected bytes of the parts of the file that were fetched, got ${length} bytes from byte ${offset} on`,
    );
  }
}

/** The bytes of all extents. */
export function bytesOfExtents(extents: readonly Extent[]): number {
  return extents.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Extents in ascending order without overlaps, and without gaps of at most `gap` bytes between them. */
export function mergeExtents(extents: readonly Extent[], gap = 0): Extent[] {
  const merged: Extent[] = [];
  for (const next of [...extents].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (next.end <= next.start) continue;
    if (last === undefined || next.start > last.end + gap) merged.push(next);
    else if (next.end > last.end) merged[merged.length - 1] = { start: last.start, end: next.end };
  }
  return merged;
}

/** What of an extent is in none of the others, which are as `mergeExtents` gives them. */
export function withoutExtents({ start, end }: Extent, others: readonly Extent[]): Extent[] {
  const left: Extent[] = [];
  let from = start;
  for (const other of others) {
    if (other.end <= from) continue;
    if (other.start >= end) break;
    if (other.start > from) left.push({ start: from, end: other.start });
    from = other.end;
  }
  if (from < end) left.push({ start: from, end });
  return left;
}

/** Parts as a storage gave them; undefined unless they are such parts, and have `bytes` bytes together. */
export function checkedParts(value: unknown, bytes: number): PartsOfFile | undefined {
  const { size, extents } = ownMembers(value);
  if (!Number.isSafeInteger(size) || !Array.isArray(extents) || !extents.every(isExtent)) return undefined;
  const merged = mergeExtents(extents);
  const areMerged = JSON.stringify(merged) === JSON.stringify(extents.map(({ start, end }) => ({ start, end })));
  const fits = areMerged && bytesOfExtents(merged) === bytes && (merged.at(-1)?.end ?? 0) <= (size as number);
  return fits ? { size: size as number, extents: merged } : undefined;
}

function isExtent(value: unknown): value is Extent {
  if (!isObject(value)) return false;
  const { start, end } = ownMembers(value);
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && (start as number) >= 0;
}
