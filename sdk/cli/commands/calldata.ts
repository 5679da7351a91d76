import { solidityArguments, solidityCalldata } from '../../encodings/ethereum.js';
import { defineCommand } from '../command.js';
import { PROOF_OPTIONS, readProof } from '../proving-options.js';

export const calldataCommand = defineCommand({
  name: 'calldata',
  topic: 'files',
  summary: "print a proof as arguments of snarkjs' Solidity verifier",
  usage: '--proof FILE --public FILE [--json]',
  options: PROOF_OPTIONS,
  notes: [
    'The proof must be over BN254.',
    'The text is the same as from snarkjs zkey export soliditycalldata: the arguments a, b, c and the public signals of verifyProof. With --json: {"calldata": the text, "arguments": the same as arrays}.',
  ],
  examples: ['pippin calldata --proof proof.json --public public.json'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work(values, context) {
    const { proof, publicSignals } = await readProof(values, context);
    // It checks that they are what they should be.
    const text = solidityCalldata(proof, publicSignals);
    await context.result({ calldata: text, arguments: solidityArguments(proof, publicSignals) }, text);
    return 0;
  },
});
