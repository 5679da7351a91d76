import { expect, it } from 'vitest';
import { within } from '../../sdk/cache/within.js';

it('gives what the work gives, and its error', async () => {
  expect(await within(60_000, async () => 7)).toBe(7);
  await expect(within(60_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

it('rejects when the work takes too long, and ignores what comes of it', async () => {
  let fail = (_: Error): void => undefined;
  const work = (): Promise<never> =>
    new Promise((_, reject) => {
      fail = reject;
    });
  await expect(within(5, work)).rejects.toThrow('within 5 ms');
  fail(new Error('late'));
});
