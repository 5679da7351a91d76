/** What the bench uses of snarkjs beyond what the tests do. */
declare module 'snarkjs' {
  export const zKey: { exportVerificationKey(zkey: string | Uint8Array | MemoryFile): Promise<unknown> };
}
