import { bn254, SCALAR_BYTES } from '../../curves/index.js';
import { bytesToBigint } from '../../field/bytes.js';

/** A uniform scalar below r from the platform's generator: 254 random bits, drawn again until they are below r. */
export function randomScalar(): bigint {
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(SCALAR_BYTES));
    bytes[SCALAR_BYTES - 1]! &= 0x3f;
    const value = bytesToBigint(bytes);
    if (value < bn254.fr.modulus) return value;
  }
}
