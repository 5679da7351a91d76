import { readdirSync, readFileSync } from 'node:fs';
import { bundledCreateProver } from './gpu-proof/create-prover.js';
import { loadSnarkjs } from './gpu-proof/snarkjs.js';

/**
 * Proves each circuit of the tests, over each curve, and the example's on this machine's GPU, twice, and lets snarkjs
 * verify: a check of a real GPU, where the tests have a software adapter. Ends with an error if a proof does not hold
 * or the workers had a part in it. It is one bundled file with the folder of its name beside it, and runs on a bare
 * machine; there WEBGPU_PATH names Dawn's entry module, if Dawn is not installed as a package.
 */
const folder = new URL('./gpu-check/', import.meta.url);
const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
const snarkjs = await loadSnarkjs(new URL('snarkjs.cjs', folder));
const notices: string[] = [];
const prover = await createProver({
  backend: 'webgpu',
  cache: false,
  onNotice: ({ code, message }) => notices.push(`${code}: ${message}`),
});
const { webgpu } = prover.capabilities;
console.log(webgpu.available ? `${webgpu.vendor} ${webgpu.architecture} ${webgpu.description}` : 'no GPU');
const circuits = new URL('circuits/', folder);
const names = readdirSync(circuits)
  .filter((name) => name.endsWith('.zkey'))
  .map((name) => name.slice(0, -'.zkey'.length));
for (const name of names) {
  const read = (ending: string): Uint8Array => new Uint8Array(readFileSync(new URL(name + ending, circuits)));
  const key = await prover.groth16.loadKey(read('.zkey'));
  const verificationKey: unknown = JSON.parse(new TextDecoder().decode(read('.vkey.json')));
  for (let run = 0; run < 2; run++) {
    const { proof, publicSignals, report } = await prover.groth16.prove(key, read('.wtns'));
    const others = Object.entries(report.executors).filter(([, executors]) => executors?.join() !== 'webgpu');
    if (others.length > 0) throw new Error(`${name}: expected the GPU alone, got ${JSON.stringify(others)}`);
    if (!(await snarkjs.verify(verificationKey, publicSignals, proof))) {
      throw new Error(`${name}: expected a proof that snarkjs accepts, got one that it does not`);
    }
  }
  await key.dispose();
  console.log(`${name}: right`);
}
await prover.dispose();
console.log(
  `${names.length} circuits right on the GPU; notices: ${notices.length === 0 ? 'none' : notices.join('; ')}`,
);
// snarkjs does not end its workers, and they would keep the process alive.
process.exit();
