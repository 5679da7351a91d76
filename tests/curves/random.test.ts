import { afterEach, describe, expect, it, vi } from 'vitest';
import { bigintToBytes, bytesToBigint } from '../../sdk/base/bytes.js';
import { randomBytes, randomScalar } from '../../sdk/curves/random.js';
import { draw, expectRandom } from '../support/expect-random.js';
import { ALL_CURVES } from '../support/registry.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('random bytes', () => {
  it('are drawn anew, as many as are asked for', async () => {
    expect(randomBytes(0)).toEqual(new Uint8Array(0));
    expect(randomBytes(1)).toHaveLength(1);
    expectRandom(await draw(() => randomBytes(16)));
  });

  it('are random to the last one, also where the platform gives only 65 536 at once', () => {
    for (const length of [65_535, 65_536, 65_537, 200_000]) {
      const bytes = randomBytes(length);
      expect(bytes).toHaveLength(length);
      const pieces = Array.from({ length: Math.floor(length / 64) }, (_, i) => bytes.subarray(64 * i, 64 * (i + 1)));
      expectRandom(pieces);
      // 4 zeros in a row come by chance once in 2^32 times.
      for (const at of [65_532, length - 4])
        if (at + 4 <= length) expect(bytes.slice(at, at + 4)).not.toEqual(new Uint8Array(4));
    }
    expect(randomBytes(65_537).slice(-1).buffer.byteLength).toBe(1);
  });
});

describe.each(ALL_CURVES)('random scalars of $id', ({ id, fr, scalarBytes }) => {
  it('are drawn anew, from all numbers below r', async () => {
    const samples = await draw(() => randomScalar(id));
    expectRandom(samples, fr.modulus);
    // The highest bits follow r. Of the others half are set: 120, with a deviation of 8.
    for (let bit = 0; bit < fr.bits - 8; bit++) {
      const set = samples.filter((bytes) => (bytes[bit >> 3]! >> (bit & 7)) & 1).length;
      expect(Math.abs(set - samples.length / 2), `bit ${bit}`).toBeLessThan(64);
    }
  });

  it('are drawn again until they are below r', () => {
    const r = fr.modulus;
    const drawn = [2n ** BigInt(fr.bits) - 1n, r + 1n, r, r - 1n].filter((value) => value < 2n ** BigInt(fr.bits));
    let calls = 0;
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      const own = bytes as Uint8Array;
      own.set(bigintToBytes(drawn[calls++]!, scalarBytes));
      // Bits that no scalar has are of no account.
      own[scalarBytes - 1]! <<= 8 * scalarBytes - fr.bits;
      return bytes;
    });
    expect(bytesToBigint(randomScalar(id))).toBe(r - 1n);
    expect(calls).toBe(drawn.length);
    drawn.push(0n);
    expect(bytesToBigint(randomScalar(id))).toBe(0n);
  });
});
