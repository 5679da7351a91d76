/* Runs in frame.html, where the global `snarkjs` is that of node_modules. It measures and verifies snarkjs' proofs for the page around it. */

const LATER_PROOFS = 2;
const LATER_MS = 8000;

addEventListener('message', async ({ data, origin, ports: [port] }) => {
  if (origin !== location.origin || port === undefined) return;
  try {
    port.postMessage({ kind: 'stage', stage: 'load' });
    const began = performance.now();
    const zkey = new Uint8Array(await data.zkey.arrayBuffer());
    const openMs = performance.now() - began;

    port.postMessage({ kind: 'stage', stage: 'first' });
    const first = await timedProof(zkey, data.witness);
    const laterMs = [];
    let last = first;
    for (let spent = 0; laterMs.length < LATER_PROOFS && spent < LATER_MS; spent += last.ms) {
      port.postMessage({ kind: 'stage', stage: 'later' });
      last = await timedProof(zkey, data.witness);
      laterMs.push(last.ms);
    }

    const { snarkjs } = globalThis;
    const verificationKey = await snarkjs.zKey.exportVerificationKey(zkey);
    const holds = ({ publicSignals, proof }) => snarkjs.groth16.verify(verificationKey, publicSignals, proof);
    const verified = (await holds(first)) && (await holds(last));
    port.postMessage({ kind: 'measured', openMs, firstMs: first.ms, laterMs, verified });
  } catch (error) {
    port.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});

async function timedProof(zkey, witness) {
  const began = performance.now();
  const { proof, publicSignals } = await globalThis.snarkjs.groth16.prove(zkey, witness);
  return { ms: performance.now() - began, proof, publicSignals };
}
