import * as snarkjs from './dist/snarkjs.js';

/** Calls what an application calls of snarkjs, twice, and shows as JSON what came of it. */

const PROOFS = 2;

async function proveAndVerify() {
  const [inputs, verificationKey] = await Promise.all(
    ['input.json', 'note.vkey.json'].map(async (name) => (await fetch(`./key/${name}`)).json()),
  );
  const files = ['key/note.wasm', 'key/note.zkey'].map((path) => new URL(path, location.href).href);
  const proofs = [];
  for (let i = 0; i < PROOFS; i++) {
    const began = performance.now();
    const { proof, publicSignals } = await snarkjs.groth16.fullProve(inputs, ...files);
    const ms = performance.now() - began;
    const holds = await snarkjs.groth16.verify(verificationKey, publicSignals, proof);
    const changed = [String(1n + BigInt(publicSignals[0])), ...publicSignals.slice(1)];
    const holdsChanged = await snarkjs.groth16.verify(verificationKey, changed, proof);
    proofs.push({ ms, holds, holdsChanged, proof, publicSignals });
  }
  return { proofs };
}

const result = await proveAndVerify().catch((error) => ({ error: `${error.code}: ${error.message}` }));
document.querySelector('#result').textContent = JSON.stringify(result);
