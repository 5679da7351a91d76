import { defineCommand } from '../command.js';
import { readInputs } from '../files.js';
import { required } from '../option.js';
import { PROVING_OPTIONS, proveAndTell } from '../proving.js';
import { WITNESS_OPTIONS } from '../proving-options.js';

const { zkey, ...PROVING } = PROVING_OPTIONS;
const { wasm, input, ...LIMITS } = WITNESS_OPTIONS;

export const fullproveCommand = defineCommand({
  name: 'fullprove',
  topic: 'proofs',
  summary: "make a proof from a circuit's inputs",
  usage: '--zkey FILE --wasm FILE --input FILE [options]',
  options: { zkey, wasm: required(wasm), input: required(input), ...LIMITS, ...PROVING },
  notes: [
    'The same as pippin prove with --input and --wasm. Without --proof, --public and --json, prints {"proof", "publicSignals"}. What the circuit logs goes to stderr and may show its inputs.',
  ],
  examples: [
    'pippin fullprove --zkey circuit.zkey --wasm circuit.wasm --input input.json --proof proof.json --public public.json',
  ],
  exits: { 0: 'done', 1: 'the inputs do not satisfy the circuit, or the work failed' },
  async work(values, context) {
    const inputs = await readInputs(values.input, values['strict-inputs'], context);
    return proveAndTell(values, { kind: 'inputs', inputs, wasm: values.wasm }, context);
  },
});
