import { beforeAll, describe, expect, it } from 'vitest';
import { type AssemblyExports, assemble } from '../../support/assembly.js';

const text = `
export { endOfStretch, listFinite, listRowsAndColumns } from './msm/pair-tree';
export function heapBase(): usize { return __heap_base; }
`;

describe('the order in which buckets are summed', () => {
  let wasm: AssemblyExports;
  let heap: number;
  beforeAll(async () => {
    wasm = await assemble('pair-tree-under-test', text);
    heap = Math.ceil(wasm.heapBase!() / 16) * 16;
    wasm.memory.grow(8);
  });
  const words = (): Uint32Array => new Uint32Array(wasm.memory.buffer);

  it.each([
    [1, 0],
    [2, 0],
    [2, 1],
    [8, 1],
    [8, 3],
    [64, 3],
    [128, 3],
  ])('lists %i buckets by row and by column of 2^%i', (buckets, columnBits) => {
    const references = heap;
    const offsets = references + 4 * buckets;
    const entries = offsets + 4 * (buckets + 2 ** columnBits);
    // Every fifth sum is at infinity; reference d stands for digit d.
    const finite = (digit: number): boolean => digit % 5 !== 3;
    for (let d = 1; d <= buckets; d++) words()[references / 4 + d - 1] = finite(d) ? d : 0;
    const start = 7;
    const end = wasm.listRowsAndColumns!(references, buckets, columnBits, entries, start, offsets);
    const columns = 2 ** columnBits;
    const rows = buckets / columns;
    const lines = [...words().subarray(offsets / 4, offsets / 4 + rows + columns - 1)];
    expect(lines.at(-1)).toBe(end);
    let from = start;
    let sum = 0;
    for (const [line, to] of lines.entries()) {
      const row = line < rows ? line + 1 : 0;
      const column = line < rows ? 0 : line - rows + 1;
      const digits = [...words().subarray(entries / 4 + from, entries / 4 + to)];
      const expected = Array.from({ length: buckets }, (_, b) => b + 1).filter(
        (d) => finite(d) && (row > 0 ? d >> columnBits === row : d % columns === column),
      );
      expect(digits).toEqual(expected);
      sum += digits.length * (row > 0 ? row * columns : column);
      from = to;
    }
    // With 1 for every finite sum the weighted lines give sum d.
    expect(sum).toBe(
      Array.from({ length: buckets }, (_, b) => (finite(b + 1) ? b + 1 : 0)).reduce((total, d) => total + d, 0),
    );
  });

  it('puts finite sums to their own buckets', () => {
    const digits = heap + 4 * 5;
    words().set([40, 0, 0xffffffff, 0, 8], heap / 4);
    wasm.listFinite!(heap, 5, digits);
    expect([...words().subarray(digits / 4, digits / 4 + 5)]).toEqual([1, 0, 3, 0, 5]);
  });

  it('takes buckets together up to a number of entries, or a larger one alone', () => {
    const counts = [0, 3, 4, 1, 9, 0, 0, 2, 6, 0];
    let sum = 5;
    words().set([sum, ...counts.map((count) => (sum += count))], heap / 4);
    const longest = heap + 4 * (counts.length + 1);
    const stretches: number[][] = [];
    for (let from = 0; from < counts.length; ) {
      const end = wasm.endOfStretch!(heap, from, counts.length, 8, longest);
      stretches.push([from, end, words()[longest / 4]!]);
      from = end;
    }
    expect(stretches).toEqual([
      [0, 4, 4],
      [4, 5, 9],
      [5, 10, 6],
    ]);
  });
});
