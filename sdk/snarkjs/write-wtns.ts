import { CURVES, type CurveId, SCALAR_BYTES } from '../curves/index.js';
import { newBytes, writeBigint } from '../field/bytes.js';

const VERSION = 2;
const HEADER_BYTES = 12;
const SECTION_HEADER_BYTES = 12;
/** The size of a value, the modulus, and the number of values. */
const FIELD_BYTES = 4 + SCALAR_BYTES + 4;

/** A .wtns file with these values, 32 canonical little-endian bytes each, byte for byte as snarkjs 0.7 writes it; see `readWtns`. */
export function writeWtns(values: Uint8Array, curve: CurveId): Uint8Array<ArrayBuffer> {
  const begin = HEADER_BYTES + SECTION_HEADER_BYTES + FIELD_BYTES;
  const file = newBytes(begin + SECTION_HEADER_BYTES + values.length);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode('wtns'));
  view.setUint32(4, VERSION, true);
  view.setUint32(8, 2, true);
  writeSectionHeader(view, HEADER_BYTES, 1, FIELD_BYTES);
  const field = HEADER_BYTES + SECTION_HEADER_BYTES;
  view.setUint32(field, SCALAR_BYTES, true);
  writeBigint(file, field + 4, SCALAR_BYTES, CURVES[curve].fr.modulus);
  view.setUint32(field + 4 + SCALAR_BYTES, values.length / SCALAR_BYTES, true);
  writeSectionHeader(view, begin, 2, values.length);
  file.set(values, begin + SECTION_HEADER_BYTES);
  return file;
}

function writeSectionHeader(view: DataView, offset: number, id: number, size: number): void {
  view.setUint32(offset, id, true);
  view.setBigUint64(offset + 4, BigInt(size), true);
}
