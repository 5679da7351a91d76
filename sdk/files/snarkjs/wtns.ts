import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import type { ByteSource } from '../byte-source.js';
import { expectElementBytes, fieldName, readModulus } from './modulus.js';
import { readSectionFile, viewOf } from './section-file.js';
import { checkedWitness } from './witness-values.js';

/**
 * Reads the values of a .wtns file as snarkjs 0.7 writes it (its src/wtns_utils.js). Section 1 has the size of a value
 * in bytes (u32), the field's modulus and the number of values (u32). Section 2 has the values, canonical and
 * little-endian: the constant one, the public signals (outputs first), then all others.
 *
 * `CURVE_MISMATCH` for another field than the curve's Fr, `INVALID_LENGTH` unless there are `variables` values,
 * `INVALID_SCALAR` for a value that is not below r. Messages name positions and lengths, never a value.
 */
export async function readWtns(source: ByteSource, curve: CurveId, variables: number): Promise<Uint8Array> {
  const section = await wtnsValues(source, curve, variables);
  return checkedWitness(await section.read(0, section.size), curve, variables);
}

/**
 * Where the values are, which are not read. Fails as `readWtns` does for the header; without `variables` it may be of
 * any length.
 */
export async function wtnsValues(
  source: ByteSource,
  curve: CurveId,
  variables: number | undefined,
): Promise<ByteSource> {
  const file = await readSectionFile(source, 'wtns');
  if (file.version !== 1 && file.version !== 2)
    throw new PippinError('UNSUPPORTED_FORMAT', `expected .wtns version 1 or 2, got ${file.version}`);
  const header = file.section(1);
  const written = await readModulus(header, 0);
  const { modulus, end } = written;
  const { fr } = CURVES[curve];
  if (modulus !== fr.modulus) {
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a witness over ${fieldName(fr.modulus)}, got one over ${fieldName(modulus)}`,
    );
  }
  expectElementBytes(written, SCALAR_BYTES);
  if (header.size !== end + 4) {
    throw new PippinError('MALFORMED_FILE', `expected a .wtns header of ${end + 4} bytes, got ${header.size}`);
  }
  const count = viewOf(await header.read(end, 4)).getUint32(0, true);
  if (variables !== undefined && count !== variables) {
    throw new PippinError('INVALID_LENGTH', `expected a witness of ${variables} values, as the key has, got ${count}`, {
      hint: 'the key and the witness must come from one compilation of the circuit',
    });
  }
  const section = file.section(2);
  if (section.size !== count * SCALAR_BYTES) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected ${count} witness values (${count * SCALAR_BYTES} bytes), got ${section.size} bytes`,
    );
  }
  return section;
}
