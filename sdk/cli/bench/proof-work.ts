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
  /** The bound of downloads, as calls take it. */
  readonly downloads: { readonly maxBytes?: number };
}

/** Proofs with a key. Each is verified before it is given, as always. */
export function proofWork({ zkey, source, allowUnfinished, downloads }: ProofFiles, context: Context): BenchWork {
  const from = source.kind === 'witness' ? 'a witness' : 'inputs';
  return {
    name: `A proof with ${basename(zkey)} from ${from}`,
    isCached: true,
    async load(prover) {
      const options = { allowUnfinished, ...downloads };
      const key = await prover.groth16.loadKey(zkey, { ...stepOf(context, 'Loading the key'), ...options });
      return {
        cached: key.report.cached === true,
        async run(step) {
          const proving = { ...stepOf(context, step), ...downloads };
          if (source.kind === 'witness') await prover.groth16.prove(key, source.witness, proving);
          else await prover.groth16.fullProve(key, source.inputs, source.wasm, proving);
        },
      };
    },
  };
}
