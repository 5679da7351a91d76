import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { CURVES, hasCofactor, pointBytes } from '../../sdk/curves/index.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { chainOver, MAKING_TIMEOUT } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { FakeWorker } from '../support/fake-worker.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { pointsOutside } from '../support/outside-subgroup.js';
import { WatchedHost } from '../support/watched-host.js';

let prover: Prover | undefined;
let store: FaultyStore;
/** How often the subgroup was checked. */
let checks = 0;
beforeEach(() => {
  store = new FaultyStore();
});
afterEach(() => prover?.dispose());
afterAll(endSnarkjs);

/** A prover on the same store as the one before, which ends. */
async function open(): Promise<Prover> {
  await prover?.dispose();
  checks = 0;
  const watched = (method: string): void => {
    if (method === 'sumsInSubgroup') checks++;
  };
  prover = await inPlaceProver(
    { backend: 'wasm', threads: 1, cache: true },
    {
      openStore: async () => store,
      spawnKernel: () => new FakeWorker((emit) => new WatchedHost(emit as (event: unknown) => void, watched)),
    },
  );
  return prover;
}

describe.each(NOBLE_GROUPS)('bases on $curve $group', ({ curve, group, ...noble }) => {
  const points = noble.multiples([1n, 2n, 3n, 4n, 5n]);
  const isChecked = hasCofactor(curve, group);

  it('are checked to be in the subgroup once, and not again when they come from the cache', async () => {
    for (const cached of [false, true]) {
      const { report } = await (await open()).loadBases({ curve, group, points });
      expect(report.cached).toBe(cached);
      expect(checks).toBe(isChecked && !cached ? 1 : 0);
    }
  });

  it.runIf(isChecked)('are refused if one is outside, also when they are in the cache unchecked', async () => {
    const size = pointBytes(curve, group);
    for (const outside of Object.values(pointsOutside(CURVES[curve], group))) {
      const bad = points.slice();
      bad.set(outside, 2 * size);
      await open();
      const unchecked = await prover!.loadBases({ curve, group, points: bad, checkSubgroup: false });
      expect(checks).toBe(0);
      await unchecked.dispose();
      await open();
      for (const _ of ['not cached', 'nor then']) {
        await expect(prover!.loadBases({ curve, group, points: bad })).rejects.toMatchObject({ code: 'INVALID_POINT' });
      }
      // The next call works.
      await (await prover!.loadBases({ curve, group, points })).dispose();
    }
  });
});

describe.each(KEY_CURVES)('a key over $id', ({ id }) => {
  it(
    'has its points checked once, and not again when they come from the cache',
    async () => {
      const { zkey } = await chainOver(id);
      const checked = ['A', 'B1', 'C', 'H'].filter(() => hasCofactor(id, 'g1')).length + 1;
      for (const cached of [false, true]) {
        const { report } = await (await open()).groth16.loadKey(zkey);
        expect(report.cached).toBe(cached);
        expect(checks).toBe(cached ? 0 : checked);
      }
    },
    MAKING_TIMEOUT,
  );
});
