import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes } from '../../../sdk/base/bytes.js';
import { bn254 } from '../../../sdk/curves/index.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { readWtns } from '../../../sdk/files/snarkjs/wtns.js';
import { readZkey } from '../../../sdk/files/snarkjs/zkey.js';
import { calculateWitness } from '../../../sdk/files/witness/witness-calculator.js';
import { randomBlinding } from '../../../sdk/proofs/groth16/prove.js';
import {
  CIRCUIT_NAMES,
  MAKING_TIMEOUT,
  snarkjsProof,
  snarkjsWitness,
  testCircuit,
  witnessWasm,
} from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';
import { proveInPlace } from '../../support/prove-in-place.js';
import { verifyProof } from '../../support/verify-proof.js';
import { loadKernel } from '../../support/wasm.js';

const R_MINUS_1 = bn254.fr.modulus - 1n;

let kernel: Kernel;
beforeAll(async () => {
  kernel = await loadKernel('bn254');
  await testCircuit('chain');
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

const any = () => randomBlinding('bn254');

describe.each(CIRCUIT_NAMES)('a proof for %s', (name) => {
  it('is verified by snarkjs and by us, with its public signals and no others', async () => {
    const circuit = await testCircuit(name);
    const { facts } = await readZkey(memorySource(circuit.zkey));
    const witness = await readWtns(memorySource(await snarkjsWitness(circuit)), {
      curve: 'bn254',
      variables: facts.variables,
    });
    expect(await calculateWitness(await witnessWasm(name), circuit.inputs, 'bn254')).toEqual(witness);

    const { proof, publicSignals } = await proveInPlace(kernel, circuit.zkey, witness, any());
    const key = circuit.verificationKey;
    expect(publicSignals).toEqual((await snarkjsProof(circuit)).publicSignals);
    expect(await snarkjs.groth16.verify(key, publicSignals, proof)).toBe(true);
    expect(await verifyProof(kernel, key, publicSignals, proof)).toBe(true);
    if (publicSignals.length > 0) {
      const changed = publicSignals.with(0, String(BigInt(publicSignals[0]!) ^ 1n));
      expect(await snarkjs.groth16.verify(key, changed, proof)).toBe(false);
      expect(await verifyProof(kernel, key, changed, proof)).toBe(false);
    }
  });

  it('holds for every blinding', async () => {
    const circuit = await testCircuit(name);
    const witness = await calculateWitness(await witnessWasm(name), circuit.inputs, 'bn254');
    const extremes = [0n, 1n, R_MINUS_1].map((value) => bigintToBytes(value, 32));
    for (const [i, r] of extremes.entries()) {
      const s = extremes[(i + 1) % extremes.length]!;
      const { proof, publicSignals } = await proveInPlace(kernel, circuit.zkey, witness, { r, s });
      expect(await verifyProof(kernel, circuit.verificationKey, publicSignals, proof)).toBe(true);
    }
  });

  it('does not hold when a value of the witness is wrong', async () => {
    const circuit = await testCircuit(name);
    const witness = await calculateWitness(await witnessWasm(name), circuit.inputs, 'bn254');
    const wrong = witness.slice();
    wrong[wrong.length - 32]! ^= 1;
    const { proof, publicSignals } = await proveInPlace(kernel, circuit.zkey, wrong, any());
    expect(await verifyProof(kernel, circuit.verificationKey, publicSignals, proof)).toBe(false);
  });
});

describe('proofs', () => {
  it('hold for inputs of zeros and ones alone', async () => {
    const { zkey, verificationKey } = await testCircuit('flags');
    const module = await witnessWasm('flags');
    for (const inputs of [
      { values: [0, 0, 0, 0, 0, 0], bound: 0 },
      { values: [1, 1, 1, 1, 1, 1], bound: 1 },
      { values: [65535, 65535, 65535, 65535, 65535, 65535], bound: 65535 },
    ]) {
      const witness = await calculateWitness(module, inputs, 'bn254');
      const { proof, publicSignals } = await proveInPlace(kernel, zkey, witness, any());
      expect(await verifyProof(kernel, verificationKey, publicSignals, proof)).toBe(true);
    }
  });

  it('are alike in nothing but their validity', async () => {
    const { zkey, verificationKey, inputs } = await testCircuit('chain');
    const witness = await calculateWitness(await witnessWasm('chain'), inputs, 'bn254');
    const [one, two] = [
      await proveInPlace(kernel, zkey, witness, any()),
      await proveInPlace(kernel, zkey, witness, any()),
    ];
    for (const part of ['pi_a', 'pi_b', 'pi_c'] as const) expect(one.proof[part]).not.toEqual(two.proof[part]);
    const mixed = { ...one.proof, pi_c: two.proof.pi_c };
    expect(await verifyProof(kernel, verificationKey, one.publicSignals, mixed)).toBe(false);
  });
});
