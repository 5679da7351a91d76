import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../curves/index.js';
import { type ByteSource, memorySource } from '../byte-source.js';
import { expectElementBytes, fieldName, readModulus, type WrittenModulus } from './modulus.js';
import { readSectionFile, viewOf } from './section-file.js';
import { SequentialReader } from './sequential-reader.js';
import { checkedWitness, type ExpectedWitness } from './witness-values.js';

/**
 * Reads the values of a .wtns file as snarkjs 0.7 writes it (its src/wtns_utils.js). Section 1 has the size of a value
 * in bytes (u32), the field's modulus and the number of values (u32). Section 2 has the values, canonical and
 * little-endian: the constant one, the public signals (outputs first), then all others.
 *
 * `CURVE_MISMATCH` for another field than the curve's Fr, `INVALID_LENGTH` unless there are `variables` values,
 * `INVALID_SCALAR` for a value that is not below r. Messages name positions and lengths, never a value.
 */
export async function readWtns(source: ByteSource, expected: ExpectedWitness): Promise<Uint8Array> {
  const values = await wtnsValues(source, expected.curve, expected.variables);
  return checkedWitness(await values.read(0, values.size), expected);
}

/**
 * The same of a file in memory that belongs to the caller of this function: a view of its values, since 32 MB would
 * take longer to copy than to check. Bytes in shared memory may still be being copied there. Values that are refused
 * are overwritten.
 */
export async function wtnsInPlace(file: Uint8Array, expected: ExpectedWitness): Promise<Uint8Array> {
  const values = await wtnsValues(memorySource(file), expected.curve, expected.variables);
  return checkedWitness(values.bytes!, expected);
}

/** A .wtns file whose values have not been read yet. */
interface OpenWtns {
  /** The field's modulus, and the bytes of a value. */
  readonly written: WrittenModulus;
  readonly count: number;
  readonly values: ByteSource;
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
  const { written, count, values } = await openWtns(source);
  const { modulus } = written;
  const { fr } = CURVES[curve];
  if (modulus !== fr.modulus) {
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a witness over ${fieldName(fr.modulus)}, got one over ${fieldName(modulus)}`,
    );
  }
  expectElementBytes(written, SCALAR_BYTES);
  if (variables !== undefined && count !== variables) {
    throw new PippinError('INVALID_LENGTH', `expected a witness of ${variables} values, as the key has, got ${count}`, {
      hint: 'the key and the witness must come from one compilation of the circuit',
    });
  }
  return expectValues(values, count, SCALAR_BYTES);
}

/**
 * Reads all values of a .wtns file over any field, in their order. `MALFORMED_FILE` for another file or one that
 * contradicts itself, `UNSUPPORTED_FORMAT` for another version, `INVALID_SCALAR` for a value that is not below the
 * modulus. Messages name positions and lengths, never a value.
 */
export async function readWtnsValues(source: ByteSource): Promise<bigint[]> {
  const { written, count, values } = await openWtns(source);
  const { size, modulus } = written;
  const read: bigint[] = [];
  const reader = new SequentialReader(expectValues(values, count, size));
  for (let i = 0; i < count; i++) {
    const value = bytesToBigint(await reader.take(size));
    if (value >= modulus) {
      throw new PippinError('INVALID_SCALAR', `expected witness value ${i} below the modulus, got a larger one`);
    }
    read.push(value);
  }
  return read;
}

async function openWtns(source: ByteSource): Promise<OpenWtns> {
  const file = await readSectionFile(source, 'wtns');
  if (file.version !== 1 && file.version !== 2)
    throw new PippinError('UNSUPPORTED_FORMAT', `expected .wtns version 1 or 2, got ${file.version}`);
  const header = file.section(1);
  const written = await readModulus(header, 0);
  const { end } = written;
  if (header.size !== end + 4) {
    throw new PippinError('MALFORMED_FILE', `expected a .wtns header of ${end + 4} bytes, got ${header.size}`);
  }
  const count = viewOf(await header.read(end, 4)).getUint32(0, true);
  return { written, count, values: file.section(2) };
}

/** The section of the values, if it has the bytes of `count` values. */
function expectValues(values: ByteSource, count: number, size: number): ByteSource {
  if (values.size !== count * size) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected ${count} witness values (${count * size} bytes), got ${values.size} bytes`,
    );
  }
  return values;
}
