import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import type { NoticeCode } from '../../sdk/api/progress.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';

/** A store that writes nothing before it is opened. */
class SlowStore extends FaultyStore {
  open: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });

  override async set(key: string, bytes: Uint8Array): Promise<void> {
    await this.opened;
    return super.set(key, bytes);
  }
}

let circuit: TestCircuit;
let witness: Uint8Array;
beforeAll(async () => {
  circuit = await testCircuit('chain');
  witness = await snarkjsWitness(circuit);
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

let store: SlowStore;
let notices: NoticeCode[];
const provers: Prover[] = [];
beforeEach(() => {
  store = new SlowStore();
  notices = [];
});
afterEach(async () => {
  store.open();
  await Promise.all(provers.splice(0).map((prover) => prover.dispose()));
});

async function open(): Promise<Prover> {
  const prover = await inPlaceProver(
    { backend: 'wasm', threads: 1, cache: true, onNotice: ({ code }) => notices.push(code) },
    { openStore: async () => store },
  );
  provers.push(prover);
  return prover;
}

/** Whether a later visit finds the key. */
async function isCached(): Promise<boolean | undefined> {
  return (await (await open()).groth16.loadKey(circuit.zkey)).report.cached;
}

describe('while a prepared key is being written to the cache', () => {
  it('proofs are made, calls are aborted and the key is disposed of, and none of these stops the write', async () => {
    const prover = await open();
    const key = await prover.groth16.loadKey(circuit.zkey);
    await prover.groth16.prove(key, witness);
    const aborted = prover.groth16.prove(key, witness, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    await key.dispose();
    expect(store.written).toEqual([]);
    store.open();
    await expect.poll(() => store.written.at(-1)).toMatch(/#manifest$/);
    expect(await isCached()).toBe(true);
  });

  it('the prover is disposed of when the write has ended', async () => {
    const prover = await open();
    await prover.groth16.loadKey(circuit.zkey);
    let isDisposed = false;
    const disposing = prover.dispose().then(() => {
      isDisposed = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDisposed).toBe(false);
    store.open();
    await disposing;
    expect(await isCached()).toBe(true);
  });

  it('cacheWritten waits for the write, and a later visit finds the key', async () => {
    const prover = await open();
    await prover.cacheWritten();
    await prover.groth16.loadKey(circuit.zkey);
    let isWritten = false;
    const writing = prover.cacheWritten().then(() => {
      isWritten = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isWritten).toBe(false);
    store.open();
    await writing;
    expect(await isCached()).toBe(true);
  });

  it('another prover that finds half of it prepares the key, too', async () => {
    const [one, two] = [await open(), await open()];
    await one.groth16.loadKey(circuit.zkey);
    expect((await two.groth16.loadKey(circuit.zkey)).report.cached).toBe(false);
    store.open();
    await Promise.all([one.dispose(), two.dispose()]);
    expect(await isCached()).toBe(true);
    expect(notices).toEqual([]);
  });

  it('a full storage is told of by a notice, and used no more', async () => {
    store.fault = (operation) => {
      if (operation === 'set') throw new DOMException('full', 'QuotaExceededError');
    };
    const prover = await open();
    const key = await prover.groth16.loadKey(circuit.zkey);
    expect([key.report.notices, prover.capabilities.cache]).toEqual([[], 'folder']);
    store.open();
    await expect.poll(() => notices).toEqual(['CACHE_UNAVAILABLE']);
    expect([prover.capabilities.cache, store.chunks.size]).toEqual(['none', 0]);
    await prover.groth16.prove(key, witness);
  });

  it('a cache that is cleared is empty afterwards', async () => {
    const prover = await open();
    await prover.groth16.loadKey(circuit.zkey);
    store.open();
    await prover.clearCache();
    expect(store.chunks.size).toBe(0);
  });
});
