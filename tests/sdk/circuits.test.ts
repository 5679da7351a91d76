import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { CIRCUIT_NAMES, MAKING_TIMEOUT } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { expectCircuitProved } from '../support/expect-circuit-proved.js';
import { createProver } from '../support/prover.js';

afterAll(endSnarkjs);

/**
 * Keys and witnesses that circom and snarkjs make when the tests run: from a domain of 2 with no public signal upwards. They are proved on the GPU in
 * `executors/gpu/proofs/whole-proofs.test.ts`.
 */
describe('keys made by snarkjs', () => {
  let prover: Prover;
  beforeAll(async () => {
    prover = await createProver({ backend: 'wasm', threads: 2, cache: false });
  });
  afterAll(() => prover.dispose());

  it.each(CIRCUIT_NAMES)(
    'proves the circuit %s, which snarkjs verifies',
    (name) => expectCircuitProved(prover, name, 'wasm'),
    MAKING_TIMEOUT,
  );
});
