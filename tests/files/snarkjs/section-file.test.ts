import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinBytes } from '../../../sdk/base/bytes.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { readSectionFile } from '../../../sdk/files/snarkjs/section-file.js';
import { failureOf, patched, sectionFile, u32 } from '../../support/section-bytes.js';

const file = sectionFile('zkey', 1, [
  [1, u32(7)],
  [9, new Uint8Array(0)],
  [3, new Uint8Array([1, 2, 3])],
]);

describe('section file', () => {
  it('finds sections in any order', async () => {
    const { version, section } = await readSectionFile(memorySource(file), 'zkey');
    expect(version).toBe(1);
    expect(await section(1).read(0, 4)).toEqual(u32(7));
    expect(section(9).size).toBe(0);
    expect(await section(3).read(1, 2)).toEqual(new Uint8Array([2, 3]));
  });

  it('has up to 64 sections, the last of which may be empty', async () => {
    const empty = (count: number) =>
      sectionFile(
        'zkey',
        1,
        Array.from({ length: count }, (_, i) => [i, new Uint8Array(0)] as const),
      );
    const { has, section } = await readSectionFile(memorySource(empty(64)), 'zkey');
    expect([has(0), has(63), has(64)]).toEqual([true, true, false]);
    expect(section(63).size).toBe(0);
    const { message } = await failureOf(() => readSectionFile(memorySource(empty(65)), 'zkey'));
    expect(message).toContain('at most 64 sections, got 65');
  });

  it('reads the table alone', async () => {
    let read = 0;
    const large = sectionFile('zkey', 1, [[1, new Uint8Array(100_000)]]);
    const source = memorySource(large);
    const counting = {
      size: source.size,
      read: (offset: number, length: number) => {
        read += length;
        return source.read(offset, length);
      },
    };
    await readSectionFile(counting, 'zkey');
    expect(read).toBe(24);
  });

  it.each([
    ['of another kind', sectionFile('wtns', 1, []), 'expected a file that begins with "zkey", got "wtns"'],
    ['of unprintable bytes', new Uint8Array(20), '"????"'],
    ['that is empty', new Uint8Array(0), 'got "" (0 bytes)'],
    ['cut in its header', file.subarray(0, 11), '(11 bytes)'],
    ['with too many sections', patched(file, 8, u32(2 ** 32 - 1)), 'at most 64 sections, got 4294967295'],
    ['cut before a section', file.subarray(0, 28), 'ends before its section 2 at byte 28'],
    ['cut in the head of a section', file.subarray(0, 39), 'ends before its section 2 at byte 28'],
    ['cut in a section', file.subarray(0, file.length - 1), 'expected a section 3 of 3 bytes'],
    ['that promises one section more', patched(file, 8, u32(4)), 'expected 4 sections'],
    ['with a section of 2^32 bytes', patched(file, 12 + 8, u32(1)), 'expected a section 1 of 4294967300 bytes'],
    [
      'with a section of 2^64 bytes',
      patched(file, 12 + 4, new Uint8Array(8).fill(255)),
      'expected a section 1 of 184467',
    ],
  ])('refuses a file %s', async (_, bytes, expected) => {
    const { code, message } = await failureOf(() => readSectionFile(memorySource(bytes), 'zkey'));
    expect(code).toBe('MALFORMED_FILE');
    expect(message).toContain(expected);
  });

  it.each([
    ['<!DOCTYPE html>', 'HTML'],
    ['\n<html>', 'HTML'],
    ['\x1f\x8b\x08\x00', 'gzip'],
    ['PK\x03\x04', 'zip'],
    ['version https://git-lfs.github.com/spec/v1', 'git lfs pull'],
    ['zkyc\x01\x00\x00\x00', 'list of all chunks'],
    ['{"protocol": "groth16"}', 'JSON'],
    ['wtns\x02\x00\x00\x00', 'give it to prove'],
    ['r1cs\x01\x00\x00\x00', '.r1cs'],
    ['\x00asm\x01\x00\x00\x00', 'WebAssembly'],
    ['', 'empty'],
    // Of an unknown kind.
    ['\x89PNG', 'altered'],
  ])('hints at what a file of another kind is: %j', async (text, expected) => {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const { code, hint } = await failureOf(() => readSectionFile(memorySource(bytes), 'zkey'));
    expect(code).toBe('MALFORMED_FILE');
    expect(hint).toContain(expected);
  });

  it('tells of sections that are missing or there twice', async () => {
    const twice = sectionFile('zkey', 1, [
      [1, u32(7)],
      [1, u32(8)],
    ]);
    const { section } = await readSectionFile(memorySource(twice), 'zkey');
    expect(await failureOf(() => section(1))).toMatchObject({
      code: 'MALFORMED_FILE',
      message: expect.stringContaining('got more than one'),
    });
    expect(await failureOf(() => section(2))).toMatchObject({
      code: 'MALFORMED_FILE',
      message: expect.stringContaining('got none'),
    });
  });

  it('reads or refuses any bytes, and never anything else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (tail) => {
        const source = memorySource(joinBytes([new TextEncoder().encode('zkey'), tail]));
        try {
          const { section } = await readSectionFile(source, 'zkey');
          for (const id of [0, 1, 2]) section(id);
        } catch (error) {
          expect(error).toMatchObject({ name: 'PippinError', code: 'MALFORMED_FILE' });
        }
      }),
    );
  });
});
