import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bases, Groth16Key, Prover } from '../../sdk/api/index.js';
import { bn254 } from '../../sdk/curves/index.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { encodePoints, encodeScalars, multipleOf } from '../support/points.js';

let circuit: TestCircuit;
let witness: Uint8Array;
let [one, other]: Prover[] = [];
let bases: Bases;
let key: Groth16Key;
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  witness = await snarkjsWitness(circuit);
  one = await inPlaceProver({ backend: 'wasm', threads: 1 });
  other = await inPlaceProver({ backend: 'wasm', threads: 1 });
  const multiple = (k: bigint) => encodePoints(bn254, [multipleOf(bn254, k)]);
  bases = await one.loadBases({ curve: 'bn254', points: multiple(1n) });
  await other.loadBases({ curve: 'bn254', points: multiple(2n) });
  key = await one.groth16.loadKey(circuit.zkey);
  await other.groth16.loadKey(circuit.zkey);
}, MAKING_TIMEOUT);
afterAll(async () => {
  await Promise.all([one!.dispose(), other!.dispose(), endSnarkjs()]);
});

describe('what a prover has loaded', () => {
  it('is not taken for that of another prover', async () => {
    const scalars = encodeScalars([1n]);
    const foreign = { code: 'INVALID_HANDLE', message: expect.stringContaining('another prover') };
    await expect(other!.msm(bases, scalars)).rejects.toMatchObject(foreign);
    await expect(other!.msmBatch(bases, scalars, { batchSize: 1 })).rejects.toMatchObject(foreign);
    await expect(other!.groth16.prove(key, witness)).rejects.toMatchObject(foreign);
    await expect(other!.groth16.fullProve(key, circuit.inputs, circuit.wasm)).rejects.toMatchObject(foreign);
    expect(await one!.msm(bases, scalars)).toMatchObject({ x: 1n, y: 2n });
  });

  it('is not taken for something of another kind', async () => {
    await expect(one!.msm(key as never, encodeScalars([1n]))).rejects.toMatchObject({ code: 'INVALID_HANDLE' });
    await expect(one!.groth16.prove(bases as never, witness)).rejects.toMatchObject({ code: 'INVALID_HANDLE' });
    await expect(one!.groth16.prove({ ...key }, witness)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(one!.groth16.prove(null as never, witness)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('is told as disposed once it was, and stays foreign to another prover', async () => {
    const own = await one!.groth16.loadKey(circuit.zkey);
    await own.dispose();
    await own.dispose();
    await expect(one!.groth16.prove(own, witness)).rejects.toMatchObject({ code: 'DISPOSED' });
    await expect(other!.groth16.prove(own, witness)).rejects.toMatchObject({ code: 'INVALID_HANDLE' });
    expect((await one!.groth16.prove(key, witness)).publicSignals).toEqual(expect.any(Array));
  });
});
