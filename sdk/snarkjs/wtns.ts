import { bn254, SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bytesToBigint } from '../field/bytes.js';
import type { ByteSource } from '../io/byte-source.js';
import { checkScalars } from '../msm/scalars.js';
import { fieldName, readModulus } from './modulus.js';
import { readSectionFile, viewOf } from './section-file.js';

/**
 * Reads a .wtns as snarkjs 0.7 writes it (its src/wtns_utils.js): section 1 has the size of a value in bytes (u32), the field's
 * modulus and the number of values (u32), section 2 the values, canonical little-endian: the constant one, the public
 * signals (outputs first), then all others. Gives the values' bytes. `CURVE_MISMATCH` for another field,
 * `INVALID_LENGTH` unless there are `variables` values, `INVALID_SCALAR` for one that is not below r.
 */
export async function readWtns(source: ByteSource, variables: number): Promise<Uint8Array> {
  const file = await readSectionFile(source, 'wtns');
  if (file.version !== 1 && file.version !== 2)
    throw new PippinError('UNSUPPORTED_FORMAT', `expected .wtns version 1 or 2, got ${file.version}`);
  const header = file.section(1);
  const { modulus, end } = await readModulus(header, 0);
  if (modulus !== bn254.fr.modulus) {
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a witness over BN254's scalar field, got one over ${fieldName(modulus)}`,
    );
  }
  if (header.size !== end + 4) {
    throw new PippinError('MALFORMED_FILE', `expected a .wtns header of ${end + 4} bytes, got ${header.size}`);
  }
  const count = viewOf(await header.read(end, 4)).getUint32(0, true);
  if (count !== variables) {
    throw new PippinError('INVALID_LENGTH', `expected a witness of ${variables} values, as the key has, got ${count}`);
  }
  const section = file.section(2);
  if (section.size !== count * SCALAR_BYTES) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected ${count} witness values (${count * SCALAR_BYTES} bytes), got ${section.size} bytes`,
    );
  }
  const values = await section.read(0, section.size);
  checkWitness(values, variables);
  return values;
}

/** Checks that a witness has its constant one in front and values below r. */
export function checkWitness(values: Uint8Array, variables: number): void {
  checkScalars('bn254', values, variables);
  const first = bytesToBigint(values, 0, SCALAR_BYTES);
  if (first !== 1n) {
    throw new PippinError('MALFORMED_FILE', `expected a witness whose first value is 1, got ${first}`);
  }
}
