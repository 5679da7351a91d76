import { pointsKernel } from '../../executors/workers/kernel/kernel.js';
import { instantiatePoints } from '../../executors/workers/kernel/kernel-instance.js';
import { nodeEnginePlatform } from '../../hosts/node/node-engine.js';
import { defineCommand } from '../command.js';
import { readJson } from '../files.js';
import { fileOrStdin, required } from '../option.js';
import { allowUnfinished, PROOF_OPTIONS, readProof } from '../proving-options.js';
import { falseForPoint, verifierOf } from '../verifiers.js';

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
  notes: ['The proof system, Groth16 or PLONK, is the one that the verification key names.'],
  examples: ['pippin verify --vkey vkey.json --proof proof.json --public public.json'],
  exits: { 0: 'the proof holds', 1: 'it does not hold, or the work failed' },
  async work({ vkey, 'allow-unfinished': unfinished, ...files }, context) {
    const [verificationKey, { proof, publicSignals }] = await Promise.all([
      readJson(vkey, context, 'the verification key'),
      readProof(files, context),
    ]);
    const { curveOf, create } = verifierOf(verificationKey);
    const curve = curveOf(verificationKey);
    const module = await nodeEnginePlatform.compileWasm(curve, 'points', {});
    const kernel = pointsKernel(await instantiatePoints(curve, module));
    // A wrong key is refused here, before the proof is looked at.
    const verifier = await create(kernel, verificationKey, unfinished);
    const valid = await verifier.verify(kernel, publicSignals, proof).catch(falseForPoint);
    await context.result({ valid }, valid ? 'The proof holds.' : 'The proof does not hold.');
    return valid ? 0 : 1;
  },
});
