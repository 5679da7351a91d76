import { createProver } from 'pippin-prover';
import './pippin-progress.js';

const [status, progress, button] = ['#status', 'pippin-progress', 'button'].map((name) => document.querySelector(name));

async function prove() {
  const prover = await createProver();
  try {
    const onProgress = progress.listener;
    const key = await prover.groth16.loadKey('/key/note.zkey', { onProgress });
    const inputs = await (await fetch('/key/input.json')).json();
    const { proof, publicSignals, report } = await prover.groth16.fullProve(key, inputs, '/key/note.wasm', {
      onProgress,
    });
    const verified = await prover.groth16.verify(key.verificationKey, publicSignals, proof);
    return { proof, publicSignals, verified, cached: key.report.cached, ms: report.ms.total };
  } finally {
    // A wallet that goes on proving keeps its prover and key instead.
    await prover.dispose();
  }
}

button.addEventListener('click', async () => {
  button.disabled = true;
  try {
    const result = await prove();
    status.textContent = `Proved in ${Math.round(result.ms)} ms. The proof ${result.verified ? 'holds' : 'does not hold'}.`;
    document.querySelector('#result').textContent = JSON.stringify(result, null, 1);
    document.querySelector('#details').hidden = false;
  } catch (error) {
    status.textContent = [error.message, error.hint].filter(Boolean).join('. ');
  }
  progress.hide();
  button.disabled = false;
});
