import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { makeKey } from '../cpu/setup/make-key.js';
import { readR1cs } from '../cpu/setup/r1cs.js';
import { type CircuitWithWitness, chainCircuit } from './chain.js';
import type { ParallelMultiples } from './parallel-multiples.js';

/** A circuit that is proved, with the function that makes it. */
export interface ProvedCircuit {
  readonly label: string;
  make(): Promise<CircuitWithWitness>;
}

/** A circuit's key, with a witness. */
export interface KeyedCircuit {
  /** The bytes of a .zkey and of a .wtns file. */
  readonly zkey: Uint8Array;
  readonly witness: Uint8Array;
}

/**
 * Circuits that circom compiled when the benchmark was bundled: `<name>.r1cs.gz` and `<name>.wtns.gz` in the folder.
 */
const COMPILED = { membership: 'Merkle + EdDSA', sha256: 'SHA-256 of 512 bits' } as const;

export const COMPILED_NAMES = Object.keys(COMPILED) as (keyof typeof COMPILED)[];

/** The compiled circuits of a folder, and chains of 2^log constraints. */
export function provedCircuits(folder: URL, logs: readonly number[]): ProvedCircuit[] {
  const compiled = COMPILED_NAMES.filter((name) => existsSync(new URL(`${name}.r1cs.gz`, folder))).map((name) => ({
    label: COMPILED[name],
    make: async () => ({
      circuit: await readR1cs(unpacked(new URL(`${name}.r1cs.gz`, folder))),
      witness: unpacked(new URL(`${name}.wtns.gz`, folder)),
    }),
  }));
  const chains = logs.map((log) => ({ label: `chain 2^${log}`, make: async () => chainCircuit(log) }));
  return [...compiled, ...chains];
}

export async function withKey(
  { make }: ProvedCircuit,
  multiples: ParallelMultiples,
): Promise<KeyedCircuit & { readonly constraints: number }> {
  const { circuit, witness } = await make();
  return { constraints: circuit.constraints.length, zkey: await makeKey(circuit, multiples), witness };
}

function unpacked(file: URL): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(file)));
}
