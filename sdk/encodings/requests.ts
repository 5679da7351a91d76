import type { CircuitInputs } from '../api/index.js';
import { memorySource } from '../files/byte-source.js';
import { curveOfName } from '../files/snarkjs/known-curves.js';
import { wtnsValues } from '../files/snarkjs/wtns.js';
import { flattenInputs, plainInputs } from '../files/witness/circuit-inputs.js';

/**
 * Checks the inputs of a circuit before they are sent to a prover elsewhere, such as one behind a queue: each value is
 * an integer from 0 to r - 1, as a bigint, a safe number, a decimal string, or a hexadecimal string that begins with
 * 0x. Which signals the circuit has is not known here, and over a curve that Pippin does not know nothing is checked.
 *
 * @param inputs the input signals by name.
 * @param curve the curve's name in snarkjs, as a verification key has it: `bn128`.
 * @returns nothing.
 * @throws {PippinError} INVALID_INPUT for another value; the message names the signal and shows no value.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { checkInputs } from 'pippin-prover/encodings';
 *
 * checkInputs(JSON.parse(await readFile('input.json', 'utf8')), 'bn128');
 * console.log('all values are elements of the field');
 * ```
 */
export function checkInputs(inputs: CircuitInputs, curve: string): void {
  const known = curveOfName(curve);
  if (known !== undefined) flattenInputs(plainInputs(inputs), known.fr.modulus, true);
}

/**
 * Checks a witness in snarkjs' .wtns form before it is sent to a prover elsewhere. Its header is read, and none of its
 * values. Over a curve that Pippin does not know nothing is checked.
 *
 * @param witness the file's bytes.
 * @param curve the curve's name in snarkjs, as a verification key has it: `bn128`.
 * @param variables the number of values, the constant one included; undefined if it is not known.
 * @returns when it is checked.
 * @throws {PippinError} MALFORMED_FILE for a file that contradicts itself or ends early.
 * @throws {PippinError} UNSUPPORTED_FORMAT for a file that is not a witness, or one of another version.
 * @throws {PippinError} CURVE_MISMATCH for a witness over another field.
 * @throws {PippinError} INVALID_LENGTH for another number of values.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { checkWitness, readInfo } from 'pippin-prover/encodings';
 * import { wtns } from 'pippin-prover/snarkjs';
 *
 * await wtns.calculate(JSON.parse(await readFile('input.json', 'utf8')), 'note.wasm', 'note.wtns');
 * const { variables } = await readInfo('note.zkey');
 * await checkWitness(await readFile('note.wtns'), 'bn128', variables);
 * console.log('the witness has', variables, 'values');
 * ```
 */
export async function checkWitness(witness: Uint8Array, curve: string, variables?: number): Promise<void> {
  const known = curveOfName(curve);
  if (known !== undefined) await wtnsValues(memorySource(witness), known.id, variables);
}
