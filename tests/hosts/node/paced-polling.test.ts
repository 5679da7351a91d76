import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { pacePolling } from '../../../sdk/hosts/node/node-gpu.js';

/** Polls, each asked for in the callback of the one before, as Dawn does, until `milliseconds` have passed; gives their number. */
function poll(scope: { setImmediate: (callback: () => void) => unknown }, milliseconds: number): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    let polls = 0;
    const next = () => {
      polls++;
      if (performance.now() - began < milliseconds) scope.setImmediate(next);
      else resolve(polls);
    };
    scope.setImmediate(next);
  });
}

describe('pacePolling', () => {
  it('polls a short wait at every turn and a long one about once a millisecond', async () => {
    let immediates = 0;
    const scope = {
      setImmediate: (callback: () => void): unknown => {
        immediates++;
        return setImmediate(callback);
      },
    };
    pacePolling(scope);
    let long = 0;
    // A busy machine may stall the process for the whole of a wait.
    for (let tries = 0; tries < 5 && long === immediates; tries++) {
      immediates = 0;
      long = await poll(scope, 60);
    }
    expect(long - immediates).toBeLessThanOrEqual(50);
    expect(long - immediates).toBeGreaterThan(0);
    expect(immediates).toBeGreaterThan(0);
    immediates = 0;
    // A new wait starts afresh.
    const short = await poll(scope, 2);
    expect(immediates).toBe(short);
  });

  it('passes arguments on, and goes on after a callback that throws', async () => {
    const failures: unknown[] = [];
    const callbacks: (() => void)[] = [];
    const scope = {
      setImmediate: (callback: (...args: unknown[]) => void, ..._args: unknown[]): unknown => callbacks.push(callback),
    };
    pacePolling(scope);
    const seen: unknown[] = [];
    scope.setImmediate((...args) => seen.push(args), 1, 'two');
    scope.setImmediate(() => {
      throw new Error('x');
    });
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        failures.push(error);
      }
    }
    expect(seen).toEqual([[1, 'two']]);
    expect(failures).toHaveLength(1);
    // Not taken for a poll of the wait that threw.
    await delay(15);
    scope.setImmediate(() => undefined);
    expect(callbacks).toHaveLength(3);
  });

  it('ends a wait during which a test advances fake timers', async () => {
    const scope = { setImmediate: setImmediate as (callback: () => void) => unknown };
    pacePolling(scope);
    vi.useFakeTimers();
    try {
      await new Promise<void>((resolve) => {
        scope.setImmediate(() => {
          vi.advanceTimersByTime(30_000);
          scope.setImmediate(resolve);
        });
      });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
