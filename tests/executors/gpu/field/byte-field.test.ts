import { beforeAll, describe, expect, it } from 'vitest';
import { fromLimbs, packedMontgomeryBits, packedWords, toLimbs } from '../../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../../sdk/curves/modular.js';
import { elementsOf, productKinds } from '../../../../sdk/executors/gpu/msm/product-forms.js';
import type { GpuDevice, Products } from '../../../../sdk/executors/gpu/runtime/device.js';
import { edgeValues, Random } from '../../../support/random.js';
import { CURVES_ON_GPU } from '../../../support/registry.js';
import { runCases } from '../../../support/wgsl-cases.js';
import { sharedDevice } from '../test-device.js';

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await sharedDevice();
});

// Side by side, since compiling takes most of the time.
describe.concurrent.each(CURVES_ON_GPU)("the WGSL field of $id's coordinates by bytes", (curve) => {
  const p = curve.fq.modulus;
  const words = packedWords(curve.fq.bits);
  const r = 1n << BigInt(32 * words);
  const inverseR = inverse(r, p);
  /** Whether R leaves room for sums that are not reduced. */
  const isLazy = curve.edwards !== undefined && r > 152n * p;
  /** What lies in buffers is so many times what it stands for. */
  const factor = 1n << BigInt(packedMontgomeryBits(curve.fq.bits) - 32 * words);
  /** Operands of sums are less, or whatever fits. */
  const largest = 16n * p < r ? 16n * p : r;
  /** What is called less than 1.001 p. */
  const reduced = (1001n * p) / 1000n;

  /** Edges, numbers of ones, random ones, all of these raised by multiples of p, and the largest below `bound`. */
  function values(bound: bigint, seed: number): bigint[] {
    const random = new Random(seed);
    const ones = [8, 16, 32, 64, 250].map((bits) => (1n << BigInt(bits)) - 1n);
    const base = [...edgeValues(p), ...ones, ...Array.from({ length: 20 }, () => random.below(p))];
    const raised = base.flatMap((v) => [v, v + bound - (bound % p) - p, v + p]);
    return [...raised, bound - 1n].filter((v) => v < bound);
  }

  /** Runs an operation on rows of operands and holds value and size against what is expected. */
  async function check(
    call: string,
    lists: readonly (readonly bigint[])[],
    expected: (operands: readonly bigint[]) => bigint,
    below: (operands: readonly bigint[]) => bigint,
    products: Products = 'bytes',
  ): Promise<void> {
    const few = (list: readonly bigint[]): bigint[] => [...list.slice(0, 12), ...list.slice(-4)];
    const crossed = few(lists[0]!).flatMap((a) => few(lists[1] ?? [0n]).map((b) => [a, b, few(lists.at(-1)!)[0]!]));
    const mixed = Array.from({ length: 400 }, (_, i) => lists.map((list, k) => list[(i * (4 * k + 3)) % list.length]!));
    const rows = [...crossed.map((row) => row.slice(0, lists.length)), ...mixed];
    const names = ['a', 'b', 'c'].slice(0, lists.length);
    const body = `${names.map((name, k) => `  let ${name} = field_at(at + ${k}u * WORDS);`).join('\n')}\n  field_put(to, ${call});`;
    const inputs = rows.map((row) => row.flatMap((v) => toLimbs(v, words, 32)));
    const results = await runCases(gpu, curve, body, inputs, words, products);
    for (const [i, row] of rows.entries()) {
      const got = fromLimbs(results[i]!, 32);
      expect({ row, got: mod(got, p) }).toEqual({ row, got: mod(expected(row), p) });
      expect({ row, isBelow: got < below(row) }).toEqual({ row, isBelow: true });
    }
  }

  const byWords = productKinds(curve.fq.bits, 'g1').filter((each) => elementsOf(each) === 'bytes');

  it.each(byWords)('multiplies whatever fits, by %s', async (products) => {
    const half = values(r / 2n, 1);
    await check(
      'field_mul(a, b)',
      [half, values(r / 2n, 2)],
      ([a, b]) => a! * b! * inverseR,
      ([a, b]) => (a! * b!) / r + p + 1n,
      products,
    );
    // Sums on the Weierstrass form have one of small code besides.
    if (curve.edwards !== undefined) return;
    await check(
      'field_mul_rare(a, b)',
      [half, values(r / 2n, 2)],
      ([a, b]) => a! * b! * inverseR,
      ([a, b]) => (a! * b!) / r + p + 1n,
      products,
    );
  });

  it('multiplies by small numbers and reduces', async () => {
    // The factor comes with the case: one kernel is compiled for all of them.
    const rows = [1n, 3n, 4n, 8n, 16n, 32n, 64n, 128n].flatMap((k) => {
      const bound = 400n * p < k * r ? (400n * p) / k : r;
      return values(bound, 3).map((a) => ({ a, k }));
    });
    const results = await runCases(
      gpu,
      curve,
      '  field_put(to, field_times(field_at(at), i32(input[at + WORDS])));',
      rows.map(({ a, k }) => [...toLimbs(a, words, 32), Number(k)]),
      words,
      'bytes',
    );
    for (const [i, { a, k }] of rows.entries()) {
      const got = fromLimbs(results[i]!, 32);
      expect({ a, k, got: mod(got, p) }).toEqual({ a, k, got: mod(k * a, p) });
      expect({ a, k, isBelow: got < reduced }).toEqual({ a, k, isBelow: true });
      if (a === 0n) expect(got).toBe(0n);
    }
  });

  it('adds and subtracts, up to the bounds that it states', async () => {
    if (!isLazy) {
      const all = values(largest, 4);
      await check(
        'field_sub(a, b)',
        [all, values(largest, 5)],
        ([a, b]) => a! - b!,
        () => reduced,
      );
    }
    if (curve.edwards === undefined) {
      const all = values(largest, 4);
      await check(
        'field_x_of_sum(a, b, c)',
        [all, values(largest, 6), values(largest, 7)],
        ([a, b, c]) => factor * a! - b! - 2n * c!,
        () => reduced,
      );
      await check(
        'field_negate(a)',
        [values(p + 1n, 8)],
        ([a]) => -a!,
        () => p + 1n,
      );
    } else if (!isLazy) {
      await check(
        'field_add(a, b)',
        [values(largest, 10), values(largest, 11)],
        ([a, b]) => a! + b!,
        () => reduced,
      );
    } else {
      const all = values(60n * p, 10);
      await check(
        'field_add(a, b)',
        [all, values(60n * p, 11)],
        ([a, b]) => a! + b!,
        ([a, b]) => a! + b! + 1n,
      );
      await check(
        'field_sub(a, b)',
        [all, values(4n * p, 12)],
        ([a, b]) => a! - b!,
        ([a]) => a! + 4n * p + 1n,
      );
    }
  });

  it('tells 0 and p from everything else', async () => {
    if (curve.edwards !== undefined) return;
    const cases = [0n, p, 1n, p - 1n, p + 1n, p ^ (1n << 200n), 1n << 224n];
    const results = await runCases(
      gpu,
      curve,
      '  output[to] = select(0u, 1u, field_is_zero(field_at(at)));',
      cases.map((v) => toLimbs(v, words, 32)),
      1,
      'bytes',
    );
    expect(results.flat()).toEqual([1, 1, 0, 0, 0, 0, 0]);
  });
});
