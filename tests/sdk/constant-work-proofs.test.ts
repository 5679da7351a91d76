import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import type { Notice } from '../../sdk/api/progress.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { virtualGpu } from '../executors/gpu/virtual-gpu.js';
import { chainOver, MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { isTestedOn } from '../support/combinations.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { emptyKernels, watchedGpu } from '../support/watched-gpu.js';
import { GpuLog, JobLog } from '../support/work-logs.js';

afterAll(endSnarkjs);

/** Inputs of the chain that make nearly all signals 0, make them 1, and make them numbers of full length. */
const INPUTS = [
  { start: 0n, factor: 0n, offset: 0n },
  { start: 1n, factor: 1n, offset: 0n },
  { start: 3n ** 150n, factor: 5n ** 100n, offset: 7n ** 80n },
];

const CASES = KEY_CURVES.flatMap(({ id }) =>
  (['wasm', 'webgpu'] as const).filter((backend) => isTestedOn(backend, id)).map((backend) => ({ curve: id, backend })),
);

describe.each(CASES)('proofs of constant work over $curve on $backend', ({ curve, backend }) => {
  let circuit: TestCircuit;
  let prover: Prover;
  const jobs = new JobLog();
  const gpuLog = new GpuLog();
  beforeAll(async () => {
    circuit = await chainOver(curve);
    const gpu = gpuLog.watch((await virtualGpu({ isSoftware: true })).gpu);
    prover = await inPlaceProver({ backend, threads: 2 }, { spawnKernel: jobs.spawn, gpu: async () => gpu });
  }, MAKING_TIMEOUT);
  afterAll(() => prover.dispose());

  it('hold, and take the same work whatever the witness is', async () => {
    const key = await prover.groth16.loadKey(circuit.zkey);
    const witnesses = await Promise.all(INPUTS.map((inputs) => snarkjsWitness({ ...circuit, inputs })));
    const prove = async (witness: Uint8Array, constantWork: boolean) => {
      jobs.clear();
      gpuLog.clear();
      const { proof, publicSignals, report } = await prover.groth16.prove(key, witness, { constantWork });
      expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      expect(report.notices).toEqual([]);
      return { report, jobs: jobs.sizes, workgroups: gpuLog.workgroups };
    };
    // The sums of the masks come with the first one.
    const first = await prove(witnesses[0]!, true);
    expect(first.report.backend).toBe(backend);
    const works = [];
    for (const witness of witnesses) works.push(await prove(witness, true));
    for (const { jobs: sizes, workgroups } of works) {
      expect(sizes).toEqual(works[0]!.jobs);
      expect(workgroups).toEqual(works[0]!.workgroups);
    }
    expect(works[0]!.workgroups.length > 0).toBe(backend === 'webgpu');
    expect(first.jobs.length).toBeGreaterThan(works[0]!.jobs.length);
    // Proofs of the usual kind go on beside them.
    await prove(witnesses[2]!, false);
  });
});

it('a GPU that computes the sums of the masks wrong spoils no proof', async () => {
  const circuit = await testCircuit('chain');
  const { gpu } = await watchedGpu(emptyKernels);
  const onNotice = vi.fn<(notice: Notice) => void>();
  const codes = () => onNotice.mock.calls.map(([{ code }]) => code);
  const prover = await inPlaceProver(
    { backend: 'auto', threads: 2, constantWork: true, onNotice },
    { gpu: async () => gpu },
  );
  const key = await prover.groth16.loadKey(circuit.zkey);
  await expect.poll(() => codes()).toContain('WEBGPU_READY');
  const witness = await snarkjsWitness(circuit);
  for (let i = 0; i < 2; i++) {
    const { proof, publicSignals, report } = await prover.groth16.prove(key, witness);
    expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
    expect(report.backend).toBe('wasm');
    expect(codes()).toContain('WEBGPU_DISTRUSTED');
  }
  await prover.dispose();
});
