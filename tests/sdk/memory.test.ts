import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Groth16Key, Prover } from '../../sdk/api/index.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../support/circuits.js';
import { inPlaceProver } from '../support/in-place-prover.js';

let circuit: TestCircuit;
let prover: Prover;
let key: Groth16Key;
beforeAll(async () => {
  circuit = await testCircuit('smallest');
  // Everything is on this thread, so that its counts are those of all threads.
  prover = await inPlaceProver({ backend: 'wasm', threads: 2 });
  key = await prover.groth16.loadKey(circuit.zkey);
}, MAKING_TIMEOUT);
afterAll(() => prover.dispose());

it('leaves no copies of a circuit to the garbage collector', async () => {
  // A section of its own makes the circuit large beside everything else that a proof needs.
  const padding = 2 ** 22;
  const length = [0, 7, 14, 21].map((shift) => ((padding >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0));
  const wasm = new Uint8Array([...circuit.wasm, 0, ...length, ...new Uint8Array(padding)]);
  await prover.groth16.fullProve(key, circuit.inputs, wasm);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 4; i++) await prover.groth16.fullProve(key, circuit.inputs, wasm);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
});
