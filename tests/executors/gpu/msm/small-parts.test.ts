import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../../../sdk/base/abort.js';
import { SerialQueue } from '../../../../sdk/executors/gpu/runtime/in-flight.js';
import { Pace } from '../../../../sdk/executors/gpu/runtime/pace.js';

describe('untilAborted', () => {
  it('gives the value, or the error, of what it waits for', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(untilAborted(Promise.resolve(7), undefined)).resolves.toBe(7);
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('rejects with ABORTED when the signal fires, or has fired', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(new Promise(() => {}), controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(untilAborted(new Promise(() => {}), controller.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('the pace', () => {
  it('starts low on a software device', () => {
    expect(new Pace(true).budget).toBeLessThan(new Pace(false).budget / 10);
  });

  it('follows a measured rate by steps', () => {
    const pace = new Pace(false);
    const first = pace.budget;
    pace.learn(first, 100);
    expect(pace.budget).toBeCloseTo(first / 2);
    pace.learn(pace.budget, 50_000);
    expect(pace.budget).toBeCloseTo(first / 8);
    pace.learn(pace.budget, 1);
    expect(pace.budget).toBeCloseTo(first);
  });

  it('learns nothing from a small submit, quick or slow', () => {
    const pace = new Pace(false);
    const { budget } = pace;
    pace.learn(1, 5);
    pace.learn(budget / 3, 500);
    expect(pace.budget).toBe(budget);
  });

  it('takes submits that are found done at the same time as one', () => {
    const pace = new Pace(false);
    const { budget } = pace;
    pace.learn(budget, 100);
    pace.learn(budget, 0.01);
    expect(pace.budget / budget).toBeCloseTo(1, 3);
  });
});

describe('the serial queue', () => {
  it('runs one task at a time, in order, after failures too', async () => {
    const queue = new SerialQueue();
    const log: string[] = [];
    const task = (name: string, fails: boolean) =>
      queue.run(async () => {
        log.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([task('a', true), task('b', false), task('c', false)]);
    expect(results.map((r) => r.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});
