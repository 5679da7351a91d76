import { GROTH16_CURVE_NAMES } from '../../snarkjs/known-curves.js';
import { defineCommand } from '../command.js';
import type { Context } from '../context.js';
import { locationOrBytes, readInputs } from '../files.js';
import { fileOrStdin, usageError } from '../option.js';
import { PROVING_OPTIONS, proveAndTell, type WitnessSource } from '../proving.js';
import { WITNESS_OPTIONS } from '../proving-options.js';

const { zkey, ...PROVING } = PROVING_OPTIONS;

export const prove = defineCommand({
  name: 'prove',
  topic: 'proofs',
  summary: "make a proof from a witness, or from a circuit's inputs",
  usage: '--zkey FILE (--witness FILE | --input FILE --wasm FILE) [options]',
  options: { zkey, witness: fileOrStdin('.wtns', 'the witness (.wtns)'), ...WITNESS_OPTIONS, ...PROVING },
  notes: [
    `Keys are over ${GROTH16_CURVE_NAMES}.`,
    'Without --proof, --public and --json, prints {"proof", "publicSignals"}. What the circuit logs goes to stderr and may show its inputs.',
  ],
  examples: [
    'pippin prove --zkey circuit.zkey --witness witness.wtns --proof proof.json --public public.json',
    'generate-inputs | pippin prove --zkey circuit.zkey --wasm circuit.wasm --input - --json',
  ],
  exits: { 0: 'done', 1: 'the witness does not satisfy the circuit, or the work failed' },
  async work(values, context) {
    return proveAndTell(values, await sourceOf(values, context), context);
  },
});

/** Which of the two was given: a witness, or inputs and WASM. `INVALID_ARGUMENT` for both, neither, or half of one. */
async function sourceOf(
  { witness, input, wasm, 'strict-inputs': strict }: Given,
  context: Context,
): Promise<WitnessSource> {
  if ((witness === undefined) === (input === undefined && wasm === undefined)) {
    throw usageError(
      `expected either --witness, or --input and --wasm, got ${witness === undefined ? 'neither' : 'both'}`,
      'pippin prove --help shows an example of each',
    );
  }
  if (witness !== undefined) {
    return { kind: 'witness', witness: await locationOrBytes(witness, context, 'the witness') };
  }
  if (input === undefined || wasm === undefined) {
    throw usageError(`expected --input and --wasm together, got --${input === undefined ? 'wasm' : 'input'} alone`);
  }
  return { kind: 'inputs', inputs: await readInputs(input, strict, context), wasm };
}

interface Given {
  readonly witness: string | undefined;
  readonly input: string | undefined;
  readonly wasm: string | undefined;
  readonly 'strict-inputs': boolean;
}
