import { bn254, SCALAR_BYTES } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { bytesToBigint } from '../field/bytes.js';
import { checkScalars } from '../msm/scalars.js';
import type { ByteSource } from './byte-source.js';
import { readSectionFile, viewOf } from './section-file.js';

/**
 * Reads snarkjs' .wtns: section 1 has the size of a value (u32), the prime and the number of values (u32), section 2 the values,
 * canonical little-endian. Gives the values' bytes. `CURVE_MISMATCH` for another field, `INVALID_LENGTH` unless there are
 * `variables` values, `INVALID_SCALAR` for one that is not below r.
 */
export async function readWtns(source: ByteSource, variables: number): Promise<Uint8Array> {
  const file = await readSectionFile(source, 'wtns');
  if (file.version > 2)
    throw new PippinError('UNSUPPORTED_FORMAT', `expected .wtns version 1 or 2, got ${file.version}`);
  const header = file.section(1);
  const size = viewOf(await header.read(0, 4)).getUint32(0, true);
  if (header.size !== size + 8) {
    throw new PippinError('MALFORMED_FILE', `expected a .wtns header of ${size + 8} bytes, got ${header.size}`);
  }
  const bytes = await header.read(4, size + 4);
  if (bytesToBigint(bytes, 0, size) !== bn254.fr.modulus) {
    throw new PippinError('CURVE_MISMATCH', "expected a witness over BN254's scalar field, got one over another field");
  }
  const count = viewOf(bytes).getUint32(size, true);
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
  if (bytesToBigint(values, 0, SCALAR_BYTES) !== 1n) {
    throw new PippinError('MALFORMED_FILE', 'expected a witness whose first value is 1, got another value');
  }
}
