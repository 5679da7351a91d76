import { PippinError } from '../../base/errors.js';
import { pointsKernel } from '../../executors/workers/kernel/kernel.js';
import { instantiatePoints } from '../../executors/workers/kernel/kernel-instance.js';
import { curveOfVerificationKey } from '../../files/snarkjs/parse-proof.js';
import { nodeEnginePlatform } from '../../hosts/node/node-engine.js';
import { Verifier } from '../../proofs/groth16/verify.js';
import { defineCommand } from '../command.js';
import { readJson } from '../files.js';
import { fileOrStdin, required } from '../option.js';
import { allowUnfinished, PROOF_OPTIONS, readProof } from '../proving-options.js';

/** Verifies with one kernel on this thread, without workers or a GPU. */
export const verifyCommand = defineCommand({
  name: 'verify',
  topic: 'proofs',
  summary: 'check that a proof holds',
  usage: '--vkey FILE --proof FILE --public FILE [--allow-unfinished] [--json]',
  options: {
    vkey: required(fileOrStdin('.json', 'the verification key (JSON)')),
    ...PROOF_OPTIONS,
    'allow-unfinished': allowUnfinished,
  },
  examples: ['pippin verify --vkey vkey.json --proof proof.json --public public.json'],
  exits: { 0: 'the proof holds', 1: 'it does not hold, or the work failed' },
  async work({ vkey, 'allow-unfinished': unfinished, ...files }, context) {
    const [verificationKey, { proof, publicSignals }] = await Promise.all([
      readJson(vkey, context, 'the verification key'),
      readProof(files, context),
    ]);
    const curve = curveOfVerificationKey(verificationKey);
    const module = await nodeEnginePlatform.compileWasm(curve, 'points', {});
    const kernel = pointsKernel(await instantiatePoints(curve, module));
    // A wrong key is refused here, before the proof is looked at.
    const verifier = await Verifier.create(kernel, verificationKey, unfinished);
    const valid = await verifier.verify(kernel, publicSignals, proof).catch(falseForPoint);
    await context.result({ valid }, valid ? 'The proof holds.' : 'The proof does not hold.');
    return valid ? 0 : 1;
  },
});

/** No proof holds with a point that cannot be one; the SDK has an error for coordinates that are not below p. */
function falseForPoint(error: unknown): false {
  if (error instanceof PippinError && error.code === 'INVALID_POINT') return false;
  throw error;
}
