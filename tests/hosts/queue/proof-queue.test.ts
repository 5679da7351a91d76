import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlonkProof } from '../../../sdk/api/index.js';
import { PippinError } from '../../../sdk/base/errors.js';
import type { ProofQueue, ProofQueueOptions, QueueRequest } from '../../../sdk/hosts/queue/api.js';
import { createProofQueue, proofQueueOn, type QueuePlatform } from '../../../sdk/hosts/queue/create-proof-queue.js';
import type { KeptOutcome } from '../../../sdk/hosts/queue/wallet-queue.js';
import type { JournalEntry } from '../../../sdk/hosts/session/journal.js';
import { FakeProver } from '../../support/fake-prover.js';
import { FakeLocks } from './fake-locks.js';

/** Pages of one origin, which share locks and storage. */
let locks: FakeLocks;
let entries: Map<string, JournalEntry<KeptOutcome>>;
const queues: ProofQueue[] = [];
beforeEach(() => {
  locks = new FakeLocks();
  entries = new Map();
});
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.dispose()));
});

function open(page: string, options: ProofQueueOptions = {}, platform: Partial<QueuePlatform> = {}) {
  const prover = new FakeProver();
  const queue = proofQueueOn(
    {
      locks: locks.for(page),
      document: undefined,
      getBattery: undefined,
      openJournal: () => ({
        read: async () => [...entries.values()],
        write: async (entry) => void entries.set(entry.id, entry),
        delete: async (id) => void entries.delete(id),
      }),
      ...platform,
    },
    prover.asProver,
    options,
  );
  queues.push(queue);
  return { prover, queue };
}

const request = (id: string, more: Partial<QueueRequest> = {}): QueueRequest => ({
  id,
  zkey: 'note.zkey',
  circuit: 'note.wasm',
  inputs: { id },
  ...more,
});
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
/** The ids of the proofs that a prover was asked for. */
const asked = ({ proofs }: FakeProver): unknown[] => proofs.map(({ given }) => (given[0] as { id: string }).id);
/** Takes the rejection of a promise whose outcome does not matter. */
const ignored = (outcome: Promise<unknown>): void => void outcome.catch(() => undefined);

describe('a queue', () => {
  it('proves with the proof system that the file of the key tells', async () => {
    const { prover, queue } = open('a');
    prover.protocolOf = (url) => (url === 'vote.zkey' ? 'plonk' : 'groth16');
    const outcomes = [queue.add(request('note')), queue.add<PlonkProof>(request('vote', { zkey: 'vote.zkey' }))];
    for (let i = 0; i < 2; i++) {
      await settled();
      prover.proofs[i]!.succeed();
    }
    expect((await Promise.all(outcomes)).map(({ proof }) => proof.protocol)).toEqual(['groth16', 'plonk']);
  });

  it('makes one proof at a time, by priority, with one load of the key', async () => {
    const { prover, queue } = open('a');
    const outcomes = ['first', 'later', 'urgent'].map((id, i) => queue.add(request(id, { priority: [0, -1, 1][i]! })));
    await settled();
    expect(queue.list().map(({ id, state }) => `${id} ${state}`)).toEqual([
      'urgent queued',
      'first running',
      'later queued',
    ]);
    for (let i = 0; i < 3; i++) {
      prover.proofs[i]!.succeed();
      await settled();
    }
    expect(asked(prover)).toEqual(['first', 'urgent', 'later']);
    expect(prover.loaded).toHaveLength(1);
    expect((await Promise.all(outcomes)).map(({ id }) => id)).toEqual(['first', 'later', 'urgent']);
    expect(queue.list().map(({ id, state }) => `${id} ${state}`)).toEqual([
      'first proved',
      'urgent proved',
      'later proved',
    ]);
  });

  it('tells changes, and the progress of loading and proving on one scale', async () => {
    const told: string[] = [];
    const events: number[] = [];
    const { prover, queue } = open('a', {
      onChange: ({ id, state, progress }) => void told.push(`${id} ${state} ${progress}`),
    });
    const onProgress: QueueRequest['onProgress'] = (event) => event.kind === 'progress' && events.push(event.done);
    const outcome = queue.add(request('a', { onProgress, proveOptions: { verify: false } }));
    await settled();
    const { options } = prover.proofs[0]!;
    expect(options.verify).toBe(false);
    options.onProgress?.({ kind: 'progress', phase: 'msm', done: 50, total: 100 });
    prover.proofs[0]!.succeed();
    const { proof, publicSignals, report } = await outcome;
    expect([proof.protocol, publicSignals, report]).toEqual(['groth16', ['1'], {}]);
    expect(told).toEqual(['a running 0', 'a running 0.7', 'a proved 1']);
    expect(events).toEqual([70]);
  });

  it('rejects with the error of a failed proof, and forgets its id', async () => {
    const { prover, queue } = open('a');
    const outcome = queue.add(request('a'));
    await settled();
    prover.proofs[0]!.fail(new PippinError('WITNESS_REJECTED', 'no'));
    await expect(outcome).rejects.toMatchObject({ code: 'WITNESS_REJECTED' });
    await expect(queue.result('a')).rejects.toMatchObject({ code: 'INVALID_HANDLE' });
    prover.failNextLoad = new PippinError('IO_FAILED', 'offline');
    await expect(queue.add(request('a', { zkey: 'other.zkey' }))).rejects.toMatchObject({ code: 'IO_FAILED' });
    ignored(queue.add(request('a')));
    await settled();
    expect(asked(prover)).toEqual(['a', 'a']);
  });

  it('cancels by id and by signal what waits and what is being made', async () => {
    const { prover, queue } = open('a');
    const controller = new AbortController();
    const outcomes = [
      queue.add(request('a')),
      queue.add(request('b', { signal: controller.signal })),
      queue.add(request('c')),
    ];
    await settled();
    controller.abort();
    expect([queue.cancel('a'), queue.cancel('b'), queue.cancel('unknown')]).toEqual([true, false, false]);
    for (const outcome of outcomes.slice(0, 2)) await expect(outcome).rejects.toMatchObject({ code: 'ABORTED' });
    await settled();
    expect(prover.proofs.map(({ options }) => options.signal?.aborted)).toEqual([true, false]);
    expect(asked(prover)).toEqual(['a', 'c']);
    await expect(queue.add(request('d', { signal: controller.signal }))).rejects.toMatchObject({ code: 'ABORTED' });
    prover.proofs[1]!.succeed();
    await outcomes[2];
    // Too late.
    expect(queue.cancel('c')).toBe(false);
  });

  it('refuses an id that is pending or kept, until it is forgotten', async () => {
    const { prover, queue } = open('a');
    const first = queue.add(request('a'));
    await expect(queue.add(request('a'))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    queue.forget('a');
    await settled();
    prover.proofs[0]!.succeed();
    await first;
    await settled();
    await expect(queue.add(request('a'))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await queue.result('a')).publicSignals).toEqual(['1']);
    queue.forget('a');
    ignored(queue.add(request('a')));
    await settled();
    expect(prover.proofs).toHaveLength(2);
  });

  it('pauses and goes on when asked; a proof that is being made is not stopped', async () => {
    const { prover, queue } = open('a');
    const first = queue.add(request('a'));
    ignored(queue.add(request('b')));
    await settled();
    queue.pause();
    queue.pause();
    expect(queue.pausedBy).toEqual(['asked']);
    expect(queue.list().map(({ state }) => state)).toEqual(['running', 'paused']);
    prover.proofs[0]!.succeed();
    await first;
    await settled();
    expect(asked(prover)).toEqual(['a']);
    queue.resume();
    await settled();
    expect(asked(prover)).toEqual(['a', 'b']);
  });

  it('fails all proofs when it is disposed of, and frees the keys, but not the prover', async () => {
    const { prover, queue } = open('a');
    const outcomes = [queue.add(request('a')), queue.add(request('b'))];
    for (const outcome of outcomes) ignored(outcome);
    await settled();
    await queue.dispose();
    await queue.dispose();
    for (const outcome of outcomes) await expect(outcome).rejects.toMatchObject({ code: 'DISPOSED' });
    await expect(queue.add(request('c'))).rejects.toMatchObject({ code: 'DISPOSED' });
    expect([prover.freed, prover.isDisposed]).toEqual([['note.zkey'], false]);
    await settled();
    expect(locks.of('a')).toEqual([]);
  });
});

describe('the memory budget', () => {
  // A fake key has 4 variables and a domain of 8.
  const KEY_BYTES = 96 * (5 * 4 + 8);

  it('lets keys in together only if they have room', async () => {
    const { prover, queue } = open('a', { parallel: 3, memoryBudget: 2 * KEY_BYTES });
    for (const id of ['a', 'b', 'c']) ignored(queue.add(request(id, { zkey: `${id}.zkey` })));
    await settled();
    // A key of unknown size is loaded alone.
    expect(asked(prover)).toEqual(['a']);
    ignored(queue.add(request('a again', { zkey: 'a.zkey', priority: 1 })));
    await settled();
    expect(asked(prover)).toEqual(['a', 'a again']);
    for (const proof of prover.proofs) proof.succeed();
    await settled();
    prover.proofs[2]!.succeed();
    await settled();
    prover.proofs[3]!.succeed();
    await settled();
    // The least recently used one made room for the third.
    expect(prover.freed).toEqual(['a.zkey']);
    for (const id of ['d', 'e', 'f'])
      ignored(queue.add(request(id, { zkey: `${{ d: 'a', e: 'b', f: 'c' }[id]}.zkey` })));
    await settled();
    expect(asked(prover).slice(4)).toEqual(['d', 'e']);
  });

  it('loads a single key whatever its size', async () => {
    const { prover, queue } = open('a', { memoryBudget: 1 });
    ignored(queue.add(request('a')));
    await settled();
    expect(asked(prover)).toEqual(['a']);
  });
});

describe('three pages', () => {
  it('load a key one after the other, each when the one before has it in the cache', async () => {
    const pages = ['a', 'b', 'c'].map((page) => open(page, { parallel: 3 }));
    const written: (() => void)[] = [];
    for (const { prover } of pages) prover.writing = new Promise((resolve) => void written.push(resolve));
    for (const [i, { queue }] of pages.entries()) ignored(queue.add(request(`${i}`)));
    const loads = (): number[] => pages.map(({ prover }) => prover.loaded.length);
    for (const expected of [
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ]) {
      await settled();
      expect(loads()).toEqual(expected);
      written.shift()?.();
    }
    await settled();
    // Proving did not wait for the cache.
    expect(pages.map(({ prover }) => prover.proofs.length)).toEqual([1, 1, 1]);
  });

  it('make as many proofs at a time as all may together', async () => {
    const pages = ['a', 'b', 'c'].map((page) => open(page, { parallel: 2 }));
    for (const [i, { queue }] of pages.entries()) ignored(queue.add(request(`${i}`)));
    const proving = (): number[] => pages.map(({ prover }) => prover.proofs.length);
    await settled();
    expect(proving()).toEqual([1, 1, 0]);
    expect(pages[2]!.queue.list()[0]?.state).toBe('queued');
    pages[0]!.prover.proofs[0]!.succeed();
    await settled();
    expect(proving()).toEqual([1, 1, 1]);
  });

  it('go on when the page that proves is closed', async () => {
    const [a, b] = [open('a'), open('b')];
    for (const { queue } of [a, b]) ignored(queue.add(request(queue === a.queue ? 'a' : 'b')));
    await settled();
    expect(b.prover.proofs).toHaveLength(0);
    locks.close('a');
    await settled();
    expect(b.prover.proofs).toHaveLength(1);
  });

  it('a paused page does not begin what has waited for its turn among the pages', async () => {
    const [a, b] = [open('a'), open('b')];
    ignored(a.queue.add(request('a')));
    await settled();
    ignored(b.queue.add(request('b')));
    await settled();
    b.queue.pause();
    a.prover.proofs[0]!.succeed();
    await settled();
    expect(b.prover.proofs).toHaveLength(0);
    b.queue.resume();
    await settled();
    expect(b.prover.proofs).toHaveLength(1);
  });

  it('do not prove one id twice, and one waits for the result of another', async () => {
    const [a, b] = [open('a'), open('b')];
    const made = a.queue.add(request('spend'));
    await settled();
    await expect(b.queue.add(request('spend'))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const waiting = b.queue.result('spend');
    await settled();
    a.prover.proofs[0]!.succeed();
    await made;
    expect(await waiting).toMatchObject({ id: 'spend', publicSignals: ['1'], report: undefined });
    expect(b.queue.list()).toEqual([{ id: 'spend', state: 'proved', priority: 0, progress: 1 }]);
    await expect(b.queue.add(request('spend'))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('a result that another page waits for, and that fails there, is unknown', async () => {
    const [a, b] = [open('a'), open('b')];
    const made = a.queue.add(request('spend'));
    await settled();
    const waiting = b.queue.result('spend');
    await settled();
    a.prover.proofs[0]!.fail(new PippinError('PROOF_INVALID', 'no'));
    await expect(made).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    await expect(waiting).rejects.toMatchObject({ code: 'INVALID_HANDLE' });
  });
});

describe('after a reload', () => {
  it('results are there, and what was being made was interrupted', async () => {
    const before = open('before');
    const made = before.queue.add(request('made'));
    await settled();
    before.prover.proofs[0]!.succeed();
    await made;
    ignored(before.queue.add(request('begun')));
    await settled();
    locks.close('before');
    const { prover, queue } = open('after');
    expect((await queue.result('made')).proof).toMatchObject({ protocol: 'groth16' });
    await expect(queue.result('begun')).rejects.toMatchObject({ code: 'INTERRUPTED' });
    ignored(queue.add(request('begun')));
    await settled();
    expect(asked(prover)).toEqual(['begun']);
    // Inputs are never kept.
    expect(JSON.stringify([...entries.values()])).not.toContain('inputs');
  });

  it('results have expired after keepResultsMs, and with 0 none is kept', async () => {
    entries.set('old', { id: 'old', result: { id: 'old' } as KeptOutcome, at: Date.now() - 1001 });
    await expect(open('a', { keepResultsMs: 1000 }).queue.result('old')).rejects.toMatchObject({
      code: 'INVALID_HANDLE',
    });
    const openJournal = vi.fn();
    open('b', { keepResultsMs: 0 }, { openJournal });
    expect(openJournal).not.toHaveBeenCalled();
  });

  it('works for the life of the page where the storage fails', async () => {
    const denied = (): Promise<never> => Promise.reject(new Error('denied'));
    const { prover, queue } = open('a', {}, { openJournal: () => ({ read: denied, write: denied, delete: denied }) });
    const made = queue.add(request('a'));
    await settled();
    prover.proofs[0]!.succeed();
    await made;
    expect((await queue.result('a')).id).toBe('a');
  });
});

describe('a queue that pauses by itself', () => {
  it('begins nothing while the page is out of sight', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' as DocumentVisibilityState });
    const { prover, queue } = open('a', { pauseWhenHidden: true }, { document: page });
    ignored(queue.add(request('a')));
    await settled();
    expect([queue.pausedBy, prover.proofs.length]).toEqual([['hidden'], 0]);
    queue.pause();
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    expect(queue.pausedBy).toEqual(['asked']);
    queue.resume();
    await settled();
    expect(prover.proofs).toHaveLength(1);
    expect(open('b', {}, { document: page }).queue.pausedBy).toEqual([]);
  });

  it('begins nothing while the battery is low and not being charged', async () => {
    const battery = Object.assign(new EventTarget(), { level: 0.19, charging: false });
    const { queue } = open('a', { pauseOnLowBattery: true }, { getBattery: async () => battery });
    await settled();
    expect(queue.pausedBy).toEqual(['battery']);
    battery.charging = true;
    battery.dispatchEvent(new Event('chargingchange'));
    expect(queue.pausedBy).toEqual([]);
    Object.assign(battery, { charging: false, level: 0.2 });
    battery.dispatchEvent(new Event('levelchange'));
    expect(queue.pausedBy).toEqual([]);
    const strict = open('b', { pauseOnLowBattery: 0.5 }, { getBattery: async () => battery });
    await settled();
    expect(strict.queue.pausedBy).toEqual(['battery']);
    await strict.queue.dispose();
    const refusing = open('c', { pauseOnLowBattery: true }, { getBattery: () => Promise.reject(new Error('denied')) });
    await settled();
    expect(refusing.queue.pausedBy).toEqual([]);
  });
});

describe('arguments', () => {
  it.each<[string, object]>([
    ['parallel', { parallel: 0 }],
    ['parallel', { parallel: 17 }],
    ['memoryBudget', { memoryBudget: 0 }],
    ['maxKeys', { maxKeys: 1.5 }],
    ['name', { name: '' }],
    ['name', { name: 'n'.repeat(65) }],
    ['pauseWhenHidden', { pauseWhenHidden: 1 }],
    ['pauseOnLowBattery', { pauseOnLowBattery: 1.1 }],
    ['pauseOnLowBattery', { pauseOnLowBattery: '20%' }],
    ['keepResultsMs', { keepResultsMs: -1 }],
    ['maxResults', { maxResults: 0 }],
    ['onChange', { onChange: 'log' }],
    ['paralel', { paralel: 2 }],
  ])('of the queue: %s', (name, options) => {
    expect(() => open('a', options)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(name) }),
    );
  });

  it.each<[string, object]>([
    ['id', { id: '' }],
    ['id', { id: 'i'.repeat(201) }],
    ['priority', { priority: Number.NaN }],
    ['zkey', { zkey: undefined }],
    ['circuit', { circuit: null }],
    ['inputs', { inputs: undefined }],
    ['signal', { signal: {} }],
    ['onProgress', { onProgress: 1 }],
    ['wasm', { wasm: 'note.wasm' }],
  ])('of a proof: %s', async (name, more) => {
    const { queue } = open('a');
    const outcome = queue.add({ ...request('a'), ...more } as QueueRequest);
    await expect(outcome).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(name) });
  });

  it('a proof without an id gets one', async () => {
    const { prover, queue } = open('a');
    const { id: _, ...anonymous } = request('a');
    const outcome = queue.add(anonymous);
    await settled();
    prover.proofs[0]!.succeed();
    expect((await outcome).id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('in Node, without a page, the queue works alone', async () => {
  const prover = new FakeProver();
  const queue = createProofQueue(prover.asProver, { pauseWhenHidden: true, pauseOnLowBattery: true });
  queues.push(queue);
  const outcome = queue.add(request('a'));
  await settled();
  prover.proofs[0]!.succeed();
  expect((await outcome).id).toBe('a');
});
