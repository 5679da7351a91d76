import { readFileSync } from 'node:fs';

/** A proof as snarkjs and Pippin give it. */
export interface Proved {
  readonly proof: unknown;
  readonly publicSignals: readonly string[];
}

/**
 * Gives a function that throws unless snarkjs accepts a proof for the key in that file. It loads snarkjs at its first
 * call.
 */
export function checkWith(verificationKey: string): (result: unknown) => Promise<void> {
  const key = JSON.parse(readFileSync(verificationKey, 'utf8'));
  return async (result) => {
    const { groth16 } = await import('snarkjs');
    const { proof, publicSignals } = result as Proved;
    if (!(await groth16.verify(key, [...publicSignals], proof)))
      throw new Error('expected a proof that verifies, got one that does not');
  };
}
