import type { CircuitInputs } from '../api/index.js';
import { memorySource } from '../files/byte-source.js';
import { curveOfName } from '../files/snarkjs/known-curves.js';
import { wtnsValues } from '../files/snarkjs/wtns.js';
import { flattenInputs, plainInputs } from '../files/witness/circuit-inputs.js';

/**
 * Checks the inputs of a circuit before they are sent to a prover elsewhere, such as one behind a queue: each value is
 * an integer from 0 to r - 1, as a bigint, a safe number, a decimal string, or a hexadecimal string that begins with
 * 0x. Which signals the circuit has is not known here.
 *
 * Throws `INVALID_INPUT`, which names the signal and shows no value. Over a curve that Pippin does not know nothing is
 * checked.
 *
 * @param curve the curve's name in snarkjs, as a verification key has it: `bn128`.
 */
export function checkInputs(inputs: CircuitInputs, curve: string): void {
  const known = curveOfName(curve);
  if (known !== undefined) flattenInputs(plainInputs(inputs), known.fr.modulus, true);
}

/**
 * Checks a witness in snarkjs' .wtns form before it is sent to a prover elsewhere. Its header is read, and none of its
 * values.
 *
 * Rejects with `MALFORMED_FILE`, `UNSUPPORTED_FORMAT`, `CURVE_MISMATCH` for a witness over another field, and
 * `INVALID_LENGTH` for another number of values. Over a curve that Pippin does not know nothing is checked.
 *
 * @param curve the curve's name in snarkjs, as a verification key has it: `bn128`.
 * @param variables the number of values, the constant one included; undefined if it is not known.
 */
export async function checkWitness(witness: Uint8Array, curve: string, variables?: number): Promise<void> {
  const known = curveOfName(curve);
  if (known !== undefined) await wtnsValues(memorySource(witness), known.id, variables);
}
