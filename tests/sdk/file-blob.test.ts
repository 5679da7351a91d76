import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { exportVerificationKey, readInfo } from '../../sdk/hosts/node/node-files.js';
import type * as Alias from '../../sdk/snarkjs-node.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { createProver } from '../support/prover.js';

let circuit: TestCircuit;
let folder: string;
const fileOf = async (name: string, bytes: Uint8Array): Promise<Blob> => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return openAsBlob(path);
};
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  folder = await mkdtemp(join(tmpdir(), 'pippin-file-blob-'));
}, MAKING_TIMEOUT);
afterAll(async () => {
  await endSnarkjs();
  await rm(folder, { recursive: true });
});

describe.each([
  ['in workers', 1],
  ['on the thread of the caller', 0],
] as const)('a Blob of fs.openAsBlob, %s', (_, threads) => {
  let prover: Prover;
  beforeAll(async () => {
    prover = await createProver({ backend: 'wasm', threads, cache: false });
  });
  afterAll(() => prover.dispose());

  it('is read wherever a source is taken', async () => {
    const { groth16 } = prover;
    const key = await groth16.loadKey(await fileOf('c.zkey', circuit.zkey));
    const wasm = await fileOf('c.wasm', circuit.wasm);
    const loaded = await groth16.loadCircuit(wasm);
    const expected = await groth16.prove(key, await fileOf('c.wtns', await snarkjsWitness(circuit)));
    for (const given of [wasm, loaded]) {
      const { proof, publicSignals } = await groth16.fullProve(key, circuit.inputs, given);
      expect(publicSignals).toEqual(expected.publicSignals);
      expect(await groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
    }
    // All zero is the neutral element.
    const bases = await prover.loadBases({ curve: 'bn254', points: await fileOf('points', new Uint8Array(128)) });
    expect(bases.count).toBe(2);
    await Promise.all([key, loaded, bases].map((each) => each.dispose()));
  });

  it('of which a part is given is read within the part', async () => {
    const around = new Uint8Array(circuit.zkey.length + 20);
    around.set(circuit.zkey, 7);
    const blob = (await fileOf('around', around)).slice(7, 7 + circuit.zkey.length);
    const key = await prover.groth16.loadKey(blob);
    expect(key.verificationKey).toEqual(circuit.verificationKey);
    await key.dispose();
  });

  it('that was changed gives the error of a file, with its hint', async () => {
    const blob = await fileOf('changed.zkey', circuit.zkey);
    await writeFile(join(folder, 'changed.zkey'), circuit.zkey.subarray(1));
    await expect(prover.groth16.loadKey(blob)).rejects.toMatchObject({
      code: 'IO_FAILED',
      hint: expect.stringContaining('chosen again'),
    });
  });
});

it('a Blob of fs.openAsBlob is read without a prover, and by the alias of snarkjs', async () => {
  const blob = await fileOf('c.zkey', circuit.zkey);
  expect(await exportVerificationKey(blob)).toEqual(circuit.verificationKey);
  expect(await readInfo(blob)).toMatchObject({ kind: 'zkey', bytes: circuit.zkey.length });
  const alias: typeof Alias = await import(/* @vite-ignore */ built('snarkjs-node.js'));
  alias.configure({ prover: { backend: 'wasm', threads: 1, cache: false } });
  const wasm = await fileOf('c.wasm', circuit.wasm);
  const { proof, publicSignals } = await alias.groth16.fullProve(circuit.inputs, wasm, blob);
  expect(await alias.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
});
