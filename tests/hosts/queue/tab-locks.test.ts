import { describe, expect, it } from 'vitest';
import { TabLocks } from '../../../sdk/hosts/queue/tab-locks.js';
import { FakeLocks } from './fake-locks.js';

const { signal } = new AbortController();

/** Work that ends when the test says so. */
function held() {
  let end = (): void => undefined;
  let fail = (_: Error): void => undefined;
  let begun = 0;
  const promise = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const work = (): Promise<void> => {
    begun++;
    return promise;
  };
  return { work, end: () => end(), fail: (error: Error) => fail(error), begun: () => begun };
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Three pages of one origin. */
function pages() {
  const locks = new FakeLocks();
  return ['a', 'b', 'c'].map((page) => new TabLocks(locks.for(page), 'test'));
}

describe('inPlace', () => {
  it('lets as many pages work as there are places, and the next when one has ended', async () => {
    const works = [held(), held(), held()];
    const outcomes = pages().map((locks, i) => locks.inPlace('place', 2, signal, works[i]!.work));
    await settled();
    expect(works.map(({ begun }) => begun())).toEqual([1, 1, 0]);
    works[1]!.end();
    await settled();
    expect(works.map(({ begun }) => begun())).toEqual([1, 1, 1]);
    for (const { end } of works) end();
    await Promise.all(outcomes);
  });

  it('gives back every lock, so that all places are free again, also after an error', async () => {
    const [locks] = pages();
    for (let i = 0; i < 3; i++) {
      const failing = held();
      failing.fail(new Error('broken'));
      await expect(locks!.inPlace('place', 3, signal, failing.work)).rejects.toThrow('broken');
    }
    const works = [held(), held(), held()];
    const outcomes = works.map(({ work }) => locks!.inPlace('place', 3, signal, work));
    await settled();
    expect(works.map(({ begun }) => begun())).toEqual([1, 1, 1]);
    for (const { end } of works) end();
    await Promise.all(outcomes);
  });

  it('ends the wait with ABORTED, and leaves the place to others', async () => {
    const [a, b, c] = pages();
    const first = held();
    const outcome = a!.inPlace('place', 1, signal, first.work);
    const controller = new AbortController();
    const second = held();
    const waiting = b!.inPlace('place', 1, controller.signal, second.work);
    await settled();
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    first.end();
    await outcome;
    await c!.inPlace('place', 1, signal, async () => undefined);
    expect(second.begun()).toBe(0);
  });
});

describe('ifFree and untilFree', () => {
  it('tell whether another page has a lock, and wait for it', async () => {
    const [a, b] = pages();
    const first = held();
    const outcome = a!.ifFree('id', async () => {
      await first.work();
      return true;
    });
    await settled();
    expect(await b!.ifFree('id', async () => true)).toBeUndefined();
    let isFree = false;
    const waiting = b!.untilFree('id', undefined).then(() => {
      isFree = true;
    });
    await settled();
    expect(isFree).toBe(false);
    first.end();
    await waiting;
    expect(await outcome).toBe(true);
    expect(await b!.ifFree('id', async () => true)).toBe(true);
  });
});

it('without Web Locks every page takes its turns alone', async () => {
  const locks = new TabLocks(undefined, 'test');
  expect(await locks.exclusive('load', signal, async () => 1)).toBe(1);
  expect(await locks.ifFree('id', async () => 2)).toBe(2);
  await locks.untilFree('id', undefined);
  await locks.inPlace('place', 1, signal, async () => undefined);
});
