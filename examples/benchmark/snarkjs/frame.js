/* Runs in frame.html, where the global `snarkjs` is that of node_modules. It measures and verifies snarkjs' proofs for the page around it. */

const LATER_PROOFS = 2;
const LATER_MS = 8000;

addEventListener('message', async ({ data, origin, ports: [port] }) => {
  if (origin !== location.origin || port === undefined) return;
  try {
    port.postMessage({ kind: 'stage', stage: 'load' });
    const { snarkjs } = globalThis;
    // The key says which proof system it is of; this is not a part of what is timed.
    const verificationKey = await snarkjs.zKey.exportVerificationKey(await bytesOf(data.zkey));
    const system = snarkjs[verificationKey.protocol];
    const began = performance.now();
    const zkey = await bytesOf(data.zkey);
    const prove = await proverOf(system, zkey, data);
    const openMs = performance.now() - began;

    port.postMessage({ kind: 'stage', stage: 'first' });
    const first = await timedProof(prove);
    const laterMs = [];
    let last = first;
    for (let spent = 0; laterMs.length < LATER_PROOFS && spent < LATER_MS; spent += last.ms) {
      port.postMessage({ kind: 'stage', stage: 'later' });
      last = await timedProof(prove);
      laterMs.push(last.ms);
    }

    const holds = ({ publicSignals, proof }) => system.verify(verificationKey, publicSignals, proof);
    const verified = (await holds(first)) && (await holds(last));
    port.postMessage({ kind: 'measured', openMs, firstMs: first.ms, laterMs, verified });
  } catch (error) {
    port.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});

/** What makes one proof: from a witness, or from inputs, whose witness is computed each time. */
async function proverOf(system, zkey, { witness, wasm, inputs }) {
  if (witness !== undefined) return () => system.prove(zkey, witness);
  const program = await bytesOf(wasm);
  return () => system.fullProve(inputs, program, zkey);
}

async function bytesOf(blob) {
  return new Uint8Array(await blob.arrayBuffer());
}

async function timedProof(prove) {
  const began = performance.now();
  const { proof, publicSignals } = await prove();
  return { ms: performance.now() - began, proof, publicSignals };
}
