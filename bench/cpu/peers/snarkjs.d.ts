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
  };
}
