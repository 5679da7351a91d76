import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bn254 } from '../../sdk/curves/index.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { encodePoints, progression } from '../support/points.js';

const points = encodePoints(bn254, progression(bn254, 2, 5n, 3n).points);

/** A store that, while it lists its keys, waits until the call is aborted, and that reads when the test says so. */
class SlowStore extends FaultyStore {
  controller: AbortController | undefined;
  read: (() => void) | undefined;

  override async keys(): Promise<string[]> {
    this.controller?.abort();
    await delay(20);
    return super.keys();
  }

  override async get(key: string): Promise<Uint8Array | undefined> {
    if (this.controller !== undefined) {
      await new Promise<void>((resolve) => {
        this.read = resolve;
      });
    }
    return super.get(key);
  }
}

it.each([true, false])(
  'an aborted call that reads the cache is waited for, but not for ever (it ends: %s)',
  async (ends) => {
    const store = new SlowStore();
    const open = () => inPlaceProver({ backend: 'wasm', threads: 1, cache: true }, { openStore: async () => store });
    const first = await open();
    await first.loadBases({ curve: 'bn254', points });
    await first.dispose();

    const prover = await open();
    store.controller = new AbortController();
    const { signal } = store.controller;
    await expect(prover.loadBases({ curve: 'bn254', points }, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect.poll(() => store.read).toBeDefined();
    let isDisposed = false;
    const disposing = prover.dispose().then(() => {
      isDisposed = true;
    });
    await delay(100);
    expect(isDisposed).toBe(false);
    if (ends) store.read!();
    await disposing;
  },
);
