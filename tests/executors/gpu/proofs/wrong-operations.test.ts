import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Prover } from '../../../../sdk/api/index.js';
import { polynomialKernelKey } from '../../../../sdk/executors/gpu/polynomials/compose.js';
import { interleaveStage, nonzeroStage, VECTOR_KERNELS } from '../../../../sdk/executors/gpu/vectors/vector-stages.js';
import { MAKING_TIMEOUT, snarkjsWitness } from '../../../support/circuits.js';
import { endSnarkjs } from '../../../support/example.js';
import { UNIVERSAL_SYSTEMS } from '../../../support/universal-systems.js';
import { proverOnGpu } from './prover-on-gpu.js';

const keyOf = (kernel: (typeof VECTOR_KERNELS)[number]): string => polynomialKernelKey('bn254', kernel);

/** The kernels of a proof. One that finds no element that is not 0 finds what holds for a right witness. */
const KEYS = {
  plonk: VECTOR_KERNELS.filter((kernel) => kernel !== interleaveStage && kernel !== nonzeroStage).map(keyOf),
  // It has the others in common.
  fflonk: [keyOf(interleaveStage)],
};

let prover: Prover | undefined;
afterEach(() => prover?.dispose());
afterAll(endSnarkjs);

describe.each(UNIVERSAL_SYSTEMS)('a proof of $protocol on a GPU one of whose operations does nothing', (system) => {
  it.each(KEYS[system.protocol])(
    'is right, and the GPU is distrusted: %s',
    async (key) => {
      const circuit = await system.circuitOf('chain');
      const witness = await snarkjsWitness(circuit);
      const used = new Set<string>();
      const opened = await proverOnGpu(
        { backend: 'webgpu' },
        { leavesOut: (name) => name === key, onUse: (name) => used.add(name) },
      );
      prover = opened.prover;
      const loaded = await system.of(prover).loadKey(circuit.zkey);
      const made = await system.of(prover).prove(loaded, witness);
      expect(used).toContain(key);
      expect(await system.snarkjsVerifies(circuit.verificationKey, made)).toBe(true);
      expect(made.report.notices.map(({ code }) => code)).toContain('WEBGPU_DISTRUSTED');
      // They are asked for anew after the notice.
      await expect.poll(() => prover!.capabilities.backend).toBe('wasm');
    },
    MAKING_TIMEOUT,
  );
});
