/** What the benchmark and some tests use of snarkjs in addition to what most tests use. */
declare module 'snarkjs' {
  export const zKey: {
    exportVerificationKey(zkey: string | Uint8Array | MemoryFile): Promise<unknown>;
    exportJson(zkey: string | Uint8Array | MemoryFile): Promise<unknown>;
    exportSolidityVerifier(
      zkey: string | Uint8Array | MemoryFile,
      templates: Record<string, string>,
      logger?: object,
    ): Promise<string>;
    newZKey(
      r1cs: string | Uint8Array,
      ptau: string | Uint8Array,
      zkey: string | MemoryFile,
      logger?: object,
    ): Promise<unknown>;
    verifyFromR1cs(
      r1cs: string | Uint8Array,
      ptau: string | Uint8Array,
      zkey: string | Uint8Array,
      logger?: object,
    ): Promise<boolean>;
    contribute(
      old: string | Uint8Array,
      zkey: string | MemoryFile,
      name: string,
      entropy: string,
      logger?: object,
    ): Promise<Uint8Array>;
    beacon(
      old: string | Uint8Array,
      zkey: string | MemoryFile,
      name: string,
      hash: string,
      iterations: number,
      logger?: object,
    ): Promise<Uint8Array>;
    exportBellman(zkey: string | Uint8Array, params: string | MemoryFile): Promise<void>;
    bellmanContribute(
      curve: SnarkjsCurve,
      params: string | MemoryFile,
      made: string | MemoryFile,
      entropy: string,
    ): Promise<Uint8Array>;
    importBellman(
      zkey: string | Uint8Array,
      params: string | MemoryFile,
      made: string | MemoryFile,
      name: string | undefined,
    ): Promise<boolean>;
    verifyFromInit(
      first: string | Uint8Array,
      ptau: string | Uint8Array,
      zkey: string | Uint8Array,
      logger?: object,
    ): Promise<boolean>;
  };
}
