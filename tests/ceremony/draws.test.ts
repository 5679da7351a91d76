import { describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint } from '../../sdk/base/bytes.js';
import { ChaCha } from '../../sdk/ceremony/chacha.js';
import { cofactorOfG2, drawPoint, drawScalar } from '../../sdk/ceremony/draws.js';
import { SecretScalars } from '../../sdk/ceremony/secret-scalars.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import { edgeValues, Random } from '../support/random.js';
import { CURVES_WITH_PAIRING } from '../support/registry.js';
import { loadKernel } from '../support/wasm.js';

describe('the stream of ChaCha20', () => {
  it('is the one of RFC 7539 for a key and a nonce of zeros, over two blocks', () => {
    // A.1, test vectors 1 and 2, as little-endian words.
    const first = 'ade0b876903df1a0e56a5d4028bd8653b819d2bd1aed8da0ccef36a8c70d778b';
    const stream = new ChaCha(new Uint8Array(32));
    const words = Array.from({ length: 17 }, () => stream.next().toString(16).padStart(8, '0'));
    expect(words.slice(0, 8).join('')).toBe(first);
    expect(words[16]).toBe('bee7079f');
  });

  it('takes its key as big-endian words, and ends with zeros', () => {
    // A.1, test vector 4 has the key 00 ff 00 .. with little-endian words.
    const key = new Uint8Array(32);
    key[2] = 0xff;
    const stream = new ChaCha(key);
    const words = Array.from({ length: 48 }, () => stream.next().toString(16).padStart(8, '0'));
    expect(words[32]).toBe('fb4dd572');
    stream.wipe();
    expect(Array.from({ length: 15 }, () => stream.next())).toEqual(new Array(15).fill(0));
  });
});

describe.each(CURVES_WITH_PAIRING)('secrets over $id', (curve) => {
  const r = curve.fr.modulus;
  const R = 1n << 256n;

  it('have the value and the inverse that bigints give', () => {
    const random = new Random(3);
    const values = [...edgeValues(r).map((value) => mod(value, r)), random.below(r), random.below(r)];
    for (const value of new Set(values.filter((one) => one !== 0n))) {
      const scalars = new SecretScalars(curve.id);
      const found = scalars.fromMontgomery(bigintToBytes(mod(value * R, r), 32));
      expect(bytesToBigint(found.value)).toBe(value);
      expect(bytesToBigint(found.inverse)).toBe(inverse(value, r));
      scalars.wipe();
    }
  });

  it('are drawn below r, and points in the subgroup', async () => {
    const stream = new ChaCha(new Uint8Array(32).fill(7));
    for (let i = 0; i < 20; i++) expect(bytesToBigint(drawScalar(stream, curve)) < r).toBe(true);
    const kernel = await loadKernel(curve.id);
    const arithmetic = { ...kernel, combine: (args: Parameters<typeof kernel.combine>[0]) => kernel.combine(args) };
    for (const group of ['g1', 'g2'] as const) {
      const points = await drawPoint(stream, curve, group, arithmetic);
      expect(await kernel.isInSubgroup({ group, points })).toBe(true);
      expect(points.some((byte) => byte !== 0)).toBe(true);
    }
  });

  it('have a cofactor of G2 that r times gives the order of the twist', () => {
    const order = cofactorOfG2(curve) * r;
    // Hasse's bound over F_p^2.
    const p = curve.fq.modulus;
    const deviation = order - (p * p + 1n);
    expect(deviation * deviation <= 4n * p * p).toBe(true);
  });
});
