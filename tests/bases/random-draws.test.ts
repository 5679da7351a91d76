import { describe, expect, it } from 'vitest';
import { bytesToBigint } from '../../sdk/base/bytes.js';
import { drawWeights, WEIGHT_BITS } from '../../sdk/bases/check-arithmetic.js';
import { type MaskRequest, newMaskKey, ScalarMasks } from '../../sdk/bases/scalar-masks.js';
import { CURVES } from '../../sdk/curves/index.js';
import { draw, expectRandom, SAMPLES } from '../support/expect-random.js';
import { ALL_CURVES } from '../support/registry.js';

describe('the key of masks', () => {
  it('has 128 bits that are drawn anew each time', async () => {
    expect(newMaskKey()).toHaveLength(16);
    expectRandom(await draw(newMaskKey));
  });
});

describe.each(ALL_CURVES)('the masks of proofs of constant work over $id', ({ id, fr, scalarBytes }) => {
  const asked: MaskRequest[] = [];
  const mask = async (request: MaskRequest): Promise<Uint8Array> => {
    asked.push({ ...request, key: request.key.slice(), factors: request.factors.slice() });
    return request.scalars;
  };

  it('have a key for each vector, and factors below r for each multiplication', async () => {
    asked.length = 0;
    for (let i = 0; i < SAMPLES; i++) {
      const masks = new ScalarMasks(id, mask);
      await masks.draw().addTo(new Uint8Array(scalarBytes), 7, undefined);
    }
    expectRandom(asked.map(({ key }) => key));
    expectRandom(
      asked.map(({ factors }) => factors),
      fr.modulus,
    );
    expect(asked.every(({ first }) => first === 7)).toBe(true);
  });

  it('have other factors for each call and for each multiplication of a batch', async () => {
    asked.length = 0;
    const masks = new ScalarMasks(id, mask);
    for (let i = 0; i < SAMPLES / 4; i++) await masks.draw(4).of(0, 2, undefined);
    const factors = asked.flatMap((request) =>
      Array.from({ length: 4 }, (_, m) => request.factors.subarray(m * scalarBytes, (m + 1) * scalarBytes)),
    );
    expectRandom(factors, fr.modulus);
    // One vector keeps its key, because sums of its masks are kept.
    expect(new Set(asked.map(({ key }) => String(key))).size).toBe(1);
  });

  it('are themselves where nothing is multiplied', async () => {
    asked.length = 0;
    const made = await new ScalarMasks(id, mask).of(3, 5, undefined);
    expect(made).toEqual(new Uint8Array(5 * scalarBytes));
    expect(asked).toHaveLength(1);
    expect(asked[0]!.first).toBe(3);
    expect(bytesToBigint(asked[0]!.factors)).toBe(1n);
  });

  it('leave no factors in memory', async () => {
    let given: Uint8Array | undefined;
    const kept = new ScalarMasks(id, async ({ factors, scalars }) => {
      given = factors;
      return scalars;
    });
    await kept.draw(2).of(0, 1, undefined);
    expect(given).toEqual(new Uint8Array(2 * scalarBytes));
  });
});

describe('the weights of a check', () => {
  /** Each of 40 bits in 8 bytes. */
  const weightsIn = (bytes: Uint8Array): Uint8Array[] =>
    Array.from({ length: bytes.length / 8 }, (_, i) => bytes.subarray(8 * i, 8 * (i + 1)));

  it('are drawn anew for each row, each multiplication and each call', () => {
    const plan = { windowBits: 16, windows: 4, rows: 4 };
    const calls = Array.from({ length: SAMPLES / 4 }, () => drawWeights('bn254', plan, 3));
    expectRandom(
      calls.flatMap(({ ofRows }) => weightsIn(ofRows)),
      1n << BigInt(WEIGHT_BITS),
    );
    for (const { ofRows, ofWindows, limbs, reduced } of calls) {
      expect(ofRows).toHaveLength(3 * 4 * 8);
      expect(ofWindows).toBe(ofRows);
      expect({ limbs, reduced }).toEqual({ limbs: 2, reduced: false });
    }
  });

  it('are refused for as many digits as a check scalar has no room for', () => {
    const plan = { windowBits: 16, windows: 16, rows: 16 };
    expect(() => drawWeights('bn254', plan, 4095)).not.toThrow();
    expect(() => drawWeights('bn254', plan, 4096)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it("are those of the rows times a window's place, where points have multiples", () => {
    const { modulus } = CURVES['bls12-381'].fr;
    const [windowBits, rows, windows] = [12, 7, 22];
    const calls = Array.from({ length: SAMPLES / 4 }, () => drawWeights('bls12-381', { windowBits, windows, rows }, 2));
    const ofRows = calls.flatMap((weights) => weightsIn(weights.ofRows));
    expectRandom(ofRows, 1n << BigInt(WEIGHT_BITS));
    for (const weights of calls) {
      expect(weights).toMatchObject({ limbs: 8, reduced: true });
      expect(weights.ofWindows).toHaveLength(2 * windows * 32);
      for (let m = 0; m < 2; m++) {
        for (let w = 0; w < windows; w++) {
          const ofRow = bytesToBigint(weights.ofRows, (m * rows + (w % rows)) * 8, 8);
          const place = BigInt(rows * windowBits * Math.floor(w / rows));
          expect(bytesToBigint(weights.ofWindows, (m * windows + w) * 32, 32)).toBe((ofRow << place) % modulus);
        }
      }
    }
  });
});
