import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Bases, Prover } from '../../sdk/api/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { MAP_FORMAT } from '../../sdk/engine/tune/performance-map.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';

/** Parts of the code that are downloaded when they are first wanted: a download that fails, and the one after it. */

let prover: Prover | undefined;
afterEach(() => prover?.dispose());
afterAll(endSnarkjs);

const open = async (): Promise<Prover> => {
  prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
  return prover;
};

/** Lets a module fail once when it is loaded, and lets `call` meet that, for want of `what`. */
async function withoutModule(path: string, call: () => Promise<unknown>, what = ''): Promise<void> {
  vi.doMock(path, () => {
    throw new Error('no network');
  });
  try {
    await expect(call()).rejects.toMatchObject({
      code: 'IO_FAILED',
      message: expect.stringContaining(`expected the code for ${what}`),
    });
  } finally {
    vi.doUnmock(path);
  }
}

describe('sums', () => {
  const { multiples } = NOBLE_GROUPS.find(({ curve, group }) => curve === 'bn254' && group === 'g1')!;
  const load = (on: Prover): Promise<Bases> => on.loadBases({ curve: 'bn254', points: multiples([1n, 2n]) });
  const scalars = (): Uint8Array => Uint8Array.from({ length: 64 }, (_, i) => (i === 0 ? 3 : i === 32 ? 1 : 0));
  const expected = multiples([5n]);

  it.each(['../../sdk/engine/msm-bases.js', '../../sdk/hosts/prover/beyond-proofs.js'])(
    'reject where %s cannot be loaded, and are right when it can',
    async (path) => {
      const opened = await open();
      await withoutModule(path, () => load(opened));
      const bases = await load(opened);
      const { x, y } = await opened.msm(bases, scalars());
      expect(encodePoint('bn254', 'g1', [x, y] as [bigint, bigint])).toEqual(expected);
    },
  );

  it.each([
    ['ABORTED', (_: Prover, controller: AbortController) => controller.abort()],
    ['DISPOSED', (opened: Prover) => void opened.dispose()],
  ] as const)('end at once with %s while their code is on its way', async (code, end) => {
    const opened = await open();
    vi.doMock('../../sdk/hosts/prover/beyond-proofs.js', () => new Promise(() => undefined));
    const controller = new AbortController();
    const loading = opened.loadBases({ curve: 'bn254', points: multiples([1n]) }, { signal: controller.signal });
    end(opened, controller);
    await expect(loading).rejects.toMatchObject({ code });
    vi.doUnmock('../../sdk/hosts/prover/beyond-proofs.js');
  });

  it('copy their scalars before the call returns', async () => {
    const opened = await open();
    const bases = await load(opened);
    const given = scalars();
    const summing = opened.msm(bases, given);
    given.fill(0);
    expect((await summing).bytes).toEqual(expected);
  });

  it('of bases that were never loaded are refused as before', async () => {
    const opened = await open();
    await expect(opened.msm({} as Bases, scalars())).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(opened.msmBatch({} as Bases, scalars(), { batchSize: 0 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('batchSize'),
    });
  });
});

describe('constant work', () => {
  let circuit: TestCircuit;
  let witness: Uint8Array;
  beforeAll(async () => {
    circuit = await testCircuit('chain');
    witness = await snarkjsWitness(circuit);
  }, MAKING_TIMEOUT);

  it('is refused rather than left out where its code cannot be loaded', async () => {
    const opened = await open();
    const prove = async () => {
      const key = await opened.groth16.loadKey(circuit.zkey);
      return { key, ...(await opened.groth16.prove(key, witness, { constantWork: true })) };
    };
    // From the key on, since its code is then fetched in the background.
    await withoutModule('../../sdk/proofs/groth16/deferred-code.js', prove, 'constant work');
    const { key, proof, publicSignals } = await prove();
    expect(await opened.groth16.verify(key.verificationKey, publicSignals, proof)).toBe(true);
  });
});

describe('circuits of circom 1', () => {
  /** A module that has one function, which it exports as circom 1's do. */
  const wasm = Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 21, 1, 17],
    ...new TextEncoder().encode('getSignalOffset32'),
    ...[0, 0, 10, 4, 1, 2, 0, 11],
  );

  it('load what runs them before they count as loaded', async () => {
    const opened = await open();
    await withoutModule('../../sdk/files/witness/circom1.js', () => opened.groth16.loadCircuit(wasm));
    await opened.groth16.loadCircuit(wasm);
  });
});

describe('a performance map', () => {
  const performanceMap = { format: MAP_FORMAT, made: '', platform: '', workers: { threads: 1, rows: [] } } as const;
  const openWith = async (): Promise<void> => {
    prover = await inPlaceProver({ backend: 'wasm', threads: 1, performanceMap });
  };

  it('that a caller gives is not left out where what reads it cannot be loaded', async () => {
    await withoutModule('../../sdk/engine/tune/tune.js', openWith);
    await openWith();
    expect(await prover!.performanceMap()).toEqual(performanceMap);
  });
});
