import { beforeAll, describe, expect, it } from 'vitest';
import { inverse } from '../../../sdk/curves/modular.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { scalarsFromBytes, scalarsToBytes } from '../../support/scalar-bytes.js';
import { sipHash } from '../../support/siphash.js';
import { loadKernel } from '../../support/wasm.js';

const KEY = Array.from({ length: 16 }, (_, i) => 11 * i + 2);

describe.each(ALL_CURVES)('masked scalars of $id', ({ id, scalarBytes, fr: { modulus } }) => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(id);
  });

  /** The mask with a number: as many hashes as a scalar has words of 64 bits, and one more, in Montgomery's way. */
  const maskOf = (number: number): bigint => {
    const hashes = scalarBytes / 8 + 1;
    let bits = 0n;
    for (let h = hashes - 1; h >= 0; h--) bits = (bits << 64n) | sipHash(KEY, BigInt(number * hashes + h));
    return (bits * inverse(1n << BigInt(64 * hashes), modulus)) % modulus;
  };

  const mask = async (scalars: readonly bigint[], first: number, factors: readonly bigint[]): Promise<bigint[]> => {
    const [own, byMultiplication] = [scalarsToBytes(scalars, scalarBytes), scalarsToBytes(factors, scalarBytes)];
    const args = { scalars: own, key: Uint8Array.from(KEY), first, factors: byMultiplication };
    return scalarsFromBytes(await kernel.maskScalars(args), scalarBytes);
  };

  it('have the multiple of the mask of their number added', async () => {
    const random = new Random(61);
    const scalars = [...edgeValues(modulus), ...Array.from({ length: 20 }, () => random.below(modulus))];
    for (const factor of [0n, 1n, modulus - 1n, random.below(modulus)]) {
      for (const first of [0, 1_000_000]) {
        const expected = scalars.map((scalar, i) => (scalar + factor * maskOf(first + i)) % modulus);
        expect(await mask(scalars, first, [factor])).toEqual(expected);
      }
    }
  });

  it('meet 0 and the order where scalars and masks are opposite', async () => {
    const masks = Array.from({ length: 8 }, (_, i) => maskOf(i));
    expect(
      await mask(
        masks.map((each) => modulus - each),
        0,
        [1n],
      ),
    ).toEqual(masks.map(() => 0n));
    const almost = masks.map((each, i) => (modulus - each + BigInt((i % 3) - 1) + modulus) % modulus);
    expect(await mask(almost, 0, [1n])).toEqual(masks.map((_, i) => (BigInt((i % 3) - 1) + modulus) % modulus));
  });

  it('have a factor for each multiplication of a batch', async () => {
    const [values, factors] = [[5n, 0n, modulus - 1n], [3n, 1n] as const];
    const expected = factors.flatMap((factor) => values.map((value, i) => (value + factor * maskOf(7 + i)) % modulus));
    expect(await mask([...values, ...values], 7, factors)).toEqual(expected);
    expect(await mask([], 0, [1n])).toEqual([]);
    // With others between them.
    const [between, key] = [[2n, 4n], Uint8Array.from(KEY)];
    const apart = scalarsToBytes([...values, ...between, ...values], scalarBytes);
    const args = { key, first: 7, factors: scalarsToBytes(factors, scalarBytes), stride: 5 * scalarBytes };
    expect(scalarsFromBytes(await kernel.maskScalars({ ...args, scalars: apart }), scalarBytes)).toEqual(expected);
  });
});
