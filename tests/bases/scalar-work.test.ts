import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { ScalarCheck } from '../../sdk/bases/scalar-bits.js';
import { fullWork, ScalarWork } from '../../sdk/bases/scalar-work.js';
import { edgeValues, Random } from '../support/random.js';
import { ALL_CURVES } from '../support/registry.js';

/** The windows of 16 bits that s or r - s has, whichever is shorter. */
function windowsOf(s: bigint, r: bigint): number {
  const shorter = s > r / 2n ? r - s : s;
  return shorter === 0n ? 0 : Math.ceil(shorter.toString(2).length / 16);
}

describe.each(ALL_CURVES)('the work of scalars of $id', ({ id, fr, scalarBytes }) => {
  const r = fr.modulus;
  const bytesOf = (scalars: readonly bigint[]) => joinBytes(scalars.map((k) => bigintToBytes(k, scalarBytes)));
  const workOf = (scalars: readonly bigint[]) => new ScalarWork(id, bytesOf(scalars)).of(0, scalars.length);
  const full = fullWork(id, 1);
  const checkOf = (scalars: readonly bigint[], mostWork: number) =>
    new ScalarCheck(id, bytesOf(scalars), scalars.length, undefined, mostWork);

  it('is nothing for no scalars and zeros, and one addition for each 1 and -1', () => {
    expect([workOf([]), workOf([0n]), workOf(Array(9).fill(0n))]).toEqual([0, 0, 0]);
    expect([workOf(Array(9).fill(1n)), workOf(Array(9).fill(r - 1n)), workOf([0n, 1n, r - 1n])]).toEqual([9, 9, 2]);
  });

  it('is all windows for each full-size scalar, also for one among zeros', () => {
    const half = (r - 1n) / 2n;
    expect(full).toBe(Math.ceil((fr.bits - 1) / 16));
    expect([workOf([half]), workOf([half + 1n]), workOf([half, half])]).toEqual([full, full, 2 * full]);
    expect(workOf([...Array(20).fill(0n), half, ...Array(20).fill(0n)])).toBe(full);
    expect(fullWork(id, 5)).toBe(5 * full);
  });

  it('follows the length of each scalar and of its opposite', () => {
    for (const s of edgeValues(r)) expect(workOf([s])).toBe(windowsOf(s, r));
    for (let bits = 1; bits < fr.bits; bits++) {
      const power = 1n << BigInt(bits - 1);
      for (const s of [power, power - 1n, power + 1n, r - power, r - power - 1n]) {
        expect(workOf([s])).toBe(windowsOf(s, r));
      }
    }
    const random = new Random(5);
    const many = Array.from({ length: 300 }, () => random.below(r));
    expect(workOf(many)).toBe(many.reduce((sum, s) => sum + windowsOf(s, r), 0));
  });

  it('is the sum over the parts of a vector, and grows with every scalar', () => {
    const scalar = fc.oneof(
      fc.constantFrom(0n, 1n, r - 1n),
      fc.bigInt({ min: 0n, max: 1n << 40n }),
      fc.bigInt({ min: 0n, max: r - 1n }),
    );
    fc.assert(
      fc.property(fc.array(scalar, { maxLength: 20 }), fc.nat(), (scalars, at) => {
        const cut = at % (scalars.length + 1);
        const counter = new ScalarWork(id, bytesOf(scalars));
        const [first, rest] = [counter.of(0, cut), counter.of(cut, scalars.length)];
        expect(first + rest).toBe(workOf(scalars));
        expect(first).toBeLessThanOrEqual(workOf(scalars));
        expect(workOf(scalars)).toBeLessThanOrEqual(fullWork(id, scalars.length));
      }),
    );
  });

  it('is compared with a bound while scalars are checked, as early as it exceeds it', () => {
    const half = (r - 1n) / 2n;
    const scalars = [0n, 1n, half, r - 1n, half];
    const seen = (mostWork: number) => {
      const check = checkOf(scalars, mostWork);
      return [0, 1, 2, 3, 4, 5].map((end) => {
        check.upTo(end);
        return check.isMoreWork;
      });
    };
    expect(seen(2 * full + 2)).toEqual([false, false, false, false, false, false]);
    expect(seen(2 * full + 1)).toEqual([false, false, false, false, false, true]);
    expect(seen(full + 1)).toEqual([false, false, false, false, true, true]);
    expect(seen(0)).toEqual([false, false, true, true, true, true]);
    expect(seen(-1)).toEqual([true, true, true, true, true, true]);
    const all = checkOf(scalars, full);
    all.upTo();
    expect([all.isMoreWork, all.bits]).toEqual([true, fr.bits - 1]);
  });
});
