import { beforeAll, describe, expect, it } from 'vitest';
import type { CurveId } from '../../../sdk/curves/index.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { encodeScalars } from '../../support/points.js';
import { Random } from '../../support/random.js';
import { CURVE_OF_EACH_SCALAR_SIZE } from '../../support/registry.js';

const text = (id: CurveId): string => `
import { Scalars } from './generated/${id}-constants';
import { findClasses } from './msm/equal-scalars';
export { keepFinite } from './msm/equal-scalars';
export function find(scalars: usize, list: usize, from: i32, to: i32, table: usize, tableBits: i32, classes: usize, representatives: usize, found: i32): i32 {
  return findClasses<Scalars>(scalars, list, from, to, table, tableBits, classes, representatives, found);
}
export function heapBase(): usize { return __heap_base; }
`;

describe.each(CURVE_OF_EACH_SCALAR_SIZE)('equal scalars of $scalarBytes bytes', ({ id, scalarBytes }) => {
  let wasm: AssemblyExports;
  let heap: number;
  beforeAll(async () => {
    wasm = await assemble('equal-scalars-under-test', text(id));
    heap = Math.ceil(wasm.heapBase!() / 16) * 16;
    wasm.memory.grow(16);
  });
  const words = (): Uint32Array => new Uint32Array(wasm.memory.buffer);

  /** Classes and representatives of the listed scalars, found in two calls. */
  function classesOf(scalars: readonly bigint[], list: readonly number[], tableBits: number): [number[], number[]] {
    const listAt = heap + scalarBytes * scalars.length;
    const classesAt = listAt + 4 * list.length;
    const representativesAt = classesAt + 4 * list.length;
    const table = representativesAt + 4 * list.length;
    new Uint8Array(wasm.memory.buffer).set(encodeScalars(scalars, id), heap);
    words().set(list, listAt / 4);
    words().fill(0, table / 4, table / 4 + 2 ** tableBits);
    let found = 0;
    const middle = list.length >> 1;
    for (const [from, to] of [
      [0, middle],
      [middle, list.length],
    ]) {
      const find = wasm.find!;
      found = find(heap, listAt, from!, to!, table, tableBits, classesAt, representativesAt, found);
    }
    return [
      [...words().subarray(classesAt / 4, classesAt / 4 + list.length)],
      [...words().subarray(representativesAt / 4, representativesAt / 4 + found)],
    ];
  }

  function check(scalars: readonly bigint[], list: readonly number[], tableBits: number): void {
    const known = new Map<bigint, number>();
    const representatives: number[] = [];
    const classes = list.map((i) => {
      if (!known.has(scalars[i]!)) {
        representatives.push(i);
        known.set(scalars[i]!, representatives.length);
      }
      return known.get(scalars[i]!)!;
    });
    expect(classesOf(scalars, list, tableBits)).toEqual([classes, representatives]);
  }

  const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

  it('are found among distinct ones, in order of their first', () => {
    const random = new Random(5);
    const pool = Array.from({ length: 300 }, () => random.below(1n << BigInt(8 * scalarBytes)));
    const scalars = Array.from({ length: 1000 }, () => pool[random.integer(pool.length)]!);
    check(scalars, all(1000), 11);
    check(scalars, all(1000).reverse(), 11);
    check(
      scalars,
      all(1000).filter((i) => i % 3 !== 0),
      10,
    );
  });

  it('are told from those that differ in a single bit', () => {
    const one = 0x123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdefn;
    const scalars = [one, ...Array.from({ length: 8 * scalarBytes }, (_, i) => one ^ (1n << BigInt(i))), one];
    check(scalars, all(scalars.length), 10);
  });

  it('are found in a table that is almost full, around its end', () => {
    const scalars = Array.from({ length: 31 }, (_, i) => BigInt(i * i));
    check([...scalars, ...scalars], all(62), 5);
    check([7n, 7n], all(2), 1);
    check([], [], 1);
  });

  it('leave out references that are 0', () => {
    const references = [8, 0, 0, 5, 0x80000001, 0];
    words().set(references, heap / 4);
    words().set([10, 11, 12, 13, 14, 15], heap / 4 + 6);
    expect(wasm.keepFinite!(heap, heap + 24, 6)).toBe(3);
    expect([...words().subarray(heap / 4, heap / 4 + 3)]).toEqual([8, 5, 0x80000001]);
    expect([...words().subarray(heap / 4 + 6, heap / 4 + 9)]).toEqual([10, 13, 14]);
  });
});
