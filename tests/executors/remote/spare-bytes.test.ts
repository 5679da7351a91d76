import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpareBytes } from '../../../sdk/executors/remote/device-host.js';

describe('SpareBytes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gives the same memory again for as much or less', () => {
    const spare = new SpareBytes();
    const first = spare.take(100);
    spare.giveBack(first);
    const second = spare.take(60);
    expect(second.buffer).toBe(first.buffer);
    expect(second.length).toBe(60);
    spare.giveBack(second);
    expect(spare.take(100).buffer).toBe(first.buffer);
    expect(spare.take(100).buffer).not.toBe(first.buffer);
  });

  it('gives new memory for more', () => {
    const spare = new SpareBytes();
    const small = spare.take(10);
    spare.giveBack(small);
    expect(spare.take(11).buffer).not.toBe(small.buffer);
  });

  it('overwrites and forgets what nobody takes for a while, and what it has no use for', () => {
    const spare = new SpareBytes();
    const [first, second] = [spare.take(8).fill(1), spare.take(8).fill(2)];
    spare.giveBack(first);
    spare.giveBack(second);
    expect([...second]).toEqual(Array(8).fill(0));
    expect(first[0]).toBe(1);
    vi.runAllTimers();
    expect([...first]).toEqual(Array(8).fill(0));
    expect(spare.take(8).buffer).not.toBe(first.buffer);
  });
});
