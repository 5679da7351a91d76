import type { Groth16Proof, Groth16VerificationKey } from '../api.js';
import { verifyProof } from '../groth16/verify.js';
import { readJson } from './files.js';
import { print } from './output.js';
import { type Options, required } from './usage.js';

/** Needs neither workers nor a GPU, so the pairing runs here. */
export async function verify(options: Options): Promise<number> {
  const paths = (['vkey', 'proof', 'public'] as const).map((name) => required(options, name, 'verify'));
  const [verificationKey, proof, publicSignals] = await Promise.all(paths.map(readJson));
  const valid = verifyProof(verificationKey as Groth16VerificationKey, publicSignals, proof as Groth16Proof);
  await print(options.json ? JSON.stringify({ valid }) : valid ? 'The proof holds.' : 'The proof does not hold.');
  return valid ? 0 : 1;
}
