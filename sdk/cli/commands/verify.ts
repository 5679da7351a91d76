import { PippinError } from '../../base/errors.js';
import { pointsKernel } from '../../executors/workers/kernel/kernel.js';
import { instantiatePoints } from '../../executors/workers/kernel/kernel-instance.js';
import { protocolNamedIn } from '../../files/snarkjs/protocol-of-json.js';
import { nodeEnginePlatform } from '../../hosts/node/node-engine.js';
import { proofSystem } from '../../proofs/registry.js';
import { defineCommand } from '../command.js';
import { readJson } from '../files.js';
import { fileOrStdin, required, usageError } from '../option.js';
import { allowUnfinished, PROOF_OPTIONS, readProof } from '../proving-options.js';
import { linesText, verifyLines } from '../verify-lines.js';

/** Verifies one proof with one kernel on this thread, without workers or a GPU; a file of proofs on all workers. */
export const verifyCommand = defineCommand({
  name: 'verify',
  topic: 'proofs',
  summary: 'check that a proof holds',
  usage: '--vkey FILE (--proof FILE --public FILE | --batch FILE) [--allow-unfinished] [--json]',
  options: {
    vkey: required(fileOrStdin('.json', 'the verification key (JSON)')),
    proof: { ...PROOF_OPTIONS.proof, required: false },
    public: { ...PROOF_OPTIONS.public, required: false },
    batch: fileOrStdin('.jsonl', 'a file with a proof in each line'),
    'allow-unfinished': allowUnfinished,
  },
  notes: [
    'The proof system, Groth16, PLONK or FFLONK, is the one that the verification key names.',
    'A line of --batch is {"publicSignals": [...], "proof": {...}} or [publicSignals, proof]. The lines are verified together, in a fraction of the time, and the ones that do not hold are named.',
  ],
  examples: [
    'pippin verify --vkey vkey.json --proof proof.json --public public.json',
    'pippin verify --vkey vkey.json --batch proofs.jsonl',
  ],
  exits: { 0: 'the proof holds, or all do', 1: 'a proof does not hold, or the work failed' },
  async work({ vkey, 'allow-unfinished': unfinished, batch, ...files }, context) {
    const { proof: proofPath, public: publicPath } = files;
    if (batch !== undefined) {
      if (proofPath !== undefined || publicPath !== undefined) {
        throw usageError('expected either --batch, or --proof and --public, got both');
      }
      const verificationKey = await readJson(vkey, context, 'the verification key');
      const verdict = await verifyLines({ path: batch, verificationKey, allowUnfinished: unfinished }, context);
      await context.result(verdict, linesText(verdict));
      return verdict.valid ? 0 : 1;
    }
    if (proofPath === undefined || publicPath === undefined) {
      const missing = proofPath === undefined ? 'proof' : 'public';
      throw usageError(
        `expected --${missing} for verify, got none`,
        `--${missing} FILE: ${PROOF_OPTIONS[missing].help}; or --batch FILE, with many proofs`,
      );
    }
    const [verificationKey, { proof, publicSignals }] = await Promise.all([
      readJson(vkey, context, 'the verification key'),
      readProof({ proof: proofPath, public: publicPath }, context),
    ]);
    const system = await proofSystem(protocolNamedIn(verificationKey, 'a verification key'));
    const curve = system.curveOfVerificationKey(verificationKey);
    const module = await nodeEnginePlatform.compileWasm(curve, 'points', {});
    const kernel = pointsKernel(await instantiatePoints(curve, module));
    // A wrong key is refused here, before the proof is looked at.
    const verifier = await system.createVerifier(kernel, verificationKey, { allowUnfinished: unfinished });
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
