import { newBytes } from '../../base/bytes.js';
import { type ByteSource, expectWithin } from '../byte-source.js';
import { words } from '../snarkjs/section-file.js';
import { COEFFICIENT_BYTES } from '../snarkjs/zkey.js';
import { copyPart, malformedPackedKey, type PackedSection } from './header.js';

/** Bytes of a value, and 32-bit words of a value and of a row (matrix, constraint, signal, value). */
export const VALUE_BYTES = COEFFICIENT_BYTES - 12;
const VALUE_WORDS = VALUE_BYTES / 4;
const ROW_WORDS = COEFFICIENT_BYTES / 4;
/** The number of rows stands before them. */
export const COUNT_BYTES = 4;
/** Rows that are unpacked at a time: each block begins anew. */
export const BLOCK_ROWS = 2 ** 14;
/** The largest values that fit into a row's tag mean that a number follows. */
export const LATER_CONSTRAINT = 3;
export const LATER_VALUE = 31;

/** The coefficients of a .zkey that are packed in `packed`. `MALFORMED_FILE` names what cannot be. */
export async function unpackedCoefficients(
  { id, size, parameters: [values] }: PackedSection,
  packed: ByteSource,
): Promise<ByteSource> {
  const rows = (size - COUNT_BYTES) / COEFFICIENT_BYTES;
  if (!Number.isInteger(rows) || rows < 0 || rows >= 2 ** 32) {
    throw malformedPackedKey(`rows of ${COEFFICIENT_BYTES} bytes in section ${id}`, `${size} bytes`);
  }
  const blocks = Math.ceil(rows / BLOCK_ROWS);
  const sizesAt = values * VALUE_BYTES;
  const blocksAt = sizesAt + 4 * blocks;
  if (values > rows || blocksAt > packed.size) {
    throw malformedPackedKey(`${values} values and ${blocks} sizes of blocks in section ${id}`, `${packed.size} bytes`);
  }
  const table = new Uint32Array((await packed.read(0, sizesAt)).buffer);
  const sizes = new Uint32Array((await packed.read(sizesAt, 4 * blocks)).buffer);
  const starts = startsOf(sizes, blocksAt);
  if (starts[blocks] !== packed.size) {
    throw malformedPackedKey(`blocks of ${packed.size - blocksAt} bytes in section ${id}`, `ones of other sizes`);
  }
  const block = async (number: number): Promise<Uint8Array> => {
    const start = starts[number]!;
    const count = Math.min(BLOCK_ROWS, rows - number * BLOCK_ROWS);
    const bytes = await packed.read(start, starts[number + 1]! - start);
    return unpackBlock(bytes, count, table, `section ${id}, rows from ${number * BLOCK_ROWS} on`);
  };
  return {
    size,
    async read(offset, length) {
      expectWithin(size, offset, length);
      const bytes = newBytes(length);
      copyPart(bytes, offset, words(rows), 0);
      const blockBytes = BLOCK_ROWS * COEFFICIENT_BYTES;
      const first = Math.max(0, Math.floor((offset - COUNT_BYTES) / blockBytes));
      for (let i = first; i < blocks && COUNT_BYTES + i * blockBytes < offset + length; i++) {
        copyPart(bytes, offset, await block(i), COUNT_BYTES + i * blockBytes);
      }
      return bytes;
    },
  };
}

/** Where each block begins, and where the last one ends. */
function startsOf(sizes: Uint32Array, from: number): Float64Array {
  const starts = new Float64Array(sizes.length + 1);
  starts[0] = from;
  for (let i = 0; i < sizes.length; i++) starts[i + 1] = starts[i]! + sizes[i]!;
  return starts;
}

function unpackBlock(packed: Uint8Array, rows: number, table: Uint32Array, what: string): Uint8Array {
  const bytes = newBytes(rows * COEFFICIENT_BYTES);
  const unpacked = new Uint32Array(bytes.buffer);
  const signals = [0, 0];
  let constraint = 0;
  let at = 0;
  const next = (): number => {
    let number = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = packed[at++];
      if (byte === undefined) throw malformedPackedKey(`${rows} rows in a block of ${what}`, 'its end');
      if (shift === 28 && byte > 15) break;
      number |= (byte & 127) << shift;
      if (byte < 128) return number >>> 0;
    }
    throw malformedPackedKey(`numbers below 2^32 in ${what}`, 'a longer one');
  };
  for (let i = 0, to = 0; i < rows; i++, to += ROW_WORDS) {
    const tag = packed[at++];
    if (tag === undefined) throw malformedPackedKey(`${rows} rows in a block of ${what}`, `${i}`);
    const matrix = tag & 1;
    const step = (tag >> 1) & 3;
    const short = tag >> 3;
    constraint = (constraint + (step === LATER_CONSTRAINT ? withoutSign(next()) : step)) >>> 0;
    const value = short === LATER_VALUE ? next() + LATER_VALUE : short;
    const signal = (signals[matrix]! + withoutSign(next())) >>> 0;
    signals[matrix] = signal;
    unpacked[to] = matrix;
    unpacked[to + 1] = constraint;
    unpacked[to + 2] = signal;
    const from = value * VALUE_WORDS;
    if (from >= table.length)
      throw malformedPackedKey(`values below ${table.length / VALUE_WORDS} in ${what}`, `${value}`);
    for (let w = 0; w < VALUE_WORDS; w++) unpacked[to + 3 + w] = table[from + w]!;
  }
  if (at !== packed.length) throw malformedPackedKey(`${at} bytes in a block of ${what}`, `${packed.length}`);
  return bytes;
}

function withoutSign(number: number): number {
  return (number >>> 1) ^ -(number & 1);
}
