'use client';

import { useEffect, useState } from 'react';
import { proveNote } from '../note-prover.js';

const json = async (url, signal) => (await fetch(url, { signal })).json();

export default function SpendNote() {
  const [progress, setProgress] = useState(0);
  const [result, setResult] = useState();
  const [failure, setFailure] = useState();

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function prove() {
      const inputs = await json('/key/input.json', signal);
      const verificationKey = await json('/key/note.vkey.json', signal);
      setResult(await proveNote(inputs, verificationKey, { signal, onProgress }));
    }
    function onProgress(event) {
      if (event.kind === 'progress') setProgress(event.done / event.total);
    }
    prove().catch((error) => signal.aborted || setFailure(error));
    return () => controller.abort();
  }, []);

  return (
    <main>
      <progress value={progress} />
      {failure && <p role="alert">{`${failure.code}: ${failure.message}`}</p>}
      <output id="result">{result && JSON.stringify(result)}</output>
    </main>
  );
}
