import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newBlake2b } from '../../sdk/ceremony/contributions.js';
import { nodeCeremonyPlatform } from '../../sdk/hosts/node/node-ceremony.js';

describe("Node's hash of much data", () => {
  it('is the Blake2b-512 of pages, in whatever parts the data come', () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
    fc.assert(
      fc.property(parts, (data) => {
        const [ours, theirs] = [nodeCeremonyPlatform.newHash(), newBlake2b()];
        for (const part of data) {
          ours.update(part);
          theirs.update(part);
        }
        const digest = ours.digest();
        expect(digest).toEqual(theirs.digest());
        expect(digest.buffer.byteLength).toBe(64);
      }),
    );
  });
});
