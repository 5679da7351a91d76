import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../../../sdk/api/index.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { CIRCUIT_NAMES, chainOver, MAKING_TIMEOUT, snarkjsWitness } from '../../../support/circuits.js';
import { endSnarkjs, endSnarkjsOver } from '../../../support/example.js';
import { expectCircuitProved } from '../../../support/expect-circuit-proved.js';
import { withLongRow } from './long-row.js';
import { proverOnGpu } from './prover-on-gpu.js';

const ON_SNARKJS = Object.values(CURVES).filter(({ snarkjs: name }) => name !== undefined);

describe.each(ON_SNARKJS)('a proof over $id on the GPU', ({ id }) => {
  afterAll(() => endSnarkjsOver(id));

  it(
    'holds, and takes one copy of the witness for all its parts',
    async () => {
      const circuit = await chainOver(id);
      const witness = await snarkjsWitness(circuit);
      const uses: string[] = [];
      const { prover } = await proverOnGpu({ backend: 'webgpu' }, { onUse: (name) => uses.push(name) });
      for (const zkey of [circuit.zkey, withLongRow(circuit.zkey, id)]) {
        const key = await prover.groth16.loadKey(zkey);
        uses.length = 0;
        const { proof, publicSignals, report } = await prover.groth16.prove(key, witness);
        expect(report.parts).toEqual({ A: 'webgpu', B1: 'webgpu', B2: 'webgpu', C: 'webgpu', H: 'webgpu' });
        expect(report.notices).toEqual([]);
        // The witness, and the scalars of the MSM over H.
        expect(uses.filter((name) => name === 'buffer scalars')).toHaveLength(2);
        expect(uses.includes(`join-rows ${id}`)).toBe(zkey !== circuit.zkey);
        expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
        await key.dispose();
      }
      await prover.dispose();
    },
    MAKING_TIMEOUT,
  );
});

describe('keys made by snarkjs', () => {
  let prover: Prover;
  beforeAll(async () => {
    ({ prover } = await proverOnGpu({ backend: 'webgpu' }));
  });
  afterAll(async () => {
    await prover.dispose();
    await endSnarkjs();
  });

  it.each(CIRCUIT_NAMES)(
    'prove the circuit %s on the GPU, which snarkjs verifies',
    (name) => expectCircuitProved(prover, name, 'webgpu'),
    MAKING_TIMEOUT,
  );
});
