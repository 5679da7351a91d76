import { isReplaced, proveNote, verifyNote } from 'note-library';

/** Proves that a note may be spent by a library that calls snarkjs, and verifies the proof with the key that the application trusts. */
export async function spend({ zkey, wasm, inputs, verificationKey }) {
  if (!isReplaced) throw new Error('expected the library to call Pippin, got snarkjs');
  const { proof, publicSignals } = await proveNote(inputs, wasm, zkey);
  return { proof, publicSignals, verified: await verifyNote(verificationKey, publicSignals, proof) };
}
