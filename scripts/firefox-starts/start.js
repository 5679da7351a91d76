import { createProver } from '/dist/index.js';

/**
 * Starts a prover and makes a proof from inputs, so that every one of its workers has to answer.
 *
 * @returns {Promise<number>} milliseconds until the verified proof
 */
export async function start() {
  const began = performance.now();
  const prover = await createProver({ backend: 'wasm', cache: false });
  try {
    const inputs = await (await fetch('/key/input.json')).json();
    const key = await prover.groth16.loadKey('/key/note.zkey');
    await prover.groth16.fullProve(key, inputs, '/key/note.wasm');
    return performance.now() - began;
  } finally {
    await prover.dispose();
  }
}
