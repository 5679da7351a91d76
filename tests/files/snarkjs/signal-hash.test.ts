import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signalHash } from '../../../sdk/files/witness/circuit-code.js';

describe('signalHash', () => {
  // From the table of test vectors of the FNV reference code (Noll, lcn2/fnv), FNV-1a 64 bit.
  it.each([
    ['', 0xcbf29ce484222325n],
    ['a', 0xaf63dc4c8601ec8cn],
    ['foobar', 0x85944171f73967e8n],
  ])('of "%s" is the published one', (name, expected) => {
    const { high, low } = signalHash(name);
    expect((BigInt(high) << 32n) | BigInt(low)).toBe(expected);
  });

  it('gives two words of 32 bits', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const { high, low } = signalHash(name);
        for (const word of [high, low]) expect(word).toBe(word >>> 0);
      }),
    );
  });
});
