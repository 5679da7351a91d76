import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { NoticeCode } from '../../sdk/api/progress.js';
import { edwardsBls12 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import type { Engine } from '../../sdk/engine/engine.js';
import type { EngineConfig, EngineEvent } from '../../sdk/engine/engine-api.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { inProcessEngine, testConfig } from '../support/in-process-engine.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';
import { emptyKernels, watchedGpu } from '../support/watched-gpu.js';

let circuit: TestCircuit;
let wtns: Uint8Array;
beforeAll(async () => {
  circuit = await testCircuit('chain');
  wtns = await snarkjsWitness(circuit);
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

/** The key, as a caller gives it. */
const zkey = () => ({ kind: 'bytes', bytes: circuit.zkey.slice() }) as const;

const snarkjsVerifies = (publicSignals: readonly string[], proof: unknown): Promise<boolean> =>
  snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof as never);

let engine: Engine | undefined;
afterEach(() => engine?.dispose());

async function start(
  gpu: GPU | undefined,
  config: Partial<EngineConfig>,
): Promise<{ engine: Engine; events: EngineEvent[]; notices: () => NoticeCode[] }> {
  const made = inProcessEngine({ gpu: async () => gpu });
  engine = made.engine;
  await made.engine.start(testConfig(config));
  const notices = (): NoticeCode[] =>
    made.events.flatMap(({ event }) => (event.kind === 'notice' ? [event.notice.code] : []));
  return { ...made, notices };
}

/** Waits until the GPU takes over from the workers. */
async function ready(notices: () => NoticeCode[]): Promise<void> {
  await expect.poll(() => notices()).toContain('WEBGPU_READY');
}

describe('the engine and its GPU', () => {
  it('uses a fresh device when the first one is lost while its kernels are compiled', async () => {
    const { gpu, devices } = await watchedGpu((device, index) => {
      emptyKernels(device);
      if (index > 0) return;
      const compile = device.createComputePipelineAsync.bind(device);
      device.createComputePipelineAsync = (descriptor) => {
        device.destroy();
        return compile(descriptor);
      };
    });
    const { engine } = await start(gpu, { backend: 'webgpu' });
    const { handle } = await engine.loadKey(1, 'groth16', zkey());
    const witness = { kind: 'file', source: { kind: 'bytes', bytes: wtns.slice() } } as const;
    // Kernels that do nothing give a proof of nothing.
    const { report } = await engine.prove(2, handle, witness, false);
    expect(report.parts.A).toBe('webgpu');
    expect(devices).toHaveLength(2);
  });

  // Proofs whose device is lost are tried phase by phase on virtual devices (executors/gpu/proofs/interrupted.test.ts).
  it('computes an MSM on a fresh device when the first one is lost in the middle of it', async () => {
    const { gpu, devices } = await watchedGpu((device, index) => {
      if (index > 0) return;
      emptyKernels(device);
      const createBuffer = device.createBuffer.bind(device);
      device.createBuffer = (descriptor) => {
        if (descriptor.label === 'readback') device.destroy();
        return createBuffer(descriptor);
      };
    });
    const prover = await inPlaceProver({ backend: 'webgpu', threads: 1, cache: false }, { gpu: async () => gpu });
    // Of all curves, this one's kernels take a software adapter the least time to compile.
    const { points, factors } = progression(edwardsBls12, 50, 7n, 5n);
    const bases = await prover.loadBases({ curve: 'edwards-bls12', points: encodePoints(edwardsBls12, points) });
    const { bytes, report } = await prover.msm(bases, encodeScalars(factors));
    expect(bytes).toEqual(encodePoint('edwards-bls12', 'g1', multipleOf(edwardsBls12, dot(factors, factors))));
    expect(devices).toHaveLength(2);
    expect(report.backend).toBe('webgpu');
    await prover.dispose();
  });

  it('goes on without the GPU, and says so, when no other device is to be had', async () => {
    const { gpu, devices } = await watchedGpu(emptyKernels);
    let adapters = 0;
    const once = {
      requestAdapter: (options?: GPURequestAdapterOptions) =>
        adapters++ === 0 ? gpu.requestAdapter(options) : Promise.resolve(null),
    } as GPU;
    const { engine, notices } = await start(once, { backend: 'auto' });
    const { handle } = await engine.loadKey(1, 'groth16', zkey());
    await ready(notices);
    devices[0]!.destroy();
    const { proof, publicSignals, report } = await engine.prove(
      2,
      handle,
      { kind: 'file', source: { kind: 'bytes', bytes: wtns.slice() } },
      true,
    );
    expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
    expect(report.parts).toEqual({ A: 'wasm', B1: 'wasm', B2: 'wasm', C: 'wasm', H: 'wasm' });
    expect(notices()).toContain('WEBGPU_DISTRUSTED');
    expect(engine.capabilities().backend).toBe('wasm');
  });

  it('rejects with DEVICE_LOST where WebGPU was asked for and no other device is to be had', async () => {
    const { gpu, devices } = await watchedGpu(emptyKernels);
    let adapters = 0;
    const once = {
      requestAdapter: (options?: GPURequestAdapterOptions) =>
        adapters++ === 0 ? gpu.requestAdapter(options) : Promise.resolve(null),
    } as GPU;
    const { engine } = await start(once, { backend: 'webgpu' });
    const { handle } = await engine.loadKey(1, 'groth16', zkey());
    devices[0]!.destroy();
    const witness = { kind: 'file', source: { kind: 'bytes', bytes: wtns.slice() } } as const;
    await expect(engine.prove(2, handle, witness, true)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
  });

  it('gives a right proof, and trusts the GPU no more, when the GPU computes wrong', async () => {
    const { gpu } = await watchedGpu(emptyKernels);
    const { engine, notices } = await start(gpu, { backend: 'auto' });
    const { handle } = await engine.loadKey(1, 'groth16', zkey());
    await ready(notices);
    const witness = { kind: 'file', source: { kind: 'bytes', bytes: wtns.slice() } } as const;
    const { proof, publicSignals } = await engine.prove(2, handle, witness, true);
    expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
    expect(notices()).toContain('WEBGPU_DISTRUSTED');
    expect(engine.capabilities().backend).toBe('wasm');
  });

  it('falls back and says so where there is no WebGPU', async () => {
    const { engine, notices } = await start(undefined, { backend: 'auto' });
    await expect.poll(() => notices()).toEqual(['WEBGPU_UNAVAILABLE']);
    expect(engine.capabilities()).toMatchObject({ backend: 'wasm', webgpu: { available: false } });
  });

  it('refuses to start where WebGPU was asked for and there is none', async () => {
    await expect(start(undefined, { backend: 'webgpu' })).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
  });
});
