import type { CircuitInputs } from '../../../sdk/api/index.js';
import { bn254 } from '../../../sdk/curves/index.js';
import type { Random } from '../../support/random.js';

const R = bn254.fr.modulus;

/** A job that was drawn, with what must come of it. */
export interface DrawnJob {
  readonly circuit: 'chain' | 'hash';
  readonly inputs: CircuitInputs;
  /** The public signals, as far as they are known beforehand; or the code of the error. */
  readonly expected: { readonly signals?: readonly string[] } | { readonly code: 'INVALID_INPUT' };
}

/** Mostly sound jobs of two circuits, and some that lack an input. */
export function drawJob(random: Random): DrawnJob {
  const [start, factor, offset] = [random.below(R), random.below(R), random.below(R)];
  switch (random.integer(10)) {
    case 0:
      return { circuit: 'chain', inputs: { start, offset }, expected: { code: 'INVALID_INPUT' } };
    case 1:
    case 2:
      return { circuit: 'hash', inputs: { inputs: [start, factor] }, expected: {} };
    default: {
      const signals = [chainOutput(start, factor, offset), offset].map(String);
      return { circuit: 'chain', inputs: { start, factor, offset }, expected: { signals } };
    }
  }
}

/** What tests/circuits/chain.circom computes. */
function chainOutput(start: bigint, factor: bigint, offset: bigint): bigint {
  let link = start;
  for (let i = 0; i < 20; i++) link = (link * factor + offset) % R;
  return (link * link) % R;
}
