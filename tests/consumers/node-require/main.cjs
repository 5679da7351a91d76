const { readFileSync } = require('node:fs');
const { createProver } = require('pippin-prover');

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

async function main() {
  const prover = await createProver();
  const key = await prover.groth16.loadKey('key/note.zkey');
  const { proof, publicSignals, report } = await prover.groth16.fullProve(key, json('key/input.json'), 'key/note.wasm');
  const verified = await prover.groth16.verify(json('key/note.vkey.json'), publicSignals, proof);
  await prover.dispose();
  console.log(JSON.stringify({ proof, publicSignals, verified, cached: key.report.cached, ms: report.ms.total }));
}

main();
