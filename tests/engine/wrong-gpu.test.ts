import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Groth16Key, Prover, ProverOptions } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { bn254 } from '../../sdk/curves/index.js';
import { MAP_FORMAT } from '../../sdk/engine/tune/performance-map.js';
import { SampleBases } from '../../sdk/engine/tune/sample-bases.js';
import { openDevice } from '../../sdk/executors/gpu/runtime/device.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { fakeDevice, wrongGpu } from '../support/fake-gpu.js';
import { FaultyStore } from '../support/faulty-store.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { encodePoints, encodeScalars } from '../support/points.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';

vi.mock('../../sdk/executors/gpu/runtime/device.js', async (original) => ({
  ...(await original<typeof import('../../sdk/executors/gpu/runtime/device.js')>()),
  openDevice: vi.fn(),
}));

let circuit: TestCircuit;
let witness: Uint8Array;
beforeAll(async () => {
  circuit = await testCircuit('chain');
  witness = await snarkjsWitness(circuit);
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

let prover: Prover | undefined;
afterEach(async () => {
  await prover?.dispose();
  vi.restoreAllMocks();
});

/** A prover with a loaded key, whose GPU is ready. */
async function start(backend: 'auto' | 'webgpu'): Promise<{ prover: Prover; key: Groth16Key }> {
  vi.mocked(openDevice).mockImplementation(async () => fakeDevice());
  const onNotice = vi.fn<(notice: Notice) => void>();
  prover = await inPlaceProver({ backend, threads: 2, onNotice }, { gpu: async () => ({}) as GPU });
  const key = await prover.groth16.loadKey(circuit.zkey);
  if (backend === 'auto') {
    await expect.poll(() => onNotice).toHaveBeenCalledWith(expect.objectContaining({ code: 'WEBGPU_READY' }));
  }
  return { prover, key };
}

describe('proofs with a GPU that computes wrong', () => {
  it('all hold, also those that end after another call has found it out', async () => {
    let foundOut = (): void => undefined;
    const afterThat = new Promise<void>((resolve) => {
      foundOut = resolve;
    });
    let calls = 0;
    // A proof has five sums on the GPU; those of the first proof come at once.
    wrongGpu(async () => (calls++ < 5 ? undefined : afterThat));
    const { prover, key } = await start('auto');
    const prove = () => prover.groth16.prove(key, witness);
    const first = prove();
    while (calls < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    const others = [prove(), prove(), prove()];
    first.then(foundOut, foundOut);
    for (const { proof, publicSignals, report } of await Promise.all([first, ...others])) {
      expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      expect(report).toMatchObject({ backend: 'wasm', executors: { A: ['wasm'], B2: ['wasm'], H: ['wasm'] } });
      expect(report.notices.map(({ code }) => code)).toContain('WEBGPU_DISTRUSTED');
    }
    expect(prover.capabilities).toMatchObject({ backend: 'wasm', webgpu: { available: false } });
  });

  it('hold where the caller asked for WebGPU, too', async () => {
    wrongGpu();
    const { prover, key } = await start('webgpu');
    const { proof, publicSignals } = await prover.groth16.prove(key, witness);
    expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  });

  it('are refused for a wrong witness, which is no reason to distrust the GPU', async () => {
    wrongGpu();
    const { prover, key } = await start('auto');
    const wrong = witness.slice();
    wrong[wrong.length - 32]! ^= 1;
    await expect(prover.groth16.prove(key, wrong)).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    expect(prover.capabilities.backend).toBe('webgpu');
  });

  it('are given as they are to a caller who does not want them verified', async () => {
    wrongGpu();
    const { prover, key } = await start('auto');
    const { proof, publicSignals, report } = await prover.groth16.prove(key, witness, { verify: false });
    expect(report.parts).toEqual({ A: 'webgpu', B1: 'webgpu', B2: 'webgpu', C: 'webgpu', H: 'webgpu' });
    expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(false);
  });
});

describe.each(UNIVERSAL_SYSTEMS)('proofs of $protocol with a GPU that computes wrong', (system) => {
  const { parts, circuitOf, of } = system;

  it('hold, and the GPU is used no more; a wrong witness is no reason to distrust it', async () => {
    wrongGpu();
    const { prover } = await start('auto');
    const chain = await circuitOf('chain');
    const key = await of(prover).loadKey(chain.zkey);
    const wrong = witness.slice();
    wrong[wrong.length - 32]! ^= 1;
    await expect(of(prover).prove(key, wrong)).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    expect(prover.capabilities.backend).toBe('webgpu');
    const { proof, publicSignals, report } = await of(prover).prove(key, witness);
    expect(await of(prover).verify(chain.verificationKey, publicSignals, proof)).toBe(true);
    const executors = Object.fromEntries(parts.map((part) => [part, ['wasm']]));
    expect(report).toMatchObject({ backend: 'wasm', executors });
    expect(report.notices.map(({ code }) => code)).toContain('WEBGPU_DISTRUSTED');
    expect(prover.capabilities).toMatchObject({ backend: 'wasm', webgpu: { available: false } });
  });

  it('are given as they are to a caller who does not want them verified', async () => {
    wrongGpu();
    const { prover } = await start('auto');
    const chain = await circuitOf('chain');
    const key = await of(prover).loadKey(chain.zkey);
    const { proof, publicSignals, report } = await of(prover).prove(key, witness, { verify: false });
    expect(report.parts).toEqual(Object.fromEntries(parts.map((part) => [part, 'webgpu'])));
    expect(await of(prover).verify(chain.verificationKey, publicSignals, proof)).toBe(false);
  });

  it('all hold, also those that end after another call has found it out', async () => {
    let foundOut = (): void => undefined;
    const afterThat = new Promise<void>((resolve) => {
      foundOut = resolve;
    });
    let calls = 0;
    // The first proof finds it out; the others are in the middle of their MSMs.
    wrongGpu(async () => (calls++ < parts.length ? undefined : afterThat));
    const { prover } = await start('auto');
    const chain = await circuitOf('chain');
    const key = await of(prover).loadKey(chain.zkey);
    const first = of(prover).prove(key, witness);
    await expect.poll(() => calls).toBeGreaterThanOrEqual(parts.length);
    const others = [of(prover).prove(key, witness), of(prover).prove(key, witness)];
    first.then(foundOut, foundOut);
    for (const { proof, publicSignals, report } of await Promise.all([first, ...others])) {
      expect(await of(prover).verify(chain.verificationKey, publicSignals, proof)).toBe(true);
      expect(report.backend).toBe('wasm');
    }
  });
});

describe('a GPU of which nothing was measured', () => {
  /** A prover with a cache that has computed an MSM on a GPU that gives the generator for every sum. */
  async function afterMsm(options: ProverOptions = {}): Promise<readonly Notice[]> {
    vi.mocked(openDevice).mockImplementation(async () => fakeDevice());
    const notices: Notice[] = [];
    wrongGpu();
    prover = await inPlaceProver(
      { backend: 'webgpu', threads: 1, cache: true, onNotice: (notice) => void notices.push(notice), ...options },
      { gpu: async () => ({}) as GPU, openStore: async () => new FaultyStore() },
    );
    const points = encodePoints(bn254, [bn254.g1.generator]);
    const bases = await prover.loadBases({ curve: 'bn254', points });
    await prover.msm(bases, encodeScalars([1n]), { check: 'curve' });
    return notices;
  }

  it('is tried in an idle moment, and found wrong', async () => {
    const notices = await afterMsm();
    await expect.poll(() => notices.map(({ code }) => code)).toEqual(['WEBGPU_DISTRUSTED']);
    expect(prover!.capabilities).toMatchObject({ backend: 'wasm', webgpu: { available: false } });
  });

  it('is left alone when the prover is disposed, which waits for nothing', async () => {
    const prepare = vi.spyOn(SampleBases, 'prepare');
    await afterMsm();
    const begin = performance.now();
    await prover!.dispose();
    expect(performance.now() - begin).toBeLessThan(900);
    expect(prepare).not.toHaveBeenCalled();
  });

  it.each<[string, ProverOptions]>([
    ['without a cache, which would keep the verdict', { cache: false }],
    ['within a memory budget', { memoryBudget: 2 ** 30 }],
    [
      'with a map of the caller',
      { performanceMap: { format: MAP_FORMAT, made: '', platform: '', workers: { threads: 1, rows: [] } } },
    ],
  ])('is not tried %s', async (_, options) => {
    const prepare = vi.spyOn(SampleBases, 'prepare');
    await afterMsm(options);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(prepare).not.toHaveBeenCalled();
  });
});
