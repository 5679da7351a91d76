import { expect, it } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { loadPart } from '../../sdk/base/load-part.js';

it('gives the part', async () => {
  expect(await loadPart('MSMs', async () => 7)).toBe(7);
});

it.each(['IO_FAILED', 'WEBGPU_UNAVAILABLE'] as const)(
  'rejects with %s and the cause, and tries again',
  async (code) => {
    const cause = new TypeError('Failed to fetch dynamically imported module');
    let tries = 0;
    const load = async (): Promise<string> => {
      if (tries++ === 0) throw cause;
      return 'code';
    };
    const begin = () => (code === 'IO_FAILED' ? loadPart('MSMs', load) : loadPart('MSMs', load, code));
    const error = await begin().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(PippinError);
    expect(error).toMatchObject({
      code,
      cause,
      message: `expected the code for MSMs, could not load it: ${cause.message}`,
      hint: expect.stringContaining('create another prover'),
    });
    expect(await begin()).toBe('code');
  },
);
