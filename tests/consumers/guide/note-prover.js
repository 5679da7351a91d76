import { createProver } from 'pippin-prover';

let opened;

/** The application's one prover with its key. A failure to open is forgotten, so that the next call tries again. */
function openProver() {
  opened ??= createProver()
    .then(async (prover) => ({ prover, key: await prover.groth16.loadKey('/key/note.zkey') }))
    .catch((error) => {
      opened = undefined;
      throw error;
    });
  return opened;
}

/** Proves for these inputs, and verifies with the verification key that the application trusts. */
export async function proveNote(inputs, verificationKey, options) {
  const { prover, key } = await openProver();
  const { proof, publicSignals } = await prover.groth16.fullProve(key, inputs, '/key/note.wasm', options);
  const verified = await prover.groth16.verify(verificationKey, publicSignals, proof);
  return { proof, publicSignals, verified, cached: key.report.cached };
}
