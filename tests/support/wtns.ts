import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { writeWtns } from '../../sdk/files/snarkjs/write-wtns.js';

/** A .wtns file of so many values, of which the first is 1 and all others are 0. */
export function wtnsOf(count: number, modulus = bn254.fr.modulus): Uint8Array {
  const values = new Uint8Array(count * SCALAR_BYTES);
  values[0] = 1;
  return writeWtns(values, modulus);
}
