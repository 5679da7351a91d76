import { beforeAll, describe, expect, it } from 'vitest';
import { fromLimbs, toLimbs, WGSL_LIMB_BITS, wgslLimbs } from '../../../sdk/field/limbs.js';
import { inverse, mod } from '../../../sdk/field/modular.js';
import type { GpuDevice } from '../../../sdk/gpu/runtime/device.js';
import { edgeValues, Random } from '../../support/random.js';
import { CURVES_WITH_G2 } from '../../support/registry.js';
import { runCases } from '../../support/wgsl-cases.js';
import { sharedDevice } from '../test-device.js';

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await sharedDevice();
});

// Side by side, since compiling takes most of the time.
describe.concurrent.each(CURVES_WITH_G2)('the WGSL extension field of $id', (curve) => {
  const p = curve.fq.modulus;
  const n = wgslLimbs(curve.fq.bits);
  const inverseR = inverse(1n << BigInt(n * WGSL_LIMB_BITS), p);
  const limbs = (value: bigint): number[] => toLimbs(value, n, WGSL_LIMB_BITS);

  /** Edge values, random ones, those raised by multiples of p, and the largest value below `bound` p. */
  function values(bound: bigint, seed: number): bigint[] {
    const random = new Random(seed);
    const base = [0n, 1n, p - 1n, ...edgeValues(p), ...Array.from({ length: 20 }, () => random.below(p))];
    const raised = base.slice(0, 20).map((v) => v + (bound - 1n) * p);
    return [bound * p - 1n, ...base, ...raised];
  }

  /** Rows of `width` values: every pattern of a few edges in neighbouring places, and a mixture of all. */
  function rows(lists: readonly (readonly bigint[])[]): bigint[][] {
    const few = (list: readonly bigint[]): bigint[] => list.slice(0, 4);
    const crossed = few(lists[0]!).flatMap((a) =>
      few(lists[1]!).flatMap((b) => few(lists[2]!).flatMap((c) => few(lists.at(-1)!).map((d) => [a, b, c, d]))),
    );
    const mixed = Array.from({ length: 300 }, (_, i) =>
      lists.map((list, k) => list[(i * (2 * k + 1) + k) % list.length]!),
    );
    return [...crossed.map((row) => row.slice(0, lists.length)), ...mixed];
  }

  const field = (k: number): string => `field_at(at + ${k}u * LIMBS)`;

  /** Runs an expression of a Field2 on rows of numbers and gives both parts of each result; their limbs are in normal form. */
  async function run(expression: string, all: readonly bigint[][]): Promise<[bigint, bigint][]> {
    const body = `  let r = ${expression};
  field_put(to, field_of(r.c[0]));
  field_put(to + LIMBS, field_of(r.c[1]));`;
    const results = await runCases(
      gpu,
      curve,
      body,
      all.map((row) => row.flatMap(limbs)),
      2 * n,
      'limbs',
      'g2',
    );
    return results.map((result) => {
      expect(result.every((limb) => limb < 1 << WGSL_LIMB_BITS)).toBe(true);
      return [fromLimbs(result.slice(0, n), WGSL_LIMB_BITS), fromLimbs(result.slice(n), WGSL_LIMB_BITS)];
    });
  }

  it('multiplies numbers below 2 p to numbers below 2 p', async () => {
    const all = rows([values(2n, 1), values(2n, 2), values(2n, 3), values(2n, 4)]);
    const results = await run(
      `field2_mul(field2_of(${field(0)}, ${field(1)}), field2_of(${field(2)}, ${field(3)}))`,
      all,
    );
    for (const [i, row] of all.entries()) {
      const [a0, a1, b0, b1] = row as [bigint, bigint, bigint, bigint];
      const [c0, c1] = results[i]!;
      expect({ row, c0: mod(c0, p), c1: mod(c1, p) }).toEqual({
        row,
        c0: mod((a0 * b0 - a1 * b1) * inverseR, p),
        c1: mod((a0 * b1 + a1 * b0) * inverseR, p),
      });
      expect({ row, isBelow: c0 < 2n * p && c1 < 2n * p }).toEqual({ row, isBelow: true });
    }
  });

  it('takes differences of numbers below 8 p, which are below 2 p', async () => {
    const all = rows([values(8n, 5), values(8n, 6), values(8n, 7)]);
    const both = [0, 1, 2].map((k) => `field2_of(${field(k)}, ${field(2 - k)})`);
    const results = await run(`field2_minus(${both.join(', ')})`, all);
    for (const [i, row] of all.entries()) {
      const [a, b, d] = row as [bigint, bigint, bigint];
      const [c0, c1] = results[i]!;
      expect({ row, c0: mod(c0, p), c1: mod(c1, p) }).toEqual({
        row,
        c0: mod(a - b - 2n * d, p),
        c1: mod(d - b - 2n * a, p),
      });
      expect({ row, isBelow: c0 < 2n * p && c1 < 2n * p }).toEqual({ row, isBelow: true });
    }
  });

  it('negates numbers of at most p, and tells 0 from everything else', async () => {
    const few = [0n, 1n, p - 1n, p, p / 2n, 1n << 200n];
    const all = few.flatMap((a) => few.map((b) => [a, b]));
    const body = `  let a = field2_of(${field(0)}, ${field(1)});
  let r = field2_negate(a);
  field_put(to, field_of(r.c[0]));
  field_put(to + LIMBS, field_of(r.c[1]));
  output[to + 2u * LIMBS] = select(0u, 1u, field2_is_zero(a));
  output[to + 2u * LIMBS + 1u] = select(0u, 1u, field2_is_plain_zero(a));`;
    const results = await runCases(
      gpu,
      curve,
      body,
      all.map((row) => row.flatMap(limbs)),
      2 * n + 2,
      'limbs',
      'g2',
    );
    for (const [i, [a, b]] of all.entries()) {
      const result = results[i]!;
      expect(fromLimbs(result.slice(0, n), WGSL_LIMB_BITS)).toBe(p - a!);
      expect(fromLimbs(result.slice(n, 2 * n), WGSL_LIMB_BITS)).toBe(p - b!);
      expect(result.slice(2 * n)).toEqual([a! % p === 0n && b! % p === 0n ? 1 : 0, a === 0n && b === 0n ? 1 : 0]);
    }
  });
});
