import { beforeAll, describe, expect, it } from 'vitest';
import { joinBytes } from '../../../sdk/base/bytes.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { readZkey } from '../../../sdk/files/snarkjs/zkey.js';
import { joinZkeyChunks } from '../../../sdk/files/snarkjs/zkey-chunks.js';
import { MAKING_TIMEOUT, testCircuit } from '../../support/circuits.js';
import { type Failure, failureOf, patched, sectionsOf, u32, zkeyChunks } from '../../support/section-bytes.js';

let zkey: Uint8Array;
let chunks: Uint8Array[];
beforeAll(async () => {
  ({ zkey } = await testCircuit('chain'));
  chunks = zkeyChunks(zkey);
}, MAKING_TIMEOUT);

const join = (list: readonly Uint8Array[]) => joinZkeyChunks(list.map(memorySource));
const failure = (list: readonly Uint8Array[]): Promise<Failure> => failureOf(() => join(list));

describe('the chunks of a key', () => {
  it('make the key again, in any order, with or without the history of the ceremony', async () => {
    expect(chunks.length).toBe(10);
    const whole = await readZkey(memorySource(zkey));
    for (const list of [chunks, chunks.toReversed(), [...chunks.slice(4), ...chunks.slice(0, 4)], chunks.slice(0, 9)]) {
      const source = await join(list);
      const bytes = await source.read(0, source.size);
      const sections = [...sectionsOf(zkey)].sort(([a], [b]) => a - b).slice(0, list.length);
      expect(sectionsOf(bytes)).toEqual(sections);
      const { facts, points, vectors } = await readZkey(source);
      expect({ facts, points }).toEqual({ facts: whole.facts, points: whole.points });
      for (const part of ['A', 'B1', 'B2', 'C', 'H'] as const) {
        const read = ({ bytes: vector }: (typeof vectors)[typeof part]) => vector.read(0, vector.size);
        expect(await read(vectors[part])).toEqual(await read(whole.vectors[part]));
      }
    }
  });

  it('may have 4 GiB and more', async () => {
    const size = 2 ** 33 + 2 ** 32 + 5;
    const header = joinBytes([chunks[9]!.subarray(0, 12), u32(5), u32(3)]);
    const huge = {
      size: 20 + size,
      read: async (offset: number, length: number) => header.slice(offset, offset + length),
    };
    const source = await joinZkeyChunks([...chunks.slice(0, 9).map(memorySource), huge]);
    expect(await source.read(source.size - size - 12, 12)).toEqual(joinBytes([u32(10), u32(5), u32(3)]));
  });

  it('are missed by their names', async () => {
    expect(await failure([])).toMatchObject({ code: 'MALFORMED_FILE' });
    expect((await failure(chunks.filter((_, i) => i !== 4 && i !== 8))).message).toBe(
      'expected the chunks .zkeyb to .zkeyj of a key, got none for .zkeyf, .zkeyj',
    );
    for (let i = 0; i < 9; i++) {
      const { message } = await failure(chunks.toSpliced(i, 1));
      expect(message).toMatch(new RegExp(`got none for .zkey${'bcdefghij'[i]}$`));
    }
    expect(await failure([...chunks, chunks[2]!])).toMatchObject({
      code: 'MALFORMED_FILE',
      message: 'expected one chunk .zkeyd, got more than one',
    });
  });

  it.each([
    [
      'is a whole key',
      () => zkey,
      'MALFORMED_FILE',
      'chunk 3 of 10 of the key to begin with "zkyb" to "zkyk", got "zkey"',
    ],
    ['is empty', () => new Uint8Array(0), 'MALFORMED_FILE', 'got ""'],
    ['is cut in its header', () => chunks[2]!.subarray(0, 19), 'MALFORMED_FILE', 'got "zkyd"'],
    ['is of no section', () => patched(chunks[2]!, 3, new Uint8Array([108])), 'MALFORMED_FILE', 'got "zkyl"'],
    ['is of section 0', () => patched(chunks[2]!, 3, new Uint8Array([97])), 'MALFORMED_FILE', 'got "zkya"'],
    ['has another magic word', () => patched(chunks[2]!, 0, new Uint8Array([97])), 'MALFORMED_FILE', 'got "akyd"'],
    ['has 2^32 bytes more', () => patched(chunks[2]!, 16, u32(1)), 'MALFORMED_FILE', '.zkeyd, got 1 of 4294'],
    ['is cut short', () => chunks[2]!.subarray(0, -1), 'MALFORMED_FILE', '.zkeyd, got 1 of'],
    ['has more sections', () => patched(chunks[2]!, 8, u32(2)), 'MALFORMED_FILE', '.zkeyd, got 2 of'],
    ['is of another version', () => patched(chunks[2]!, 4, u32(2)), 'UNSUPPORTED_FORMAT', '.zkeyd of version 1, got 2'],
  ])('are refused when one %s', async (_, make, code, expected) => {
    const found = await failure(chunks.with(2, make()));
    expect(found.code).toBe(code);
    expect(found.message).toContain(expected);
  });
});
