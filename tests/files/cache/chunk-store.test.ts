import { expect, it } from 'vitest';
import { closableStore } from '../../../sdk/files/cache/chunk-store.js';
import { FaultyStore } from '../../support/faulty-store.js';

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
