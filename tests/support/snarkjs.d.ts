/** What the tests use of snarkjs, which brings no types of its own. */
declare module 'snarkjs' {
  export type MemoryFile = { type: 'mem'; data?: Uint8Array };
  interface ProofSystem {
    verify(verificationKey: unknown, publicSignals: unknown[], proof: unknown, logger?: object): Promise<boolean>;
    exportSolidityCallData(proof: unknown, publicSignals: readonly string[]): Promise<string>;
    prove(
      zkey: string | Uint8Array,
      wtns: string | Uint8Array | MemoryFile,
    ): Promise<{ proof: unknown; publicSignals: string[] }>;
  }
  interface UniversalProofSystem extends ProofSystem {
    setup(
      r1cs: string | Uint8Array,
      ptau: string | Uint8Array,
      zkey: string | MemoryFile,
      logger?: object,
    ): Promise<unknown>;
  }
  export const groth16: ProofSystem;
  export const plonk: UniversalProofSystem;
  export const fflonk: UniversalProofSystem;
  export const wtns: {
    calculate(inputs: Record<string, unknown>, wasm: string | Uint8Array, out: string | MemoryFile): Promise<void>;
    exportJson(wtns: string | Uint8Array | MemoryFile): Promise<bigint[]>;
  };
  export const r1cs: {
    info(r1cs: string, logger?: object): Promise<Record<string, unknown>>;
    exportJson(r1cs: string, logger?: object): Promise<Record<string, unknown>>;
  };
  export interface SnarkjsCurve {
    readonly G1: { batchLEMtoU(points: Uint8Array): Promise<Uint8Array> };
    readonly tm: { queueAction(task: readonly object[]): Promise<Uint8Array[]> };
    terminate(): Promise<void>;
  }
  export const curves: { getCurveFromName(name: string): Promise<SnarkjsCurve> };
  export const powersOfTau: {
    newAccumulator(curve: SnarkjsCurve, power: number, ptau: string | MemoryFile): Promise<Uint8Array>;
    contribute(
      ptau: string | Uint8Array,
      made: string | MemoryFile,
      name: string | undefined,
      entropy: string,
    ): Promise<Uint8Array>;
    beacon(
      ptau: string | Uint8Array,
      made: string | MemoryFile,
      name: string | undefined,
      hash: string,
      iterations: number,
    ): Promise<Uint8Array | false>;
    preparePhase2(ptau: string | Uint8Array, made: string | MemoryFile): Promise<void>;
    convert(ptau: string | Uint8Array, made: string | MemoryFile): Promise<void>;
    exportJson(ptau: string | Uint8Array): Promise<object>;
    verify(ptau: string | Uint8Array, logger?: object): Promise<boolean>;
    truncate(ptau: string | Uint8Array, template: string): Promise<true>;
    exportChallenge(ptau: string | Uint8Array, challenge: string | MemoryFile): Promise<Uint8Array>;
    challengeContribute(
      curve: SnarkjsCurve,
      challenge: string | MemoryFile,
      response: string | MemoryFile,
      entropy: string,
    ): Promise<void>;
    importResponse(
      ptau: string | Uint8Array,
      response: string | MemoryFile,
      made: string | MemoryFile,
      name: string | undefined,
      importPoints: boolean,
    ): Promise<Uint8Array>;
  };
}
