'use client';

import { useKey, useProof, useProver } from 'pippin-prover/react';
import { useState } from 'react';

export function Prove() {
  const { prover, error: proverError } = useProver();
  const { key, progress: loaded, error: keyError, retry } = useKey(prover, '/key/note.zkey');
  const { status, progress, error: proofError, fullProve, abort } = useProof(prover, key);
  const [result, setResult] = useState();
  const error = proverError ?? keyError ?? proofError;

  async function prove() {
    const inputs = await (await fetch('/key/input.json')).json();
    const made = await fullProve(inputs, '/key/note.wasm');
    // It failed or was aborted: `error` says why.
    if (made === undefined) return;
    const { proof, publicSignals, report } = made;
    const verified = await prover.groth16.verify(key.verificationKey, publicSignals, proof);
    setResult({ proof, publicSignals, verified, cached: key.report.cached, ms: report.ms.total });
  }

  return (
    <main>
      <h1>Prove on this device</h1>
      <p role="status">{sentence(key, status, error)}</p>
      {!key && !error && <progress aria-label="Loading the key" value={loaded} />}
      {status === 'proving' && <progress aria-label="Proving" value={progress} />}
      {status === 'proving' ? (
        <button key="cancel" type="button" onClick={abort}>
          Cancel
        </button>
      ) : (
        <button key="prove" type="button" disabled={!key} onClick={prove}>
          Prove
        </button>
      )}
      {keyError && (
        <button type="button" onClick={retry}>
          Load the key again
        </button>
      )}
      {result && (
        <details>
          <summary>The proof of {Math.round(result.ms)} ms</summary>
          <pre id="result">{JSON.stringify(result, null, 1)}</pre>
        </details>
      )}
    </main>
  );
}

function sentence(key, status, error) {
  if (status === 'aborted') return 'Cancelled.';
  if (error) return [error.message, error.hint].filter(Boolean).join('. ');
  if (!key) return 'Loading the key ...';
  if (status === 'proving') return 'Proving ...';
  return status === 'proved'
    ? 'Proved. The proof was verified before it was shown.'
    : 'The inputs do not leave this page.';
}
