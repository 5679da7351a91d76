import { beforeAll, describe, expect, it } from 'vitest';
import { fromLimbs, packedWords, toLimbs, wgslLimbBits, wgslLimbs } from '../../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../../sdk/curves/modular.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { isTestedInFull } from '../../../support/combinations.js';
import { edgeValues, Random } from '../../../support/random.js';
import { CURVES_ON_GPU } from '../../../support/registry.js';
import { runCases } from '../../../support/wgsl-cases.js';
import { sharedDevice } from '../test-device.js';

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await sharedDevice();
});

// By bytes the products take longest to compile: one curve with each square of u has them.
const VARIANTS = CURVES_ON_GPU.filter(({ g2 }) => g2 !== undefined).flatMap((curve) => [
  { id: curve.id, curve, products: 'limbs' as const },
  ...(isTestedInFull(curve.id, 'g2') ? [{ id: curve.id, curve, products: 'bytes' as const }] : []),
]);

// Side by side, since compiling takes most of the time.
describe.concurrent.each(VARIANTS)('the WGSL extension field of $id by $products', ({ curve, products }) => {
  const { modulus: p, bits } = curve.fq;
  const [n, limbBits, length] =
    products === 'limbs' ? [wgslLimbs(bits), wgslLimbBits(bits), 'LIMBS'] : [packedWords(bits), 32, 'WORDS'];
  const r = 1n << BigInt(n * limbBits);
  /** What products take and give, and differences give, stays below this. */
  const bound = products === 'limbs' ? 2n * p : (1001n * p) / 1000n;
  const limbs = (value: bigint): number[] => toLimbs(value, n, limbBits);

  /** The largest value below a limit, edge values, random ones, and those raised by multiples of p. */
  function values(limit: bigint, seed: number): bigint[] {
    const random = new Random(seed);
    const base = [0n, 1n, p - 1n, ...edgeValues(p), ...Array.from({ length: 20 }, () => random.below(p))];
    const multiple = limit - (limit % p);
    const raised = base.slice(0, 20).flatMap((v) => [v + multiple, v + multiple - p]);
    return [limit - 1n, ...base, ...raised.filter((v) => v < limit)];
  }

  /** Every pattern of a few edges, and a mixture of all. */
  function rows(lists: readonly (readonly bigint[])[]): bigint[][] {
    const crossed = lists.reduce<bigint[][]>(
      (some, list) => some.flatMap((row) => list.slice(0, 4).map((value) => [...row, value])),
      [[]],
    );
    const mixed = Array.from({ length: 300 }, (_, i) =>
      lists.map((list, k) => list[(i * (2 * k + 1) + k) % list.length]!),
    );
    return [...crossed, ...mixed];
  }

  const field = (k: number): string => `field_at(at + ${k}u * ${length})`;

  /**
   * Runs an expression of a Field2 on rows of numbers and gives both parts of each result; their limbs are in normal
   * form.
   */
  async function run(expression: string, all: readonly bigint[][]): Promise<[bigint, bigint][]> {
    const body = `  let r = ${expression};
  field_put(to, field_of(r.c[0]));
  field_put(to + ${length}, field_of(r.c[1]));`;
    const inputs = all.map((row) => row.flatMap(limbs));
    const results = await runCases(gpu, curve, body, inputs, 2 * n, products, 'g2');
    return results.map((result) => {
      expect(result.every((limb) => limb < 2 ** limbBits)).toBe(true);
      return [fromLimbs(result.slice(0, n), limbBits), fromLimbs(result.slice(n), limbBits)];
    });
  }

  function expectParts(row: readonly bigint[], [c0, c1]: [bigint, bigint], expected: readonly [bigint, bigint]): void {
    expect({ row, parts: [mod(c0, p), mod(c1, p)] }).toEqual({ row, parts: expected.map((value) => mod(value, p)) });
    expect({ row, isBelow: c0 < bound && c1 < bound }).toEqual({ row, isBelow: true });
  }

  it('multiplies, up to the largest operands', async () => {
    const inverseR = inverse(r, p);
    const all = rows([1, 2, 3, 4].map((seed) => values(bound, seed)));
    const results = await run(
      `field2_mul(field2_of(${field(0)}, ${field(1)}), field2_of(${field(2)}, ${field(3)}))`,
      all,
    );
    for (const [i, row] of all.entries()) {
      const [a0, a1, b0, b1] = row as [bigint, bigint, bigint, bigint];
      expectParts(row, results[i]!, [
        (a0 * b0 + curve.g2!.nonResidue * a1 * b1) * inverseR,
        (a0 * b1 + a1 * b0) * inverseR,
      ]);
    }
  });

  it('takes differences, up to the largest operands', async () => {
    const limit = products === 'limbs' ? 8n * p : r;
    const all = rows([5, 6, 7].map((seed) => values(limit, seed)));
    const operands = [0, 1, 2].map((k) => `field2_of(${field(k)}, ${field(2 - k)})`);
    const results = await run(`field2_minus(${operands.join(', ')})`, all);
    for (const [i, row] of all.entries()) {
      const [a, b, d] = row as [bigint, bigint, bigint];
      expectParts(row, results[i]!, [a - b - 2n * d, d - b - 2n * a]);
    }
  });

  it('negates numbers of at most p, and tells 0 from everything else', async () => {
    const few = [0n, 1n, p - 1n, p, p / 2n, 1n << 200n];
    const all = few.flatMap((a) => few.map((b) => [a, b]));
    const body = `  let a = field2_of(${field(0)}, ${field(1)});
  let r = field2_negate(a);
  field_put(to, field_of(r.c[0]));
  field_put(to + ${length}, field_of(r.c[1]));
  output[to + 2u * ${length}] = select(0u, 1u, field2_is_zero(a));
  output[to + 2u * ${length} + 1u] = select(0u, 1u, field2_is_plain_zero(a));`;
    const inputs = all.map((row) => row.flatMap(limbs));
    const results = await runCases(gpu, curve, body, inputs, 2 * n + 2, products, 'g2');
    for (const [i, [a, b]] of all.entries()) {
      const result = results[i]!;
      expect(fromLimbs(result.slice(0, n), limbBits)).toBe(p - a!);
      expect(fromLimbs(result.slice(n, 2 * n), limbBits)).toBe(p - b!);
      expect(result.slice(2 * n)).toEqual([a! % p === 0n && b! % p === 0n ? 1 : 0, a === 0n && b === 0n ? 1 : 0]);
    }
  });
});
