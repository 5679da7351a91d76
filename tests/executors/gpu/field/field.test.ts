import { beforeAll, describe, expect, it } from 'vitest';
import { EDWARDS_FORMS } from '../../../../sdk/curves/index.js';
import { fromLimbs, packedWords, toLimbs, wgslLimbBits, wgslLimbs } from '../../../../sdk/curves/limbs.js';
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
describe.concurrent.each(CURVES_ON_GPU)("the WGSL field of $id's coordinates", (curve) => {
  const p = curve.fq.modulus;
  /** The products of elements in limbs. */
  const byLimbs = productKinds(curve.fq.bits, 'g1').filter((each) => elementsOf(each) === 'limbs');
  const n = wgslLimbs(curve.fq.bits);
  const limbBits = wgslLimbBits(curve.fq.bits);
  const words = packedWords(curve.fq.bits);
  const r = 1n << BigInt(n * limbBits);
  const inverseR = inverse(r, p);
  /** Limbs of a value that may pass the modulus; the highest limb takes what is left. */
  const limbs = (value: bigint): number[] => {
    const low = toLimbs(value, n - 1, limbBits);
    return [...low, Number(value >> BigInt((n - 1) * limbBits))];
  };
  const value = (l: readonly number[]): bigint => fromLimbs(l, limbBits);

  /** Edge values, random ones, and those raised by multiples of p up to just below `bound` p. */
  function values(bound: bigint, seed: number): bigint[] {
    const random = new Random(seed);
    const edges = edgeValues(p);
    const base = [...edges, ...Array.from({ length: 20 }, () => random.below(p))];
    const raised = edges.slice(0, 12).flatMap((v) => [v + (bound - 1n) * p, v + (bound / 2n) * p]);
    return [...base, ...raised, bound * p - 1n];
  }

  /** Every edge of one with every edge of the other, and the rest in pairs. */
  function pairs(a: readonly bigint[], b: readonly bigint[]): [bigint, bigint][] {
    const few = (list: readonly bigint[]): bigint[] => [...list.slice(0, 10), ...list.slice(-4)];
    const all: [bigint, bigint][] = few(a).flatMap((x) => few(b).map((y): [bigint, bigint] => [x, y]));
    for (let i = 0; i < Math.max(a.length, b.length); i++) all.push([a[i % a.length]!, b[(7 * i + 3) % b.length]!]);
    return all;
  }

  /** Runs an operation of two operands and holds value and normal form against what is expected. */
  async function binary(
    body: string,
    cases: [bigint, bigint][],
    expected: (a: bigint, b: bigint) => bigint,
    below: bigint,
    products?: Products,
  ): Promise<void> {
    const inputs = cases.map(([a, b]) => [...limbs(a), ...limbs(b)]);
    const results = await runCases(gpu, curve, body, inputs, n, products);
    for (const [i, [a, b]] of cases.entries()) {
      const got = value(results[i]!);
      expect({ a, b, got: mod(got, p) }).toEqual({ a, b, got: mod(expected(a, b), p) });
      expect(got < below * p).toBe(true);
      expect(results[i]!.slice(0, -1).every((limb) => limb < 1 << limbBits)).toBe(true);
    }
  }

  const two = (call: string): string => `  let a = field_at(at); let b = field_at(at + LIMBS); field_put(to, ${call});`;

  // Karatsuba's method has the unrolled squares and pairs of products.
  it.each(byLimbs.filter((each) => each !== 'karatsuba'))(
    'adds two products in one reduction, up to the largest operands of the point formulas, %s',
    async (products) => {
      if (curve.edwards !== undefined) return;
      const operands = [values(10n, 21), values(10n, 22), values(9n, 23), values(2n, 24)];
      const largest = 1n << BigInt(n * limbBits - 4);
      const cases = Array.from({ length: 160 }, (_, i) =>
        operands.map((list, k) => list[(i * (2 * k + 1)) % list.length]!),
      );
      cases.push([0n, 0n, 0n, 0n], [largest - 1n, largest - 1n, largest - 1n, largest - 1n]);
      const results = await runCases(
        gpu,
        curve,
        `  let a = field_at(at); let b = field_at(at + LIMBS); let c = field_at(at + 2u * LIMBS);
  field_put(to, field_mul_pair(a, b, c, field_at(at + 3u * LIMBS)));`,
        cases.map((row) => row.flatMap(limbs)),
        n,
        products,
      );
      for (const [i, row] of cases.entries()) {
        const [a, b, c, d] = row as [bigint, bigint, bigint, bigint];
        const got = value(results[i]!);
        expect({ row, got: mod(got, p) }).toEqual({ row, got: mod((a * b + c * d) * inverseR, p) });
        // Columns of 30 limbs take only two products, so that both are reduced.
        expect(got <= (a * b + c * d) / r + (n === 30 ? 2n : 1n) * p).toBe(true);
      }
    },
  );

  it.each(byLimbs)('multiplies, up to the largest operands of the point formulas, %s', async (products) => {
    const product = (a: bigint, b: bigint): bigint => a * b * inverseR;
    // 9.1 p by 9.2 p and 12 p by 2.8 p are the largest; 12 p by 6 p covers both products' sizes.
    await binary(two('field_mul(a, b)'), pairs(values(12n, 1), values(6n, 2)), product, 2n, products);
    // Edwards additions have no squares.
    if (curve.edwards !== undefined) return;
    await binary(
      '  let a = field_at(at); field_put(to, field_sqr(a));',
      pairs(values(12n, 3), [0n]),
      (a) => a * a * inverseR,
      3n,
      products,
    );
  });

  it('adds and subtracts, up to the bounds that it states', async () => {
    await binary(two('field_add(a, b)'), pairs(values(6n, 4), values(6n, 5)), (a, b) => a + b, 12n);
    const below = (tenths: bigint, seed: number): bigint[] => [...values(tenths / 10n, seed), (tenths * p) / 10n - 1n];
    await binary(two('field_sub(a, b)'), pairs(values(6n, 6), below(39n, 7)), (a, b) => a - b, 10n);
    await binary(two('field_sub_wide(a, b)'), pairs(values(6n, 8), below(79n, 9)), (a, b) => a - b, 14n);
  });

  it('reduces below p, and so far that a value fits its words', async () => {
    const cases = values(8n, 10);
    const canonical = await runCases(
      gpu,
      curve,
      '  field_put(to, field_canonical(field_at(at)));',
      cases.map(limbs),
      n,
    );
    for (const [i, a] of cases.entries()) expect(value(canonical[i]!)).toBe(a % p);
    const shrunk = await runCases(gpu, curve, '  field_put(to, field_shrink(field_at(at)));', cases.map(limbs), n);
    for (const [i, a] of cases.entries()) {
      expect(mod(value(shrunk[i]!), p)).toBe(a % p);
      expect(value(shrunk[i]!) < 1n << BigInt(32 * words)).toBe(true);
    }
  });

  it('tells multiples of p from everything else', async () => {
    const multiples = Array.from({ length: 16 }, (_, k) => BigInt(k) * p);
    const near = multiples
      .flatMap((m) => [m + 1n, m + (1n << 13n), m + (1n << 200n)])
      .concat(multiples.slice(1).map((m) => m - 1n));
    const cases = [...multiples, ...near];
    const results = await runCases(
      gpu,
      curve,
      '  output[to] = select(0u, 1u, field_is_zero(field_at(at)));',
      cases.map(limbs),
      1,
    );
    expect(results.map(([flag]) => flag)).toEqual(cases.map((c) => (c % p === 0n ? 1 : 0)));
    const plain = await runCases(
      gpu,
      curve,
      '  output[to] = select(0u, 1u, field_is_plain_zero(field_at(at)));',
      cases.map(limbs),
      1,
    );
    expect(plain.map(([flag]) => flag)).toEqual(cases.map((c) => (c === 0n ? 1 : 0)));
  });

  it('packs into words and out of them', async () => {
    const random = new Random(11);
    const bound = 1n << BigInt(32 * words);
    const cases = [
      0n,
      1n,
      p,
      p - 1n,
      bound - 1n,
      0xffffffffn,
      ...Array.from({ length: 30 }, () => random.below(bound)),
    ];
    const body = `  let w = field_pack(field_at(at));
  for (var k = 0u; k < WORDS; k++) { output[to + k] = w[k]; }
  field_put(to + WORDS, field_unpack(w));`;
    const results = await runCases(gpu, curve, body, cases.map(limbs), words + n);
    for (const [i, a] of cases.entries()) {
      expect(fromLimbs(results[i]!.slice(0, words), 32)).toBe(a);
      expect(value(results[i]!.slice(words))).toBe(a);
    }
  });

  it('has the constants of the Montgomery form', async () => {
    const constants =
      curve.edwards === undefined ? ['field_zero()', 'field_one()'] : ['field_zero()', 'field_one()', 'field_two_d()'];
    const expected = [0n, mod(r, p), mod(2n * (EDWARDS_FORMS[curve.id]?.d ?? 0n) * r, p)];
    for (const [i, constant] of constants.entries()) {
      const [result] = await runCases(gpu, curve, `  field_put(to, ${constant});`, [[0]], n);
      expect(value(result!)).toBe(expected[i]);
    }
  });
});
