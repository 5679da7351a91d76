import { describe, expect, it } from 'vitest';
import { bigintToBytes } from '../../../../sdk/base/bytes.js';
import { bn254 } from '../../../../sdk/curves/index.js';
import { cutPieces, spansOf } from '../../../../sdk/executors/gpu/polynomials/gpu-constraints.js';
import { Pauses } from '../../../../sdk/executors/gpu/polynomials/pauses.js';
import {
  DistinctElements,
  MAX_PIECE,
  type Pieces,
  sortConstraints,
} from '../../../../sdk/executors/gpu/polynomials/sorted-constraints.js';
import { Random } from '../../../support/random.js';
import { type Entry, sectionOf } from './section.js';

const FACTS = { domainSize: 16, variables: 2000 } as const;
const random = new Random(3);

/** Rows of matrix A with the given numbers of entries, shuffled. */
function entriesOf(lengths: Readonly<Record<number, number>>): Entry[] {
  const entries = Object.entries(lengths).flatMap(([row, length]) =>
    Array.from({ length }, (_, signal) => ({ matrix: 0, row: Number(row), signal, coefficient: BigInt(signal % 5) })),
  );
  for (let i = entries.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [entries[i], entries[j]] = [entries[j]!, entries[i]!];
  }
  return entries;
}

function sort(section: Uint8Array, signal?: AbortSignal) {
  return sortConstraints('bn254', section, FACTS, new Pauses(signal));
}

/** Each piece with its elements: where it begins, where it ends, and where its sum goes. */
function listed({ count, words }: Pieces): [begin: number, end: number, target: number][] {
  return Array.from({ length: count }, (_, i) => [words[2 * i]!, words[2 * i + 2]!, words[2 * i + 1]!]);
}

describe('sorted constraints', () => {
  it('have rows by falling length, and long rows in several pieces', async () => {
    const lengths = { 0: 1, 3: 2, 5: MAX_PIECE, 6: 1, 9: MAX_PIECE + 1, 11: 1500, 12: 2 };
    const entries = entriesOf(lengths);
    const { matrices, coefficients } = await sort(sectionOf('bn254', entries));
    const [a, b] = matrices;
    expect(listed(a.rows).map(([begin, end, row]) => [row, end - begin])).toEqual([
      [5, MAX_PIECE],
      [3, 2],
      [12, 2],
      [0, 1],
      [6, 1],
    ]);
    const pieces = listed(a.longPieces);
    expect(pieces.map(([, , partial]) => partial)).toEqual(pieces.map((_, i) => i));
    expect(listed(a.joins).map(([begin, end, row]) => [row, end - begin])).toEqual([
      [11, Math.ceil(1500 / MAX_PIECE)],
      [9, 2],
    ]);
    expect(coefficients.length).toBe(5 * 8);
    const rowOfEntry = new Map<number, number>();
    for (const [begin, end, row] of listed(a.rows)) for (let e = begin; e < end; e++) rowOfEntry.set(e, row);
    for (const [first, last, row] of listed(a.joins)) {
      for (let e = pieces[first]![0]; e < pieces[last - 1]![1]; e++) rowOfEntry.set(e, row);
    }
    const name = (row: number, signal: number): string => `${row} ${signal}`;
    const got = [...rowOfEntry].map(([e, row]) => name(row, a.entries[2 * e]!));
    expect(got.toSorted()).toEqual(entries.map(({ row, signal }) => name(row, signal)).toSorted());
    expect(b.rows.count + b.longPieces.count + b.entries.length).toBe(0);
  });

  it('cut long rows so that neither sums nor sums of sums are long', async () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => ({ matrix: 1, row: 2, signal: i % 7, coefficient: 1n }));
    const [, b] = (await sort(sectionOf('bn254', entries))).matrices;
    expect(listed(b.longPieces).map(([begin, end]) => end - begin)).toEqual(Array(100).fill(100));
    expect(listed(b.joins)).toEqual([[0, 100, 2]]);
  });

  it('take a section that does not begin at a whole word', async () => {
    const section = sectionOf('bn254', entriesOf({ 1: 3 }));
    const moved = new Uint8Array(section.length + 1);
    moved.set(section, 1);
    expect((await sort(moved.subarray(1))).coefficients).toEqual((await sort(section)).coefficients);
  });

  it('reject entries that the system does not have', async () => {
    const good: Entry = { matrix: 0, row: 0, signal: 0, coefficient: 1n };
    for (const bad of [{ matrix: 2 }, { row: 16 }, { signal: 2000 }]) {
      await expect(sort(sectionOf('bn254', [good, { ...good, ...bad }]))).rejects.toMatchObject({
        code: 'MALFORMED_FILE',
        message: expect.stringContaining('coefficient 1 '),
      });
    }
    const large = sectionOf('bn254', [good]);
    large.set(bigintToBytes(bn254.fr.modulus, 32), 12);
    await expect(sort(large)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    large.set(bigintToBytes(bn254.fr.modulus - 1n, 32), 12);
    await expect(sort(large)).resolves.toBeDefined();
    await expect(sort(large.subarray(1))).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    await expect(sort(large, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('distinct elements', () => {
  it('are numbered in the order of their coming', () => {
    const elements = new DistinctElements();
    const values = Array.from({ length: 5000 }, (_, i) =>
      Uint32Array.from({ length: 8 }, (_, w) => (i * (w + 1)) % 3001),
    );
    const numbers = values.map((value) => elements.add(value, 0));
    expect(numbers).toEqual(values.map((_, i) => i % 3001));
    expect(elements.words).toEqual(Uint32Array.from(values.slice(0, 3001).flatMap((value) => [...value])));
    expect(new DistinctElements().words.length).toBe(0);
  });
});

describe('pieces', () => {
  const lengths = [...Array(1500).fill(40), ...Array(2000).fill(3), ...Array(700).fill(1)] as number[];
  const words = new Uint32Array(2 * lengths.length + 2);
  for (const [i, length] of lengths.entries()) {
    words[2 * i + 1] = 7 * i;
    words[2 * i + 2] = words[2 * i]! + length;
  }
  const pieces: Pieces = { count: lengths.length, words };

  it('are cut into runs that fit their buffers', () => {
    for (const bytes of [8 * 41, 8 * 1000, 8 * 100_000]) {
      let next = 0;
      let entry = 0;
      for (const cut of cutPieces(pieces, bytes)) {
        expect(cut.from).toBe(entry);
        expect(8 * (cut.to - cut.from)).toBeLessThanOrEqual(bytes);
        expect(cut.pieces.words.byteLength).toBeLessThanOrEqual(bytes);
        const expected = listed(pieces)
          .slice(next, next + cut.pieces.count)
          .map(([begin, end, target]) => [begin - entry, end - entry, target]);
        expect(listed(cut.pieces)).toEqual(expected);
        next += cut.pieces.count;
        entry = cut.to;
      }
      expect([next, entry]).toEqual([pieces.count, words.at(-2)]);
    }
    expect(cutPieces({ count: 0, words: new Uint32Array(2) }, 1000)).toEqual([]);
  });

  it('go together in spans of similar length', () => {
    const spans = spansOf(pieces);
    expect(spans.map(({ from, to }) => [from, to])).toEqual([
      [0, 2048],
      [2048, 4096],
      [4096, 4200],
    ]);
    expect(spans.at(-1)!.length).toBe(1);
    expect(spansOf({ count: 0, words: new Uint32Array(2) })).toEqual([]);
  });
});
