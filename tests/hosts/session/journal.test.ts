import { expect, it, vi } from 'vitest';
import { Journal, type JournalEntry, type JournalStore } from '../../../sdk/hosts/session/journal.js';
import type { ProofResult } from '../../../sdk/hosts/webview/proof-queue.js';

const HOUR = 3_600_000;

/** A store that outlives its journals. */
class MemoryStore implements JournalStore<ProofResult> {
  readonly entries = new Map<string, JournalEntry<ProofResult>>();

  async read(): Promise<readonly JournalEntry<ProofResult>[]> {
    return [...this.entries.values()].reverse();
  }
  async write(entry: JournalEntry<ProofResult>): Promise<void> {
    this.entries.set(entry.id, entry);
  }
  async delete(id: string): Promise<void> {
    this.entries.delete(id);
  }
}

const resultOf = (id: string): ProofResult => ({
  id,
  circuit: 'note',
  proof: { pi_a: [], pi_b: [], pi_c: [], protocol: 'groth16', curve: 'bn128' },
  publicSignals: ['1'],
  backend: 'wasm',
  ms: 1,
  attempts: 1,
});

async function opened(store: JournalStore<ProofResult> | undefined, now = 0): Promise<Journal<ProofResult>> {
  const journal = new Journal<ProofResult>(store, () => now);
  await journal.open();
  return journal;
}

it('a later page knows the results, and what was under way', async () => {
  const store = new MemoryStore();
  const first = await opened(store);
  for (const id of ['made', 'begun', 'failed']) first.begin(id);
  first.finish(resultOf('made'));
  first.forget('failed');
  expect(first.wasInterrupted('begun')).toBe(false);

  const second = await opened(store);
  expect(second.result('made')).toEqual(resultOf('made'));
  expect(['made', 'begun', 'failed'].map((id) => second.wasInterrupted(id))).toEqual([false, true, false]);
  second.begin('begun');
  expect(second.wasInterrupted('begun')).toBe(false);
  second.forget('made');
  expect((await opened(store)).result('made')).toBeUndefined();
});

it('drops what is a day old, and the oldest of more than 64', async () => {
  const store = new MemoryStore();
  const first = await opened(store);
  for (let i = 0; i < 65; i++) first.finish(resultOf(`${i}`));
  expect([first.result('0'), first.result('1')?.id, first.result('64')?.id]).toEqual([undefined, '1', '64']);
  expect(store.entries.size).toBe(64);
  expect((await opened(store, 24 * HOUR)).result('64')?.id).toBe('64');
  expect((await opened(store, 24 * HOUR + 1)).result('64')).toBeUndefined();
  expect(store.entries.size).toBe(0);
});

it('drops what becomes a day old while the page runs, also where nothing new is written', async () => {
  const store = new MemoryStore();
  let now = 0;
  const journal = new Journal<ProofResult>(store, () => now);
  await journal.open();
  journal.finish(resultOf('a'));
  now = HOUR;
  journal.begin('b');
  now = 24 * HOUR;
  expect(journal.result('a')?.id).toBe('a');
  now++;
  expect(journal.result('a')).toBeUndefined();
  expect([...store.entries.keys()]).toEqual(['b']);
  now = 26 * HOUR;
  expect(journal.wasInterrupted('b')).toBe(false);
  expect(store.entries.size).toBe(0);
});

it('forgets that a proof was cut off a day ago', async () => {
  const store = new MemoryStore();
  (await opened(store)).begin('a');
  let now = 24 * HOUR;
  const journal = new Journal<ProofResult>(store, () => now);
  await journal.open();
  expect(journal.wasInterrupted('a')).toBe(true);
  now++;
  expect(journal.wasInterrupted('a')).toBe(false);
});

it('goes on after 3 s with a store that never answers, and does not ask it without end', async () => {
  vi.useFakeTimers();
  try {
    let asked = 0;
    const never = (): Promise<never> => {
      asked++;
      return new Promise(() => undefined);
    };
    const journal = new Journal<ProofResult>({ read: never, write: never, delete: never });
    let isOpen = false;
    void journal.open().then(() => {
      isOpen = true;
    });
    await vi.advanceTimersByTimeAsync(2999);
    expect(isOpen).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOpen).toBe(true);
    for (let i = 0; i < 500; i++) journal.finish(resultOf(`${i}`));
    expect(journal.result('499')?.id).toBe('499');
    expect(asked).toBe(1 + 256);
  } finally {
    vi.useRealTimers();
  }
});

it('works for the life of the page without a store, and with one that fails', async () => {
  const denied = (): Promise<never> => Promise.reject(new Error('denied'));
  for (const store of [undefined, { read: denied, write: denied, delete: denied }]) {
    const journal = await opened(store);
    journal.begin('a');
    journal.finish(resultOf('a'));
    expect(journal.result('a')).toEqual(resultOf('a'));
    journal.forget('a');
    expect(journal.result('a')).toBeUndefined();
  }
});

it('reads again what another page has written, and keeps what it knows itself', async () => {
  const store = new MemoryStore();
  const [one, other] = [await opened(store), await opened(store)];
  other.begin('theirs');
  one.begin('mine');
  await one.open();
  expect([one.wasInterrupted('mine'), one.wasInterrupted('theirs')]).toEqual([false, true]);
  other.finish(resultOf('theirs'));
  one.finish(resultOf('mine'));
  store.entries.set('mine', { id: 'mine', result: undefined, at: 0 });
  await one.open();
  expect(one.wasInterrupted('theirs')).toBe(false);
  expect(one.results().map(({ id }) => id)).toEqual(['mine', 'theirs']);
});

it('has limits that its owner sets', async () => {
  let now = 0;
  const journal = new Journal<ProofResult>(undefined, () => now, { most: 2, keepMs: 10 });
  for (const id of ['a', 'b', 'c']) journal.finish(resultOf(id));
  expect(journal.results().map(({ id }) => id)).toEqual(['b', 'c']);
  now = 11;
  expect(journal.results()).toEqual([]);
});
