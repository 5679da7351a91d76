import type { CallOptions, ProveOptions, Prover, Report } from '../../sdk/api/index.js';
import { FFLONK_PARTS, PLONK_PARTS } from '../../sdk/proofs/universal/parts.js';
import { fflonkCircuit, plonkCircuit, type TestCircuit } from './circuits.js';

/** A proof of either proof system, with its report. */
export interface UniversalProof {
  readonly proof: object;
  readonly publicSignals: string[];
  readonly report: Report;
}

/** `prover.plonk` and `prover.fflonk`, for keys and proofs of either. */
export interface UniversalProver {
  loadKey(
    zkey: Uint8Array | string,
    options?: CallOptions & { readonly verificationKey?: object },
  ): Promise<{ readonly verificationKey: object; dispose(): Promise<void> }>;
  prove(key: object, witness: Uint8Array, options?: ProveOptions): Promise<UniversalProof>;
  fullProve(key: object, inputs: object, circuit: unknown, options?: ProveOptions): Promise<UniversalProof>;
  verify(verificationKey: object, publicSignals: readonly string[], proof: object): Promise<boolean>;
}

/** A proof system with a universal set-up, for suites that run over all of them. */
export interface UniversalSystemOfTests {
  readonly protocol: 'plonk' | 'fflonk';
  /** The names of a proof's MSMs. */
  readonly parts: readonly string[];
  circuitOf(name: 'smallest' | 'chain'): Promise<TestCircuit<object>>;
  of(prover: Prover): UniversalProver;
  /** Whether snarkjs accepts a proof. */
  snarkjsVerifies(verificationKey: object, made: Pick<UniversalProof, 'proof' | 'publicSignals'>): Promise<boolean>;
}

export const UNIVERSAL_SYSTEMS: readonly UniversalSystemOfTests[] = [
  {
    protocol: 'plonk',
    parts: PLONK_PARTS,
    circuitOf: plonkCircuit,
    of: ({ plonk }) => plonk as unknown as UniversalProver,
    snarkjsVerifies: async (key, { proof, publicSignals }) =>
      (await import('snarkjs')).plonk.verify(key as never, publicSignals, proof as never),
  },
  {
    protocol: 'fflonk',
    parts: FFLONK_PARTS,
    circuitOf: fflonkCircuit,
    of: ({ fflonk }) => fflonk as unknown as UniversalProver,
    snarkjsVerifies: async (key, { proof, publicSignals }) =>
      (await import('snarkjs')).fflonk.verify(key as never, publicSignals, proof as never),
  },
];
