/** What the benchmark uses of snarkjs in addition to what the tests use. */
declare module 'snarkjs' {
  export const zKey: { exportVerificationKey(zkey: string | Uint8Array | MemoryFile): Promise<unknown> };
}
