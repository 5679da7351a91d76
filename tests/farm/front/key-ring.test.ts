import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestOf, KeyRing, newApiKey } from '../../../farm/src/front/api-keys.js';
import { draw, expectRandom } from '../../support/expect-random.js';

const { key, sha256 } = newApiKey();

/** The hash of the key with one bit changed. */
function hashWithout(byte: number, bit: number): string {
  const digest = Buffer.from(digestOf(key));
  digest[byte]! ^= 1 << bit;
  return digest.toString('hex');
}

it('an API key is known by every byte of its hash', () => {
  const others = Array.from({ length: 32 }, (_, byte) => ({ name: `o-${byte}`, sha256: hashWithout(byte, byte % 8) }));
  expect(new KeyRing(others).find(key)).toBeUndefined();
  const own = { name: 'own', sha256 };
  for (const apiKeys of [
    [own, ...others],
    [...others, own],
  ]) {
    const ring = new KeyRing(apiKeys);
    expect(ring.find(key)).toBe(own);
    expect(ring.bearer(`Bearer ${key}`)).toBe(own);
    expect(ring.basic(`Basic ${Buffer.from(`x:${key}`).toString('base64')}`)).toBe(own);
  }
});

it('a header of another kind carries no key', () => {
  const ring = new KeyRing([{ name: 'own', sha256 }]);
  const pair = Buffer.from(`x:${key}`).toString('base64');
  for (const header of [undefined, '', key, pair, `Basic ${pair}!`, `Digest ${pair}`, 'Basic', 'Bearer', 'Basic !']) {
    expect(ring.basic(header)).toBeUndefined();
    expect(ring.bearer(header)).toBeUndefined();
  }
  expect(ring.basic(`Bearer ${key}`)).toBeUndefined();
  expect(ring.bearer(`Basic ${pair}`)).toBeUndefined();
});

it('an API key has 256 bits that are drawn for it alone', async () => {
  const keys = await draw(() => {
    const { key, sha256 } = newApiKey();
    expect(sha256).toBe(createHash('sha256').update(key).digest('hex'));
    const bytes = Buffer.from(key.slice('pippin_'.length), 'base64url');
    expect(bytes).toHaveLength(32);
    return bytes;
  });
  expectRandom(keys);
});
