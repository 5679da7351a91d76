import type { FflonkProveResult, PlonkProveResult } from '../../sdk/api/index.js';

/** The proof systems that are measured. */
export type UniversalProtocol = 'plonk' | 'fflonk';

/** A proof in snarkjs' form. */
export type Proved =
  | Pick<PlonkProveResult, 'proof' | 'publicSignals'>
  | Pick<FflonkProveResult, 'proof' | 'publicSignals'>;

/** What this benchmark uses of snarkjs. */
export interface SnarkjsUniversal {
  /** @param zkey a file's path, as is `witness`. */
  prove(zkey: string, witness: string): Promise<Proved>;
  verify(verificationKey: unknown, proved: Proved): Promise<boolean>;
  exportVerificationKey(zkey: string): Promise<unknown>;
}

/** A proof system of snarkjs, which scripts/bench.mjs bundled into one file. */
export async function loadSnarkjs(bundle: URL, protocol: UniversalProtocol): Promise<SnarkjsUniversal> {
  const { zKey, ...snarkjs } = (await import(bundle.href)) as typeof import('snarkjs');
  const system = snarkjs[protocol];
  return {
    prove: async (zkey, witness) => (await system.prove(zkey, witness)) as Proved,
    verify: (verificationKey, { proof, publicSignals }) =>
      system.verify(verificationKey as never, [...publicSignals], proof as never),
    exportVerificationKey: (zkey) => zKey.exportVerificationKey(zkey),
  };
}
