import { KEY_CURVE_NAMES } from '../../files/snarkjs/known-curves.js';
import { defineCommand } from '../command.js';
import { fileOrStdin } from '../option.js';
import { PROVING_OPTIONS, proveAndTell } from '../proving.js';
import { WITNESS_OPTIONS } from '../proving-options.js';
import { readWitnessSource } from '../witness-source.js';

const { zkey, ...PROVING } = PROVING_OPTIONS;

export const proveCommand = defineCommand({
  name: 'prove',
  topic: 'proofs',
  summary: "make a proof from a witness, or from a circuit's inputs",
  usage: '--zkey FILE (--witness FILE | --input FILE --wasm FILE) [options]',
  options: { zkey, witness: fileOrStdin('.wtns', 'the witness (.wtns)'), ...WITNESS_OPTIONS, ...PROVING },
  notes: [
    `Keys are over ${KEY_CURVE_NAMES}.`,
    'Without --proof, --public and --json, prints {"proof", "publicSignals"}. What the circuit logs goes to stderr and may show its inputs.',
  ],
  examples: [
    'pippin prove --zkey circuit.zkey --witness witness.wtns --proof proof.json --public public.json',
    'generate-inputs | pippin prove --zkey circuit.zkey --wasm circuit.wasm --input - --json',
  ],
  exits: { 0: 'done', 1: 'the witness does not satisfy the circuit, or the work failed' },
  async work(values, context) {
    return proveAndTell(values, await readWitnessSource('prove', values, context), context);
  },
});
