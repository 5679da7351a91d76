import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bases, Groth16Key, Prover } from '../../sdk/api/index.js';
import { MAKING_TIMEOUT, snarkjsProof, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { createInPlace, inPlaceProver } from '../support/in-place-prover.js';

let circuit: TestCircuit;
let witness: Uint8Array;
let made: Awaited<ReturnType<typeof snarkjsProof>>;
let prover: Prover;
let key: Groth16Key;
let bases: Bases;
const points = new Uint8Array(64);
const scalars = new Uint8Array(32);
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  witness = await snarkjsWitness(circuit);
  made = await snarkjsProof(circuit);
  prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
  key = await prover.groth16.loadKey(circuit.zkey);
  bases = await prover.loadBases({ curve: 'bn254', points });
}, MAKING_TIMEOUT);
afterAll(async () => {
  await prover.dispose();
  await endSnarkjs();
});

type Call = (options: object) => Promise<unknown>;
const CALLS: Record<string, readonly [call: Call, misspelt: string, meant: string]> = {
  createProver: [(options) => createInPlace(options), 'thread', 'threads'],
  'createProver, assets': [(assets) => createInPlace({ assets }), 'kernal', 'kernel'],
  'createProver, assets.wasm': [(wasm) => createInPlace({ assets: { wasm } }), 'bls12381', 'bls12-381'],
  'createProver, cache': [(cache) => createInPlace({ cache: { directory: '/tmp', ...cache } }), 'size', ''],
  'createProver, devices': [(device) => createInPlace({ devices: [device] }), 'enviroment', ''],
  loadBases: [(options) => prover.loadBases({ curve: 'bn254', points }, options), 'transfers', 'transfer'],
  'the bases to load': [
    (request) => prover.loadBases({ curve: 'bn254', points, ...request }),
    'point_form',
    'pointsForm',
  ],
  msm: [(options) => prover.msm(bases, scalars, options), 'bitsize', 'bitSize'],
  'msm, tuning': [(tuning) => prover.msm(bases, scalars, { tuning }), 'windowbit', 'windowBits'],
  msmBatch: [(options) => prover.msmBatch(bases, scalars, { batchSize: 1, ...options }), 'shareBases', 'sharedBases'],
  loadKey: [(options) => prover.groth16.loadKey(circuit.zkey, options), 'colour', ''],
  'loadKey, tuning': [(tuning) => prover.groth16.loadKey(circuit.zkey, { tuning }), 'chunk', 'chunks'],
  loadCircuit: [(options) => prover.groth16.loadCircuit(circuit.wasm, options), 'SHA256', 'sha256'],
  prove: [(options) => prover.groth16.prove(key, witness, options), 'onprogress', 'onProgress'],
  fullProve: [
    (options) => prover.groth16.fullProve(key, circuit.inputs, circuit.wasm, options),
    'strictInput',
    'strictInputs',
  ],
  verify: [
    (options) => prover.groth16.verify(circuit.verificationKey, made.publicSignals, made.proof, options),
    'allow_unfinished',
    'allowUnfinished',
  ],
  tune: [(options) => prover.tune({ maxMs: 100, ...options }), 'curve', 'curves'],
};

describe('an option that no call has', () => {
  it.each(Object.entries(CALLS))('is refused by %s', async (_, [call, misspelt, meant]) => {
    const hint = meant === '' ? 'leave it out' : `did you mean ${meant}?`;
    await expect(call({ [misspelt]: true })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`got ${misspelt}`),
      hint,
    });
  });

  it('is none of fullProve that prove does not use', async () => {
    const options = { strictInputs: true, witnessTimeout: 9, witnessMemory: 9 };
    expect((await prover.groth16.prove(key, witness, options)).publicSignals).toEqual(made.publicSignals);
  });
});
