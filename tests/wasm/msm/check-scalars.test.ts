import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToBigint } from '../../../sdk/base/bytes.js';
import { drawWeights, SHORT_CHECK_BITS } from '../../../sdk/bases/check-arithmetic.js';
import { signedDigits, windowCount } from '../../../sdk/bases/digits.js';
import { mod } from '../../../sdk/curves/modular.js';
import { checkScalarBytes } from '../../../sdk/executors/workers/kernel/check-kernel.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { encodeScalars } from '../../support/points.js';
import { edgeValues, Random } from '../../support/random.js';
import { CURVES_ON_GPU } from '../../support/registry.js';
import { loadKernel } from '../../support/wasm.js';

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 3 * i + 1);

describe.each(CURVES_ON_GPU)('check scalars of $id', ({ id, fr, scalarBytes }) => {
  const random = new Random(51);
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(id);
  });

  /** Scalars at whose windows digits are largest, or have carries. */
  const edges = (c: number): bigint[] => {
    const halves = [0n, 1n].map((above) => {
      let value = 0n;
      for (let bit = 0; bit + c < fr.bits; bit += c) value |= ((1n << BigInt(c - 1)) + above) << BigInt(bit);
      return value % fr.modulus;
    });
    return [...halves, ...edgeValues(fr.modulus)];
  };

  async function checkScalars(
    scalars: readonly (readonly bigint[])[],
    windowBits: number,
    rows: number,
    { scalarBits = fr.bits as number, first = 0, highest = false, isCentred = false } = {},
  ) {
    const batch = scalars.length;
    const windows = windowCount(scalarBits, windowBits);
    const weights = drawWeights(id, { windowBits, windows, rows }, batch);
    if (highest) {
      // The largest weights of unreduced rows, for the bounds.
      for (let at = 0; at < weights.ofRows.length; at++) weights.ofRows[at] = at % 8 < 5 ? 255 : 0;
    }
    const { ofWindows, limbs, reduced } = weights;
    const made = await kernel.checkScalars({
      scalars: encodeScalars(scalars.flat(), id),
      batch,
      windowBits,
      windows,
      isCentred,
      weights: ofWindows,
      limbs,
      reduced,
      key: KEY,
      first,
    });
    return { windows, weights, values: values(made, reduced) };
  }

  function values(bytes: Uint8Array, reduced: boolean): bigint[] {
    const size = checkScalarBytes(id, reduced);
    return Array.from({ length: bytes.length / size }, (_, i) => bytesToBigint(bytes, i * size, size));
  }

  /** The masks of points: check scalars without scalars. */
  async function masks(count: number, first = 0): Promise<bigint[]> {
    const none = { batch: 1, windowBits: 4, windows: 0, weights: new Uint8Array(0), limbs: 2, reduced: false };
    const scalars = new Uint8Array(count * scalarBytes);
    return values(await kernel.checkScalars({ ...none, scalars, key: KEY, first }), false);
  }

  it('have masks of 2^72 and 64 bits, by the number of the point', async () => {
    const all = await masks(20);
    expect(await masks(5, 10)).toEqual(all.slice(10, 15));
    expect(new Set(all).size).toBe(20);
    for (const mask of all) expect(mask >> 64n).toBe(1n << 8n);
  });

  it.each(Array.from({ length: 17 }, (_, i) => i + 4))(
    'are the masked sums of weighted digits of %i bits',
    async (c) => {
      const scalars = edges(c);
      const batch = [scalars, scalars.toReversed()];
      for (const highest of [false, true]) {
        const rows = windowCount(fr.bits, c);
        const { windows, weights, values } = await checkScalars(batch, c, rows, { highest });
        expect(weights.reduced).toBe(false);
        const own = await masks(scalars.length);
        const expected = own.map((mask, i) =>
          batch.reduce((sum, each, m) => {
            const digits = signedDigits(each[i]!, fr.bits, c);
            const weight = (w: number) => bytesToBigint(weights.ofRows, (m * windows + w) * 8, 8);
            return digits.reduce((total, digit, w) => total + weight(w) * BigInt(digit), sum);
          }, mask),
        );
        expect(values).toEqual(expected);
        for (const value of values) expect(value >> BigInt(SHORT_CHECK_BITS)).toBe(0n);
      }
    },
  );

  it('take the digits of r - s with the opposite sign where scalars are centred', async () => {
    const c = 7;
    const scalars = [...edges(c), (fr.modulus - 1n) / 2n, (fr.modulus + 1n) / 2n, fr.modulus - 5n];
    const scalarBits = fr.bits - 1;
    const rows = windowCount(scalarBits, c);
    const { weights, values } = await checkScalars([scalars], c, rows, { scalarBits, isCentred: true });
    const own = await masks(scalars.length);
    const expected = own.map((mask, i) => {
      const [scalar, sign] = 2n * scalars[i]! > fr.modulus ? [fr.modulus - scalars[i]!, -1n] : [scalars[i]!, 1n];
      const weight = (w: number) => bytesToBigint(weights.ofRows, w * 8, 8);
      return signedDigits(scalar, scalarBits, c).reduce(
        (total, digit, w) => total + sign * weight(w) * BigInt(digit),
        mask,
      );
    });
    expect(values).toEqual(expected);
  });

  it.each([
    [4, 1],
    [5, 13],
    [9, 15],
    [16, 2],
    [16, 8],
    [20, 7],
    [20, 12],
  ])('are reduced where windows of %i bits share %i rows', async (c, rows) => {
    const scalars = edges(c);
    const batch = [scalars, scalars.toReversed(), scalars.map(() => random.below(fr.modulus))];
    const { windows, weights, values } = await checkScalars(batch, c, rows);
    expect(weights.reduced).toBe(true);
    const own = await masks(scalars.length);
    const expected = own.map((mask, i) =>
      batch.reduce((sum, each, m) => {
        const digits = signedDigits(each[i]!, fr.bits, c);
        return digits.reduce((total, digit, w) => {
          const row = bytesToBigint(weights.ofRows, (m * rows + (w % rows)) * 8, 8);
          return total + (row << BigInt(Math.floor(w / rows) * rows * c)) * BigInt(digit);
        }, sum);
      }, mask),
    );
    expect(windows).toBeGreaterThan(rows);
    expect(values).toEqual(expected.map((value) => mod(value, fr.modulus)));
  });

  it('are positive and short for the largest batch of the largest digits', async () => {
    const c = 20;
    const [scalar] = edges(c);
    const windows = windowCount(fr.bits, c);
    // The digits of a check are below 2^31 together.
    const length = Math.min(256, Math.ceil(2 ** 31 / (windows * 2 ** (c - 1))) - 1);
    const batch = Array.from({ length }, () => [scalar!, fr.modulus - 1n, 0n]);
    const { values } = await checkScalars(batch, c, windows, { highest: true });
    for (const value of values) expect(value >> BigInt(SHORT_CHECK_BITS)).toBe(0n);
    const shared = await checkScalars(batch, c, 4);
    for (const value of shared.values) expect(value < fr.modulus).toBe(true);
  });

  it('are made of short scalars, of none, and not of half a batch', async () => {
    const { values } = await checkScalars([[5n, 0n]], 8, 4, { scalarBits: 30, first: 7 });
    const [first, second] = await masks(2, 7);
    expect(values[1]).toBe(second);
    expect((values[0]! - first!) % 5n).toBe(0n);
    expect((await checkScalars([[], []], 8, 32)).values).toEqual([]);
    const odd = {
      windowBits: 8,
      windows: 1,
      weights: new Uint8Array(16),
      limbs: 2,
      reduced: false,
      key: KEY,
      first: 0,
    };
    await expect(
      kernel.checkScalars({ ...odd, batch: 2, scalars: new Uint8Array(3 * scalarBytes) }),
    ).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    await expect(
      kernel.checkScalars({ ...odd, batch: 1, scalars: new Uint8Array(3 * scalarBytes) }),
    ).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});
