import { afterEach, describe, expect, it } from 'vitest';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { Resident } from '../../../../sdk/executors/workers/pool/resident.js';
import { FakeWorker } from '../../../support/fake-worker.js';

let pool: KernelPool | undefined;
afterEach(() => pool?.dispose());

/** A pool of one worker, and something for it to keep whose loadings end when the test says so. */
function start(): { resident: Resident; worker: () => FakeWorker; events: string[]; finish: (error?: Error) => void } {
  const workers: FakeWorker[] = [];
  const events: string[] = [];
  let settle: (error?: Error) => void = () => undefined;
  pool = new KernelPool(() => {
    workers.push(new FakeWorker(() => ({ open: async () => undefined })));
    return workers.at(-1)!;
  }, 1);
  const load = (): Promise<void> => {
    events.push('load');
    return new Promise((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error));
    });
  };
  const resident = new Resident(pool, {
    worker: 0,
    kind: 'data',
    bytes: 8,
    load,
    unload: async () => events.push('unload'),
  });
  return { resident, worker: () => workers.at(-1)!, events, finish: (error) => settle(error) };
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('Resident', () => {
  it('is loaded once for all who want it, and nobody goes on before it is there', async () => {
    const { resident, events, finish } = start();
    let fulfilled = 0;
    const waiting = [resident.ensure(), resident.ensure()].map((wanted) => wanted.then(() => fulfilled++));
    await soon();
    expect([events, fulfilled]).toEqual([['load'], 0]);
    finish();
    await Promise.all(waiting);
    await resident.ensure();
    expect(events).toEqual(['load']);
  });

  it('is loaded again into the worker that comes in the place of a dead one', async () => {
    const { resident, worker, events, finish } = start();
    const first = resident.ensure();
    finish();
    await first;
    worker().die();
    const second = resident.ensure();
    finish();
    await second;
    expect(events).toEqual(['load', 'load']);
  });

  it('is loaded anew after a failure', async () => {
    const { resident, events, finish } = start();
    const failing = resident.ensure();
    finish(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    // The worker may have it all the same, where only the waiting was given up.
    expect(events).toEqual(['load', 'unload']);
    const next = resident.ensure();
    finish();
    await next;
    expect(events).toEqual(['load', 'unload', 'load']);
  });

  it('is taken from its worker when it is released, also while it is being loaded', async () => {
    const { resident, events, finish } = start();
    const wanted = resident.ensure();
    resident.release();
    resident.release();
    await soon();
    expect(events).toEqual(['load']);
    finish();
    await wanted;
    await soon();
    expect(events).toEqual(['load', 'unload']);
  });

  it('has nothing to take from a worker that is gone, or from one that never had it', async () => {
    const { resident, worker, events, finish } = start();
    resident.release();
    const wanted = resident.ensure();
    finish();
    await wanted;
    worker().die();
    resident.release();
    await soon();
    expect(events).toEqual(['load']);
  });
});
