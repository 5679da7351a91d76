import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Key, Prover } from '../../sdk/api/index.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';

let prover: Prover;
let circuit: TestCircuit;
let key: Groth16Key;
let witness: Uint8Array;
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  witness = await snarkjsWitness(circuit);
  prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
  key = await prover.groth16.loadKey(circuit.zkey);
}, MAKING_TIMEOUT);
afterAll(async () => {
  await prover.dispose();
  await endSnarkjs();
});

describe('what callers without types get wrong', () => {
  it.each([
    [
      'a key for bases',
      () => prover.msm(key as never, new Uint8Array(64)),
      'INVALID_HANDLE',
      'expected bases loaded by this prover, got a proving key',
    ],
    [
      'null options',
      () => prover.groth16.prove(key, witness, null as never),
      'INVALID_ARGUMENT',
      'expected the options of prove as an object, got null',
    ],
    [
      'a signal that is none',
      () => prover.groth16.prove(key, witness, { signal: {} as never }),
      'INVALID_ARGUMENT',
      'expected signal as an AbortSignal',
    ],
    [
      'a listener that is none',
      () => prover.groth16.prove(key, witness, { onProgress: 5 as never }),
      'INVALID_ARGUMENT',
      'expected onProgress as a function, got 5',
    ],
    [
      'a word for a flag',
      () => prover.groth16.prove(key, witness, { verify: 'no' as never }),
      'INVALID_ARGUMENT',
      'expected verify as true or false, got no',
    ],
    [
      'a function in a proof',
      () => prover.groth16.verify(circuit.verificationKey, [], { pi_a: [() => 1] } as never),
      'MALFORMED_FILE',
      'expected pi_a[0] as JSON, got a function',
    ],
  ] as const)('%s', async (_, call, code, message) => {
    await expect(call()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('takes a signal of another realm, and inputs behind a Proxy', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const foreign = {
      get aborted() {
        return signal.aborted;
      },
      get reason(): unknown {
        return signal.reason;
      },
      addEventListener: signal.addEventListener.bind(signal),
      removeEventListener: signal.removeEventListener.bind(signal),
    };
    const call = prover.groth16.prove(key, witness, { signal: foreign as AbortSignal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    const inputs = new Proxy({ root: new Proxy([7], {}) }, {});
    await prover.groth16.fullProve(key, inputs, circuit.wasm);
  });
});
