import type { CircuitInputs } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import { fieldName } from '../snarkjs/modulus.js';
import { writeWtns } from '../snarkjs/write-wtns.js';
import { calculateValues, type WitnessOptions } from './witness-calculator.js';

/**
 * As `calculateWitness`, for a circuit over whichever field, and gives a .wtns file. `CURVE_MISMATCH` for a field whose elements snarkjs does not write in
 * 32 bytes, otherwise the errors of `calculateWitness`.
 */
export async function calculateWtns(
  module: WebAssembly.Module,
  inputs: CircuitInputs,
  options: WitnessOptions = {},
): Promise<Uint8Array> {
  const { modulus, values } = await calculateValues(module, inputs, options, (ofCircuit) => {
    if (Math.ceil(ofCircuit.toString(2).length / 64) * 8 === SCALAR_BYTES) return;
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a circuit over a field of 193 to 256 bits, got one over ${fieldName(ofCircuit)}`,
    );
  });
  return writeWtns(values, modulus);
}
