import type { ProvingKey } from 'pippin-prover';

/** A proof system, by snarkjs' name. */
export type Protocol = ProvingKey['protocol'];

interface ProofSystem {
  readonly protocol: Protocol;
  readonly name: string;
  /** What the size of a circuit counts. */
  readonly unit: 'constraints' | 'gates';
  /** Rows that a circuit made here leaves free. */
  readonly spare: number;
  /** Bytes that a key takes for each of them. */
  readonly keyBytes: number;
}

export const PROOF_SYSTEMS: readonly ProofSystem[] = [
  { protocol: 'groth16', name: 'Groth16', unit: 'constraints', spare: 8, keyBytes: 480 },
  { protocol: 'plonk', name: 'PLONK', unit: 'gates', spare: 3, keyBytes: 1900 },
  { protocol: 'fflonk', name: 'FFLONK', unit: 'gates', spare: 3, keyBytes: 2700 },
];

export function proofSystem(protocol: Protocol): ProofSystem {
  return PROOF_SYSTEMS.find((one) => one.protocol === protocol)!;
}

/** The number of constraints or gates of a circuit of 2^log that is made here. */
export function constraintsOf(protocol: Protocol, log: number): number {
  return 2 ** log - proofSystem(protocol).spare;
}
