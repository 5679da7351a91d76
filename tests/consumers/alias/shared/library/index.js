import * as snarkjs from 'snarkjs';

/** Proves that a note may be spent, as a library does that knows snarkjs alone. */
export const proveNote = (inputs, wasm, zkey) => snarkjs.groth16.fullProve(inputs, wasm, zkey);

export const verifyNote = (verificationKey, publicSignals, proof) =>
  snarkjs.groth16.verify(verificationKey, publicSignals, proof);

/** Whether Pippin is in the place of snarkjs; snarkjs has no `configure`. */
export const isReplaced = 'configure' in snarkjs;
