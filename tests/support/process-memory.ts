import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { bigintToBytes } from '../../sdk/base/bytes.js';
import { SCALAR_BYTES } from '../../sdk/curves/index.js';
import { MarkFinder } from './mark-finder.js';

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1 << 22;
/** Bytes of a page, and of its entry in a process's page map (Linux, Documentation/admin-guide/mm/pagemap.rst). */
const PAGE_BYTES = 4096;
const ENTRY_BYTES = 8;

/** A value to be found, in one of its forms. */
export interface Mark {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Nodes to try: this one, and others that are named in the environment. */
export const NODES = [process.execPath, ...(process.env.PIPPIN_OTHER_NODES?.split(':') ?? [])];

/** A scalar below r in the forms in which it might be in memory. */
export function marksOf(name: string, value: bigint, r: bigint): Mark[] {
  const text = (form: string) => new TextEncoder().encode(form);
  const bytes = bigintToBytes(value, SCALAR_BYTES);
  return [
    { name: `${name}, canonical`, bytes },
    { name: `${name}, big-endian`, bytes: bytes.toReversed() },
    { name: `${name}, negative`, bytes: bigintToBytes(r - value, SCALAR_BYTES) },
    { name: `${name}, Montgomery 2^256`, bytes: bigintToBytes((value << 256n) % r, SCALAR_BYTES) },
    { name: `${name}, Montgomery 2^260`, bytes: bigintToBytes((value << 260n) % r, SCALAR_BYTES) },
    { name: `${name}, decimal`, bytes: text(String(value)) },
    { name: `${name}, hexadecimal`, bytes: text(value.toString(16)) },
  ];
}

/**
 * Whether the memory of other processes of this user can be read here: on Linux, for children of this process at least.
 */
export function canReadMemory(): boolean {
  return process.platform === 'linux';
}

/** How often each mark is in the memory of a process, by its name; marks that are not there are left out. */
export function countInMemory(pid: number, marks: readonly Mark[]): Record<string, number> {
  const finder = new MarkFinder(marks);
  /** Marks at the end of a chunk are counted in the next one, which begins there. */
  const step = CHUNK_BYTES - 4 * Math.ceil(finder.longest / 4);
  const counts: Record<string, number> = {};
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (const { from, to } of presentRegions(pid)) {
      for (let at = from; at < to; at += step) {
        const length = readAt(memory, chunk, at, Math.min(CHUNK_BYTES, to - at));
        finder.find(chunk.subarray(0, length), ({ name }, place) => {
          if (place < step) counts[name] = (counts[name] ?? 0) + 1;
        });
      }
    }
  } finally {
    closeSync(memory);
  }
  return counts;
}

/** The regions of a process that it can write to. */
function writtenRegions(pid: number): { from: number; to: number }[] {
  const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    return from === undefined ? [] : [{ from: Number.parseInt(from, 16), to: Number.parseInt(to!, 16) }];
  });
}

/** The parts of these regions that have been used: a process may have set aside gigabytes. */
function presentRegions(pid: number): { from: number; to: number }[] {
  const pagemap = openSync(`/proc/${pid}/pagemap`, 'r');
  try {
    return writtenRegions(pid).flatMap(({ from, to }) => {
      const entries = Buffer.alloc(((to - from) / PAGE_BYTES) * ENTRY_BYTES);
      readAt(pagemap, entries, (from / PAGE_BYTES) * ENTRY_BYTES, entries.length);
      const present: { from: number; to: number }[] = [];
      for (let page = from, at = 0; page < to; page += PAGE_BYTES, at += ENTRY_BYTES) {
        // The highest two bits: in memory, or swapped out.
        if (entries[at + ENTRY_BYTES - 1]! < 0x40) continue;
        const before = present.at(-1);
        if (before?.to === page) before.to += PAGE_BYTES;
        else present.push({ from: page, to: page + PAGE_BYTES });
      }
      return present;
    });
  } finally {
    closeSync(pagemap);
  }
}

/** Reads what can be read; a region may be gone by now. */
function readAt(memory: number, target: Buffer, at: number, length: number): number {
  try {
    return readSync(memory, target, 0, length, at);
  } catch {
    return 0;
  }
}
