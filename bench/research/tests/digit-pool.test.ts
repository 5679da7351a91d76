import { afterAll, describe, expect, it } from 'vitest';
import { compilePackedDigits } from '../../../scripts/lib/packed-digits.mjs';
import { writeBigint } from '../../../sdk/base/bytes.js';
import { windowCount } from '../../../sdk/bases/digits.js';
import { CURVES } from '../../../sdk/curves/index.js';
import { edgeValues, Random } from '../../../tests/support/random.js';
import { DigitPool } from '../strategies/worker-digits/digit-pool.js';

const pool = new DigitPool(await WebAssembly.compile(await compilePackedDigits()), 2);
afterAll(() => pool.close());

/** The digits d of a scalar, lowest first, with -2^(c-1) <= d < 2^(c-1). */
function digitsOf(scalar: bigint, windowBits: number, windows: number): number[] {
  const half = 1n << BigInt(windowBits - 1);
  let rest = scalar;
  return Array.from({ length: windows }, () => {
    const digit = BigInt.asIntN(windowBits, rest);
    expect(digit >= -half && digit < half).toBe(true);
    rest = (rest - digit) >> BigInt(windowBits);
    return Number(digit);
  });
}

describe.each(['bn254', 'bls12-381', 'edwards-bls12'] as const)('digits of scalars of %s', (curve) => {
  const { modulus: r, bits } = CURVES[curve].fr;
  const random = new Random(3);

  // 5001 scalars are more than one job for each worker.
  it.each([
    [4, 40],
    [13, 5001],
    [15, 61],
    [16, 5000],
  ])('has windows of %i bits for %i of them', async (windowBits, count) => {
    const edges = edgeValues(r);
    const scalars = Array.from({ length: count }, (_, i) => edges[i] ?? random.below(r));
    const shared = new SharedArrayBuffer(32 * count);
    scalars.forEach((scalar, i) => {
      writeBigint(new Uint8Array(shared), 32 * i, 32, scalar);
    });
    const windows = windowCount(bits, windowBits);
    const cutting = pool.cut(shared, windowBits, windows);
    await cutting.until(count);
    scalars.forEach((scalar, i) => {
      const got = Array.from({ length: windows }, (_, w) => cutting.digits[w * cutting.stride + i]!);
      expect(got).toEqual(digitsOf(scalar, windowBits, windows).map((digit) => digit + 2 ** (windowBits - 1)));
    });
  });
});
