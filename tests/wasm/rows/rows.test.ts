import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint } from '../../../sdk/base/bytes.js';
import { ENDOMORPHISMS } from '../../../sdk/curves/endomorphisms.js';
import { CURVES, type CurveId, pointBytes } from '../../../sdk/curves/index.js';
import { packedMontgomeryBits } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { type RowsModule, readRows } from '../../../sdk/executors/workers/kernel/ceremony/row-kernel.js';
import type { RowGroupExports } from '../../../sdk/executors/workers/kernel/generated/row-exports.js';
import { toHex } from '../../../sdk/files/cache/sha256.js';
import { formsOf } from '../../support/combinations.js';
import { NOBLE_GROUPS } from '../../support/noble-groups.js';
import { Random } from '../../support/random.js';
import { instantiate } from '../../support/wasm.js';

/** Numbers of points around one pair of lanes, and one block of pairs; scale-points.test.ts has whole batches. */
const COUNTS = [1, 2, 3, 15, 16, 17, 33];
const OPPOSITE = 0x80;

const GROUPS = NOBLE_GROUPS.filter(({ curve }) => CURVES[curve].pairing !== undefined).flatMap((group) =>
  // Wide arithmetic has no rows.
  formsOf(group.curve, group.group)
    .filter((points) => !points.endsWith('-wide'))
    .map((points) => ({ ...group, rows: points.replace(group.curve, `${group.curve}-rows`) })),
);

/** Points of the boundary form in the prepared one, or back. */
function prepared(curve: CurveId, points: Uint8Array, isBack = false): Uint8Array {
  const { coordinateBytes, fq } = CURVES[curve];
  const factor = (1n << BigInt(packedMontgomeryBits(fq.bits))) % fq.modulus;
  const by = isBack ? inverse(factor, fq.modulus) : factor;
  const result = new Uint8Array(points.length);
  for (let at = 0; at < points.length; at += coordinateBytes) {
    const value = mod(bytesToBigint(points, at, coordinateBytes) * by, fq.modulus);
    result.set(bigintToBytes(value, coordinateBytes), at);
  }
  return result;
}

describe.each(GROUPS)(
  'rows of points of $curve $group, by $rows',
  ({ curve, group: id, order, rows: name, ...noble }) => {
    const size = pointBytes(curve, id);
    const most = Math.max(...COUNTS);
    const random = new Random(11);
    const drawn = (count: number): bigint[] => Array.from({ length: count }, () => random.below(order - 1n) + 1n);
    // Points that were made are kept: each number of points takes the first ones.
    const [as, bs] = [drawn(most), drawn(most)];
    let made: RowsModule['rows'];
    let group: RowGroupExports;
    let [a, b, target, packed, scratch, list, selectors] = [0, 0, 0, 0, 0, 0, 0];
    beforeAll(async () => {
      const module = readRows((await instantiate(name as 'bn254-rows')).exports);
      made = module.rows;
      group = module.groups[id];
      made.memory.grow(64);
      let end = made.heapBase();
      const allocate = (bytes: number): number => {
        const at = Math.ceil(end / 16) * 16;
        end = at + bytes;
        return at;
      };
      [a, b, target] = [0, 1, 2].map(() => allocate(group.rowBytes(most))) as [number, number, number];
      packed = allocate(most * size);
      scratch = allocate(group.rowScratchBytes(most));
      [list, selectors] = [allocate(8), allocate(most)];
    });

    const bytesAt = (at: number, length: number): Uint8Array => new Uint8Array(made.memory.buffer, at, length);
    const load = (row: number, logs: readonly bigint[]): void => {
      bytesAt(packed, logs.length * size).set(prepared(curve, noble.multiples(logs)));
      group.loadRow(packed, logs.length, row);
    };
    /** The points of a row in the boundary form. */
    const stored = (row: number, count: number): string => {
      bytesAt(packed, count * size).fill(0xff);
      group.storeRow(row, count, packed);
      return toHex(prepared(curve, bytesAt(packed, count * size), true));
    };
    const expectRow = (row: number, logs: readonly bigint[]): void =>
      expect(stored(row, logs.length)).toBe(toHex(noble.multiples(logs.map((log) => mod(log, order)))));

    it.each(COUNTS)('are loaded, copied and negated: %i', (count) => {
      const logs = as.slice(0, count);
      load(a, logs);
      expectRow(a, logs);
      group.copyRow(a, 0, count, target);
      expectRow(target, logs);
      group.copyRow(a, 1, count, target);
      const negated = logs.map((log) => -log);
      expectRow(target, negated);
    });

    it.each(COUNTS)('are doubled and added, with either sign: %i', (count) => {
      const [first, second] = [as.slice(0, count), bs.slice(0, count)];
      load(a, first);
      load(b, second);
      for (const sign of [1n, -1n]) {
        const isNegative = Number(sign < 0n);
        expect(group.addRows(a, b, isNegative, count, scratch, target)).toBe(1);
        const sums = first.map((log, i) => log + sign * second[i]!);
        expectRow(target, sums);
        group.copyRow(a, 0, count, target);
        expect(group.addTwice(target, b, isNegative, count, scratch)).toBe(1);
        const twice = first.map((log, i) => 2n * log + sign * second[i]!);
        expectRow(target, twice);
      }
      expect(group.doubleRow(a, count, scratch)).toBe(1);
      const doubles = first.map((log) => 2n * log);
      expectRow(a, doubles);
      // An operand may be the target.
      load(a, first);
      expect(group.addRows(a, b, 0, count, scratch, b)).toBe(1);
      const sums = first.map((log, i) => log + second[i]!);
      expectRow(b, sums);
    });

    it.each(COUNTS)('are selected point by point: %i', (count) => {
      const [first, second] = [as.slice(0, count), bs.slice(0, count)];
      load(a, first);
      load(b, second);
      new Uint32Array(made.memory.buffer, list, 2).set([a, b]);
      const chosen = Array.from({ length: count }, () => ({ row: random.below(2n), sign: random.below(2n) }));
      bytesAt(selectors, count).set(chosen.map(({ row, sign }) => Number(row) + Number(sign) * OPPOSITE));
      group.selectRow(list, selectors, count, target);
      const expected = chosen.map(({ row, sign }, i) => (sign ? -1n : 1n) * (row ? second : first)[i]!);
      expectRow(target, expected);
    });

    it.skipIf(id !== 'g1')('are mapped by the endomorphism', () => {
      for (const count of COUNTS) {
        const logs = as.slice(0, count);
        load(a, logs);
        made.g1_mapRow(a, count, target);
        const { lambda } = ENDOMORPHISMS[curve]!;
        const images = logs.map((log) => lambda * log);
        expectRow(target, images);
      }
    });

    it.each([0, 1, 15, 16, 32])('are left as they are where two have the same x, or one y = 0: point %i', (at) => {
      const [first, second] = [as.slice(0, 33), bs.slice(0, 33)];
      load(a, first);
      const before = stored(a, 33);
      for (const [log, isNegative] of [
        [first[at]!, 0],
        [first[at]!, 1],
        [order - first[at]!, 0],
      ] as const) {
        load(b, second.with(at, log));
        load(target, second);
        const untouched = stored(target, 33);
        expect(group.addRows(a, b, isNegative, 33, scratch, target)).toBe(0);
        expect(stored(target, 33)).toBe(untouched);
        expect(group.addTwice(a, b, isNegative, 33, scratch)).toBe(0);
        expect(stored(a, 33)).toBe(before);
      }
      // The first sum is the opposite of what is added next.
      load(b, second.with(at, mod(-2n * first[at]!, order)));
      expect(group.addTwice(a, b, 0, 33, scratch)).toBe(0);
      load(b, second.with(at, mod(2n * first[at]!, order)));
      expect(group.addTwice(a, b, 1, 33, scratch)).toBe(0);
      expect(stored(a, 33)).toBe(before);
      // No point of these curves, but one that the formulas take for a point of order 2.
      const points = prepared(curve, noble.multiples(first));
      points.fill(0, at * size + size / 2, (at + 1) * size);
      bytesAt(packed, points.length).set(points);
      group.loadRow(packed, 33, a);
      const withZero = stored(a, 33);
      expect(group.doubleRow(a, 33, scratch)).toBe(0);
      expect(stored(a, 33)).toBe(withZero);
    });

    it('are the same after many steps as after one product', () => {
      const logs = as.slice(0, 5);
      load(a, logs);
      load(b, bs.slice(0, 5));
      let expected = logs;
      for (let step = 0; step < 60; step++) {
        if (step % 3 === 0) group.doubleRow(a, 5, scratch);
        else group.addTwice(a, b, step % 2, 5, scratch);
        const sign = step % 3 === 0 ? 0n : step % 2 === 1 ? -1n : 1n;
        expected = expected.map((log, i) => mod(2n * log + sign * bs[i]!, order));
      }
      expectRow(a, expected);
    });
  },
);
