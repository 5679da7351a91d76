import { expect, it } from 'vitest';
import { withTimeout } from '../../sdk/base/abort.js';

it('gives what the work gives, and its error', async () => {
  expect(await withTimeout(60_000, 'the storage', async () => 7)).toBe(7);
  await expect(withTimeout(60_000, 'the storage', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

it('rejects when the work takes too long, and ignores what comes of it', async () => {
  let fail = (_: Error): void => undefined;
  const work = (): Promise<never> =>
    new Promise((_, reject) => {
      fail = reject;
    });
  await expect(withTimeout(5, 'the storage', work)).rejects.toThrow('of the storage within 5 ms');
  fail(new Error('late'));
});
