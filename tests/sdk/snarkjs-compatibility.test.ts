import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bn254 } from '../../sdk/curves/index.js';
import type { CircuitInputs, Notice, Prover } from '../../sdk/node.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { createProver } from '../support/prover.js';
import { zkeyChunks } from '../support/section-bytes.js';

describe('what snarkjs takes', () => {
  const notices: Notice[] = [];
  let prover: Prover;
  let circuit: TestCircuit;
  beforeAll(async () => {
    circuit = await testCircuit('logging');
    prover = await createProver({
      backend: 'wasm',
      threads: 2,
      cache: false,
      onNotice: (notice) => notices.push(notice),
    });
  }, MAKING_TIMEOUT);
  afterAll(async () => {
    await prover.dispose();
    await endSnarkjs();
  });

  it('as inputs proves, unless they are to be strict', async () => {
    const key = await prover.groth16.loadKey(circuit.zkey);
    for (const root of [-7, bn254.fr.modulus + 7n, '0B111', ' 7 ']) {
      const { proof, publicSignals } = await prover.groth16.fullProve(key, { root }, circuit.wasm);
      expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
      await expect(prover.groth16.fullProve(key, { root }, circuit.wasm, { strictInputs: true })).rejects.toMatchObject(
        { code: 'INVALID_INPUT' },
      );
    }
    await key.dispose();
  });

  it('logs as notices, during the call and in its report, also when the circuit fails', async () => {
    const key = await prover.groth16.loadKey(circuit.zkey);
    notices.length = 0;
    const { report } = await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
    const expected = { code: 'CIRCUIT_LOG', message: 'root is 7' };
    expect(report.notices).toEqual([expected]);
    await expect(prover.groth16.fullProve(key, { root: 8 }, circuit.wasm)).rejects.toMatchObject({
      code: 'WITNESS_REJECTED',
      message: expect.not.stringContaining('8'),
    });
    expect(notices).toEqual([expected, { ...expected, message: 'root is 8' }]);
    await key.dispose();
  });

  it('refuses inputs that cannot be copied to a worker, by their names', async () => {
    const key = await prover.groth16.loadKey(circuit.zkey);
    for (const root of [() => 1, Symbol('secret')]) {
      await expect(
        prover.groth16.fullProve(key, { root } as unknown as CircuitInputs, circuit.wasm),
      ).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('expected root') });
    }
    await key.dispose();
  });

  it('refuses a page of HTML in place of a key or of a circuit, and says so', async () => {
    const page = new TextEncoder().encode('<!doctype html><title>Not found</title>');
    const hint = expect.stringContaining('HTML');
    await expect(prover.groth16.loadKey(page)).rejects.toMatchObject({ code: 'MALFORMED_FILE', hint });
    const key = await prover.groth16.loadKey(circuit.zkey);
    await expect(prover.groth16.fullProve(key, circuit.inputs, page)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      hint,
    });
    await key.dispose();
  });

  it.each([false, true])('loads the chunks of a key, given away: %s', async (transfer) => {
    const chain = await testCircuit('chain');
    const [first, ...rest] = zkeyChunks(chain.zkey).reverse();
    const key = await prover.groth16.loadKey([new Blob([first as Uint8Array<ArrayBuffer>]), ...rest], { transfer });
    expect(rest.map(({ length }) => length > 0)).toEqual(rest.map(() => !transfer));
    const { proof, publicSignals } = await prover.groth16.prove(key, await snarkjsWitness(chain));
    expect(await snarkjs.groth16.verify(chain.verificationKey, [...publicSignals], proof)).toBe(true);
    await key.dispose();
    await expect(prover.groth16.loadKey(zkeyChunks(chain.zkey).slice(1))).rejects.toMatchObject({
      code: 'MALFORMED_FILE',
      message: expect.stringContaining('.zkeyb'),
    });
  });
});
