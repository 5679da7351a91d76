import type { PlonkProveResult } from '../../sdk/api/index.js';

/** What this benchmark uses of snarkjs. */
export interface SnarkjsPlonk {
  /** @param zkey a file's path, as is `witness`. */
  prove(zkey: string, witness: string): Promise<Proved>;
  verify(verificationKey: unknown, proved: Proved): Promise<boolean>;
  exportVerificationKey(zkey: string): Promise<unknown>;
}

/** A proof in snarkjs' form. */
export type Proved = Pick<PlonkProveResult, 'proof' | 'publicSignals'>;

/** snarkjs as scripts/bench.mjs bundled it into one file. */
export async function loadSnarkjs(bundle: URL): Promise<SnarkjsPlonk> {
  const { plonk, zKey } = (await import(bundle.href)) as typeof import('snarkjs');
  return {
    prove: async (zkey, witness) => (await plonk.prove(zkey, witness)) as Proved,
    verify: (verificationKey, { proof, publicSignals }) => plonk.verify(verificationKey, [...publicSignals], proof),
    exportVerificationKey: (zkey) => zKey.exportVerificationKey(zkey),
  };
}
