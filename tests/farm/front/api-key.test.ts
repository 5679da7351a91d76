import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { newApiKey } from '../../../farm/src/index.js';
import { draw, expectRandom } from '../../support/expect-random.js';

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
