import { isDeepStrictEqual } from 'node:util';
import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import type { ProveResult } from '../../../../sdk/api/index.js';
import type { NoticeCode } from '../../../../sdk/api/progress.js';
import { type Placement, PlacementChoice } from '../../../../sdk/proofs/groth16/placement.js';
import { MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../../../support/circuits.js';
import { endSnarkjs } from '../../../support/example.js';
import { inPlaceProver } from '../../../support/in-place-prover.js';
import { virtualGpu } from '../virtual-gpu.js';

type Parts = ProveResult['report']['parts'];

const ON_WORKERS: Parts = { A: 'wasm', B1: 'wasm', B2: 'wasm', C: 'wasm', H: 'wasm' };
const ON_GPU: Parts = { A: 'webgpu', B1: 'webgpu', B2: 'webgpu', C: 'webgpu', H: 'webgpu' };
const SPLIT: Parts = { ...ON_GPU, B2: 'wasm' };

/** Proofs of the workers before the GPU is ready. */
const PROOFS_BEFORE = 5;
/** Proofs within which the choice must fall. */
const MOST_PROOFS = 100;

afterEach(() => vi.restoreAllMocks());
afterAll(endSnarkjs);

/**
 * A prover that has the choice, and that has proved the chain on its worker before its GPU was ready: a software
 * adapter that does not say so.
 */
async function start() {
  const circuit = await testCircuit('chain');
  const witness = await snarkjsWitness(circuit);
  const { gpu } = await virtualGpu({});
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const notices: NoticeCode[] = [];
  const prover = await inPlaceProver(
    { backend: 'auto', threads: 1, onNotice: ({ code }) => notices.push(code) },
    { gpu: () => opened.then(() => gpu) },
  );
  const key = await prover.groth16.loadKey(circuit.zkey);
  const prove = async (): Promise<Parts> => {
    const { proof, publicSignals, report } = await prover.groth16.prove(key, witness);
    expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
    return report.parts;
  };
  // The fastest counts: one alone may have waited for other work of this machine.
  for (let i = 0; i < PROOFS_BEFORE; i++) expect(await prove()).toEqual(ON_WORKERS);
  open();
  await expect.poll(() => notices.filter((code) => code === 'WEBGPU_READY')).toHaveLength(2);
  return { prover, prove, notices };
}

/** Proofs until one is made in this way; those before it are all made in that way. */
async function proveUntil(prove: () => Promise<Parts>, until: Parts, before: Parts): Promise<void> {
  for (let i = 0; i < MOST_PROOFS; i++) {
    const parts = await prove();
    if (isDeepStrictEqual(parts, until)) return;
    expect(parts).toEqual(before);
  }
  expect.fail(`expected a proof by ${JSON.stringify(until)} within ${MOST_PROOFS} proofs`);
}

it(
  'a GPU that proves a key slower than the workers is left again, and the caller is told',
  async () => {
    const { prover, prove, notices } = await start();
    // The workers take a tenth of its time.
    await proveUntil(prove, ON_WORKERS, ON_GPU);
    for (let i = 0; i < 3; i++) expect(await prove()).toEqual(ON_WORKERS);
    expect(notices).toEqual(['WEBGPU_READY', 'WEBGPU_READY', 'WEBGPU_SLOWER']);
    await prover.dispose();
  },
  MAKING_TIMEOUT,
);

it(
  'B2 goes to the workers where that is tried, and comes back where it does not win',
  async () => {
    // After the workers' proofs and two of the GPU.
    const trials: (Placement | undefined)[] = [...Array<undefined>(PROOFS_BEFORE), undefined, 'split'];
    vi.spyOn(PlacementChoice.prototype, 'next').mockImplementation(() => trials.shift());
    const add = PlacementChoice.prototype.add;
    vi.spyOn(PlacementChoice.prototype, 'add').mockImplementation(function (this: PlacementChoice, placement) {
      add.call(this, placement, 100);
    });
    const { prover, prove } = await start();
    await proveUntil(prove, SPLIT, ON_GPU);
    expect(await prove()).toEqual(SPLIT);
    // The third proof of the trial took as long as those of the GPU.
    expect(await prove()).toEqual(SPLIT);
    expect(await prove()).toEqual(ON_GPU);
    await prover.dispose();
  },
  MAKING_TIMEOUT,
);
