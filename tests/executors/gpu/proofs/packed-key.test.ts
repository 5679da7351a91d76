import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Prover } from '../../../../sdk/api/index.js';
import { GpuRoots } from '../../../../sdk/executors/gpu/roots/gpu-roots.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../../../support/circuits.js';
import { endSnarkjs } from '../../../support/example.js';
import { packed } from '../../../support/packed-keys.js';
import { proverOnGpu } from './prover-on-gpu.js';

let circuit: TestCircuit;
let pzkey: Uint8Array<ArrayBuffer>;
let prover: Prover;
beforeAll(async () => {
  circuit = await testCircuit('flags');
  pzkey = await packed(circuit.zkey);
}, MAKING_TIMEOUT);
afterEach(async () => {
  vi.restoreAllMocks();
  await prover.dispose();
});
afterAll(endSnarkjs);

/** A prover whose GPU computes points: the workers do without its kernels until they are compiled. */
async function proverWithRoots(): Promise<void> {
  const roots = new Set<string>();
  const onUse = (name: string): void => {
    if (name.startsWith('root ')) roots.add(name);
  };
  ({ prover } = await proverOnGpu({ backend: 'webgpu' }, { onUse }));
  const groups = async (): Promise<number> => {
    await (await prover.groth16.loadKey(pzkey)).dispose();
    return roots.size;
  };
  await expect.poll(groups).toBeGreaterThan(0);
}

it('a prover on a GPU loads a packed key, whose points the GPU computes with it, and proves', async () => {
  await proverWithRoots();
  const key = await prover.groth16.loadKey(pzkey, { verificationKey: circuit.verificationKey });
  const { proof, publicSignals, report } = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
  expect(await snarkjs.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  expect([...key.report.notices, ...report.notices]).toEqual([]);
});

it('a prover whose GPU computes a wrong point loads the key by its workers, and tells', async () => {
  await proverWithRoots();
  const right = GpuRoots.prototype.decompress;
  vi.spyOn(GpuRoots.prototype, 'decompress').mockImplementation(async function (this: GpuRoots, compressed) {
    const made = await right.call(this, compressed);
    // y of the last point, with the same sign.
    made.points[made.points.length - 1]! ^= 2;
    return made;
  });
  const done: number[] = [];
  const key = await prover.groth16.loadKey(pzkey, {
    verificationKey: circuit.verificationKey,
    onProgress: (event) => void (event.kind === 'progress' && done.push(event.done)),
  });
  expect(key.report.notices.map(({ code }) => code)).toEqual(['WEBGPU_DISTRUSTED']);
  expect(key.verificationKey).toEqual(circuit.verificationKey);
  expect(done).toEqual([...done].sort((a, b) => a - b));
  expect(done.at(-1)).toBe(100);
});
