// A process of the campaign shared-cache: it does what its parent says, with a prover of its own on the shared cache.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [package_, files, directory] = process.argv.slice(2);
const { createProver } = await import(pathToFileURL(package_));

const read = (name) => new Uint8Array(readFileSync(join(files, name)));
const expectedSum = read('sum').toString();

let prover;
let notices = [];

async function reopen(storageBudget) {
  await prover?.dispose();
  prover = await createProver({
    backend: 'wasm',
    threads: 1,
    cache: { directory },
    onNotice: ({ code, message }) => notices.push(`${code}: ${message}`),
    ...(storageBudget === undefined ? {} : { storageBudget }),
  });
}

const operations = {
  open: ({ storageBudget }) => reopen(storageBudget),

  async prove({ circuit, precompute }) {
    const key = await prover.groth16.loadKey(read(`${circuit}.zkey`), { precompute });
    const inputs = JSON.parse(readFileSync(join(files, `${circuit}.inputs.json`), 'utf8'));
    const { proof, publicSignals } = await prover.groth16.fullProve(key, inputs, read(`${circuit}.wasm`));
    const verificationKey = JSON.parse(readFileSync(join(files, `${circuit}.vkey.json`), 'utf8'));
    const isRight = await prover.groth16.verify(verificationKey, publicSignals, proof);
    await key.dispose();
    return { isRight, cached: key.report.cached };
  },

  async sum({ precompute }) {
    const bases = await prover.loadBases({ curve: 'bn254', points: read('points'), precompute });
    const { bytes } = await prover.msm(bases, read('scalars'));
    await bases.dispose();
    return { isRight: bytes.toString() === expectedSum, cached: bases.report.cached };
  },

  async abort({ circuit, ms }) {
    try {
      const key = await prover.groth16.loadKey(read(`${circuit}.zkey`), { signal: AbortSignal.timeout(ms) });
      await key.dispose();
    } catch (error) {
      if (error.code !== 'ABORTED') throw error;
    }
  },

  clear: () => prover.clearCache(),
};

process.on('message', async ({ operation, ...options }) => {
  notices = [];
  try {
    const result = await operations[operation](options);
    process.send({ ...result, notices });
  } catch (error) {
    process.send({ error: `${error.name} ${error.code}: ${error.message}`, notices });
  }
});
process.on('disconnect', () => process.exit(0));
process.send('ready');
