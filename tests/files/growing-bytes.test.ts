import { describe, expect, it } from 'vitest';
import { GrowingBytes, MEMORY_BYTES } from '../../sdk/files/growing-bytes.js';

const MB = 2 ** 20;

/** Bytes that differ from place to place. */
const pieces = (count: number): Uint8Array<ArrayBuffer>[] =>
  Array.from({ length: count }, (_, i) => new Uint8Array(MB + 1).fill(i + 1));

describe('GrowingBytes', () => {
  it.each([
    ['in memory', 3],
    ['as a Blob', MEMORY_BYTES / MB + 6],
  ])('gives what has come so far %s', async (_, count) => {
    const grown = new GrowingBytes();
    expect(grown.source().size).toBe(0);
    const all = pieces(count);
    for (const [i, piece] of all.entries()) {
      grown.append(piece);
      const source = grown.source();
      expect([grown.size, source.size, grown.blob().size]).toEqual([grown.size, grown.size, grown.size]);
      const [from, length] = [Math.max(0, i - 1) * (MB + 1), Math.min(grown.size, 2 * (MB + 1))];
      const read = await source.read(from, length);
      expect([read[0], read.at(-1), read.length]).toEqual([Math.max(1, i), i + 1, length]);
    }
    const source = grown.source();
    expect(Buffer.compare(await source.read(0, grown.size), Buffer.concat(all))).toBe(0);
    expect(Buffer.compare(new Uint8Array(await grown.blob().arrayBuffer()), Buffer.concat(all))).toBe(0);
    await expect(source.read(grown.size, 1)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
  });
});
