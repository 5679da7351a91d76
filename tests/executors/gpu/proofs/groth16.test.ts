import { describe } from 'vitest';
import { KEY_CURVES } from '../../../../sdk/files/snarkjs/known-curves.js';
import { chainOver, snarkjsWitness } from '../../../support/circuits.js';
import { isTestedOn } from '../../../support/combinations.js';
import { testGroth16 } from '../../../support/groth16-suite.js';
import { proverOnGpu } from './prover-on-gpu.js';

// A prover of the built package proves on the GPU in cli/prove.test.ts.
describe.each(KEY_CURVES.filter(({ id }) => isTestedOn('webgpu', id)))('groth16 over $id on the GPU', ({ id }) => {
  testGroth16(id, 'webgpu', async () => {
    const circuit = await chainOver(id);
    const { prover } = await proverOnGpu({ backend: 'webgpu', threads: 2 }, { isSoftware: true });
    return [{ ...circuit, witness: await snarkjsWitness(circuit) }, prover];
  });
});
