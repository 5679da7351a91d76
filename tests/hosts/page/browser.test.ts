import { expect, it } from 'vitest';
import { createProver } from '../../../sdk/hosts/page/browser.js';

it('rejects in an environment without workers, such as a service worker, and says where to go', async () => {
  // Node's main thread has no global Worker, as a service worker has none.
  expect(typeof Worker).toBe('undefined');
  await expect(createProver()).rejects.toMatchObject({
    name: 'PippinError',
    code: 'UNSUPPORTED_ENVIRONMENT',
    hint: expect.stringContaining('offscreen document'),
  });
});
