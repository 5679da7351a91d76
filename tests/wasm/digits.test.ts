import { beforeAll, describe, expect, it } from 'vitest';
import type { Kernel } from '../../sdk/cpu/kernel.js';
import { bls12377, bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { writeBigint } from '../../sdk/field/bytes.js';
import { signedDigits, windowCount } from '../../sdk/msm/digits.js';
import { edgeValues, Random } from '../support/random.js';
import { loadKernel } from '../support/wasm.js';

describe.each([bn254, bls12377])('signed digits of the scalars of $id', ({ id, fr }) => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(id);
  });

  const random = new Random(21);
  const scalars = [...edgeValues(fr.modulus), ...Array.from({ length: 50 }, () => random.below(fr.modulus))];
  const bytes = new Uint8Array(scalars.length * SCALAR_BYTES);
  for (const [i, scalar] of scalars.entries()) writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, scalar);

  /** Scalars whose windows all lie at the middle, where a digit turns negative. */
  const halves = (c: number): bigint[] =>
    [0n, 1n].map((above) => {
      let value = 0n;
      for (let bit = 0; bit + c < fr.bits; bit += c) value |= ((1n << BigInt(c - 1)) + above) << BigInt(bit);
      return value;
    });

  it.each(Array.from({ length: 17 }, (_, i) => i + 4))('cuts windows of %i bits', async (c) => {
    const all = [...scalars, ...halves(c)];
    const input = new Uint8Array(all.length * SCALAR_BYTES);
    input.set(bytes);
    for (const [i, scalar] of halves(c).entries())
      writeBigint(input, (scalars.length + i) * SCALAR_BYTES, SCALAR_BYTES, scalar);
    const digits = await kernel.cutDigits(input, c);
    expect(digits.length).toBe(windowCount(fr.bits, c) * all.length);
    for (const [i, scalar] of all.entries()) {
      const cut = Array.from({ length: windowCount(fr.bits, c) }, (_, w) => {
        const entry = digits[w * all.length + i]!;
        return entry & 0x80000000 ? -(entry & 0x7fffffff) : entry;
      });
      expect(cut).toEqual(signedDigits(scalar, fr.bits, c));
      // Zero has no sign.
      expect(cut.some((digit) => Object.is(digit, -0))).toBe(false);
    }
  });

  it('cuts no scalars to no digits', async () => {
    expect(await kernel.cutDigits(new Uint8Array(0), 8)).toEqual(new Uint32Array(0));
  });

  it.each([3, 21, 7.5, Number.NaN])('refuses windows of %d bits', async (c) => {
    await expect(kernel.cutDigits(bytes, c)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('refuses half a scalar', async () => {
    await expect(kernel.cutDigits(bytes.subarray(16), 8)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
  });
});
