import { describe, expect, it } from 'vitest';
import { limitConcurrency } from '../../sdk/base/limit-concurrency.js';

describe('limitConcurrency', () => {
  it.each([
    [0, 1],
    [1, 4],
    [7, 1],
    [7, 3],
    [3, Number.POSITIVE_INFINITY],
  ])('runs %i of %d at a time, each once and in order', async (count, limit) => {
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    await limitConcurrency(count, limit, async (i) => {
      begun.push(i);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    });
    expect(begun).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(most).toBe(Math.min(count, limit));
  });

  it('starts no more after a failure, and waits for the running ones', async () => {
    const ended: number[] = [];
    const failing = limitConcurrency(5, 2, async (i) => {
      if (i === 0) throw new Error('the first');
      await new Promise((resolve) => setTimeout(resolve, 5));
      ended.push(i);
    });
    await expect(failing).rejects.toThrow('the first');
    expect(ended).toEqual([1]);
  });
});
