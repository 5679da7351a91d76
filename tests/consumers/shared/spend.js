import { openProver } from './prover.js';

/** Proves that a note may be spent, and verifies the proof with the verification key that the application trusts. */
export async function spend({ zkey, wasm, inputs, verificationKey }) {
  const prover = await openProver();
  try {
    const key = await prover.groth16.loadKey(zkey);
    const { proof, publicSignals, report } = await prover.groth16.fullProve(key, inputs, wasm);
    const verified = await prover.groth16.verify(verificationKey, publicSignals, proof);
    return { proof, publicSignals, verified, cached: key.report.cached, ms: report.ms.total };
  } finally {
    await prover.dispose();
  }
}
