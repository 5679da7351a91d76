import { basename } from 'node:path';
import type { Context } from '../context.js';
import { stepOf } from '../prover.js';
import type { WitnessSource } from '../witness-source.js';
import type { BenchWork } from './backends.js';

/** A proving key, and a witness or what it is computed from. */
export interface ProofFiles {
  readonly zkey: string;
  readonly source: WitnessSource;
  /** Whether the key may be one without a contribution. */
  readonly allowUnfinished: boolean;
}

/** Proofs with a key. Each is verified before it is given, as always. */
export function proofWork({ zkey, source, allowUnfinished }: ProofFiles, context: Context): BenchWork {
  const from = source.kind === 'witness' ? 'a witness' : 'inputs';
  return {
    name: `A proof with ${basename(zkey)} from ${from}`,
    isCached: true,
    async load(prover) {
      const key = await prover.groth16.loadKey(zkey, { ...stepOf(context, 'Loading the key'), allowUnfinished });
      return {
        cached: key.report.cached === true,
        async run(step) {
          const options = stepOf(context, step);
          if (source.kind === 'witness') await prover.groth16.prove(key, source.witness, options);
          else await prover.groth16.fullProve(key, source.inputs, source.wasm, options);
        },
      };
    },
  };
}
