import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answeringStore, closableStore } from '../../../sdk/files/cache/chunk-store.js';
import { FaultyStore } from '../../support/faulty-store.js';

describe('a closable store', () => {
  it('passes on what the store answers, faults included', async () => {
    const inner = new FaultyStore();
    const store = closableStore(inner);
    await store.set('a', new Uint8Array([1]));
    expect(await store.get('a')).toEqual(new Uint8Array([1]));
    expect(await store.keys()).toEqual(['a']);
    inner.fault = () => {
      throw new Error('full');
    };
    await expect(store.delete('a')).rejects.toThrow('full');
  });

  it('is closed when its operations have ended, well or not, and refuses others', async () => {
    const inner = new FaultyStore();
    const ends: (() => void)[] = [];
    inner.get = () => new Promise((resolve) => ends.push(() => resolve(undefined)));
    inner.set = () => new Promise((_, reject) => ends.push(() => reject(new Error('full'))));
    const store = closableStore(inner);
    const reading = store.get('a');
    const writing = expect(store.set('a', new Uint8Array(1))).rejects.toThrow('full');
    let isClosed = false;
    const closing = store.close().then(() => {
      isClosed = true;
    });
    for (const end of ends) {
      await new Promise((resolve) => setTimeout(resolve));
      expect(isClosed).toBe(false);
      end();
    }
    await Promise.all([reading, writing, closing]);
    for (const late of [store.get('a'), store.set('a', new Uint8Array(1)), store.delete('a'), store.keys()]) {
      await expect(late).rejects.toMatchObject({ code: 'ABORTED' });
    }
    expect(ends).toHaveLength(2);
    await store.close();
  });
});

describe('a store that must answer', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

  it('passes on what the store answers, faults included', async () => {
    const inner = new FaultyStore();
    const store = await answeringStore(async () => inner);
    await store.set('a', new Uint8Array([1]));
    expect(await store.get('a')).toEqual(new Uint8Array([1]));
    expect(await store.keys()).toEqual(['a']);
    inner.fault = () => {
      throw new Error('full');
    };
    await expect(store.delete('a')).rejects.toThrow('full');
    inner.fault = () => undefined;
    await store.delete('a');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects after 30 s without an answer, and at once after two of them', async () => {
    const inner = new FaultyStore();
    const store = await answeringStore(async () => inner);
    const { get } = inner;
    const unanswered = async (): Promise<void> => {
      inner.get = never;
      const reading = expect(store.get('a')).rejects.toThrow('within 30000 ms');
      await vi.advanceTimersByTimeAsync(30_000);
      await reading;
      inner.get = get;
    };
    await unanswered();
    expect(await store.get('a')).toBe(undefined);
    await unanswered();
    await unanswered();
    await expect(store.set('b', new Uint8Array(1))).rejects.toThrow('within 30000 ms');
    expect(inner.written).toEqual([]);
  });

  it('rejects when it does not open', async () => {
    const opening = expect(answeringStore(never)).rejects.toThrow('within 30000 ms');
    await vi.advanceTimersByTimeAsync(30_000);
    await opening;
  });
});
