import type { BinarySource, CircuitInputs } from '../api/index.js';
import type { ProofInput } from '../hosts/session/proof-system-of.js';
import type { Context } from './context.js';
import { locationOrBytes, readInputs } from './files.js';
import { usageError } from './option.js';

/** A witness, or what it is computed from. */
export type WitnessSource =
  | { readonly kind: 'witness'; readonly witness: BinarySource }
  | { readonly kind: 'inputs'; readonly inputs: CircuitInputs; readonly wasm: string };

/** The same as a call of the prover takes it. */
export function proofInput(source: WitnessSource): ProofInput {
  return source.kind === 'witness' ? { witness: source.witness } : { inputs: source.inputs, circuit: source.wasm };
}

/** The options that name it. */
interface Given {
  readonly witness: string | undefined;
  readonly input: string | undefined;
  readonly wasm: string | undefined;
  readonly 'strict-inputs'?: boolean;
}

/**
 * Which of the two was given: a witness, or inputs and WASM. `INVALID_ARGUMENT` for both, neither, or half of one.
 *
 * @param command whose help shows an example of each.
 */
export async function readWitnessSource(command: string, given: Given, context: Context): Promise<WitnessSource> {
  const { witness, input, wasm, 'strict-inputs': strict = false } = given;
  if ((witness === undefined) === (input === undefined && wasm === undefined)) {
    throw usageError(
      `expected either --witness, or --input and --wasm, got ${witness === undefined ? 'neither' : 'both'}`,
      `pippin ${command} --help shows an example of each`,
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
