import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import type { ProgressListener } from '../../sdk/api/progress.js';
import { pointBytes, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { KEY_CURVES } from '../../sdk/files/snarkjs/known-curves.js';
import { chainOver, MAKING_TIMEOUT, snarkjsWitness, type TestCircuit } from '../support/circuits.js';
import { endSnarkjsOver } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { patched, sectionsOf, withSection } from '../support/section-bytes.js';

describe.each(KEY_CURVES)('a proof over $id that does not verify', (curve) => {
  const { id, coordinateBytes } = curve;
  let prover: Prover;
  let circuit: TestCircuit;
  let witness: Uint8Array;
  beforeAll(async () => {
    circuit = await chainOver(id);
    witness = await snarkjsWitness(circuit);
    prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
  }, MAKING_TIMEOUT);
  afterAll(async () => {
    await prover.dispose();
    await endSnarkjsOver(id);
  });

  const failureWith = async (zkey: Uint8Array, wtns = witness): Promise<string> => {
    const key = await prover.groth16.loadKey(zkey);
    const call = prover.groth16.prove(key, wtns);
    await expect(call).rejects.toMatchObject({
      code: 'PROOF_INVALID',
      hint: expect.stringMatching(/snarkjs zkey verify|get the key again/),
    });
    await key.dispose();
    return call.then(
      () => '',
      ({ message }: Error) => message,
    );
  };
  /** The key with the points of a section shifted by one place. */
  const shifted = (section: number, bytes: number): Uint8Array =>
    withSection(circuit.zkey, section, (body) => {
      const copy = body.slice();
      copy.set(body.subarray(0, bytes), body.length - bytes);
      copy.set(body.subarray(bytes));
      return copy;
    });
  const g1 = pointBytes(id, 'g1');
  const g2 = pointBytes(id, 'g2');
  /** Where the points of the header begin: alpha1, beta1, beta2, gamma2, delta1, delta2. */
  const header = 4 + coordinateBytes + 4 + SCALAR_BYTES + 12;
  const headerWith = (at: number, from: number, size: number): Uint8Array => {
    const body = sectionsOf(circuit.zkey).find(([number]) => number === 2)![1];
    const points = body.subarray(header);
    return withSection(circuit.zkey, 2, () => patched(body, header + at, points.slice(from, from + size)));
  };

  it('is put down to the key where that contradicts itself', async () => {
    const one = 'one that differs between G1 and G2 in';
    expect(await failureWith(headerWith(g1, 0, g1))).toContain(`${one} beta: no witness`);
    expect(await failureWith(headerWith(2 * g1 + 2 * g2, 0, g1))).toContain(`${one} delta: no witness`);
    expect(await failureWith(shifted(6, g1))).toContain(`${one} the points of B: no witness`);
    expect(await failureWith(shifted(7, g2))).toContain(`${one} the points of B: no witness`);
  });

  const wrong = (): Uint8Array =>
    patched(witness, witness.length - SCALAR_BYTES, Uint8Array.of(witness.at(-SCALAR_BYTES)! ^ 1));

  it('is told without a cause where the code that finds it cannot be loaded', async () => {
    const key = await prover.groth16.loadKey(circuit.zkey);
    // The workers' quotient is of the same script, and comes before.
    const onProgress: ProgressListener = (event) => {
      if (event.kind !== 'begin' || event.span.phase !== 'verify') return;
      vi.doMock('../../sdk/proofs/groth16/deferred-code.js', () => {
        throw new Error('no network');
      });
    };
    try {
      await expect(prover.groth16.prove(key, wrong(), { onProgress })).rejects.toMatchObject({
        code: 'PROOF_INVALID',
        message: 'expected a proof that verifies, got one that does not',
        hint: expect.stringContaining('could not be loaded'),
      });
    } finally {
      vi.doUnmock('../../sdk/proofs/groth16/deferred-code.js');
      await key.dispose();
    }
  });

  it('is put down to the witness or the key where both are possible', async () => {
    const both = 'the witness does not satisfy the circuit of this key, or the key is wrong';
    expect(await failureWith(circuit.zkey, wrong())).toContain(both);
    for (const section of [5, 8, 9]) expect(await failureWith(shifted(section, g1))).toContain(both);
  });
});
