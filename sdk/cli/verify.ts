import { createKernel } from '../cpu/kernel/kernel.js';
import { nodeEnginePlatform } from '../platform/node-engine.js';
import { verifyProof } from '../proofs/groth16/verify.js';
import { curveOfVerificationKey } from '../snarkjs/parse-proof.js';
import { readJson } from './files.js';
import { print } from './output.js';
import { type Options, required } from './usage.js';

/** Verifies with one kernel on this thread, without workers or a GPU. */
export async function verify(options: Options): Promise<number> {
  const paths = (['vkey', 'proof', 'public'] as const).map((name) => required(options, name, 'verify'));
  const [verificationKey, proof, publicSignals] = await Promise.all(paths.map(readJson));
  const curve = curveOfVerificationKey(verificationKey);
  const kernel = await createKernel(curve, await nodeEnginePlatform.compileWasm(curve, {}));
  const valid = await verifyProof(kernel, verificationKey, publicSignals, proof, options['allow-unfinished'] === true);
  await print(options.json ? JSON.stringify({ valid }) : valid ? 'The proof holds.' : 'The proof does not hold.');
  return valid ? 0 : 1;
}
