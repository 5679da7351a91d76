import type { CircuitInputs } from '../../sdk/api/index.js';

/** What the benchmarks use of snarkjs. */
export interface Snarkjs {
  prove(zkey: Uint8Array, witness: Uint8Array): Promise<unknown>;
  verify(verificationKey: unknown, publicSignals: readonly string[], proof: unknown): Promise<boolean>;
  exportVerificationKey(zkey: Uint8Array): Promise<unknown>;
  /** The bytes of a .wtns file. */
  witnessOf(inputs: CircuitInputs, wasm: Uint8Array): Promise<Uint8Array>;
}

/** snarkjs as scripts/bench.mjs bundled it into one file. */
export async function loadSnarkjs(bundle: URL): Promise<Snarkjs> {
  const { groth16, wtns, zKey } = (await import(bundle.href)) as typeof import('snarkjs');
  return {
    prove: (zkey, witness) => groth16.prove(zkey, witness),
    verify: (verificationKey, publicSignals, proof) =>
      groth16.verify(verificationKey as never, [...publicSignals], proof as never),
    exportVerificationKey: (zkey) => zKey.exportVerificationKey({ type: 'mem', data: zkey }),
    async witnessOf(inputs, wasm) {
      const file: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
      await wtns.calculate(inputs as Record<string, unknown>, wasm, file);
      return file.data!;
    },
  };
}
