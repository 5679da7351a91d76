import { newBytes } from '../../base/bytes.js';
import type { ByteSource } from '../byte-source.js';
import { viewOf, words } from '../snarkjs/section-file.js';
import { COEFFICIENT_BYTES } from '../snarkjs/zkey.js';
import { BLOCK_ROWS, COUNT_BYTES, LATER_CONSTRAINT, LATER_VALUE, VALUE_BYTES } from './coefficients.js';

/** The most bytes of a row: a tag, and three numbers of five bytes. */
const MAX_ROW_BYTES = 16;

/**
 * The coefficients of a .zkey's matrices as a table of distinct values and rows of a few bytes; docs/packed-keys.md
 * describes them. undefined for a section that is not as snarkjs writes it, or does not become smaller.
 */
export async function packCoefficients(
  section: ByteSource,
): Promise<{ readonly parts: Uint8Array[]; readonly parameters: [number, number] } | undefined> {
  const rows = (section.size - COUNT_BYTES) / COEFFICIENT_BYTES;
  if (!Number.isInteger(rows) || rows < 0) return undefined;
  if (viewOf(await section.read(0, COUNT_BYTES)).getUint32(0, true) !== rows) return undefined;
  const table = await valuesOf(section, rows);
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < rows; from += BLOCK_ROWS) {
    const block = packBlock(await blockOf(section, from, rows), table.numbers);
    if (block === undefined) return undefined;
    blocks.push(block);
  }
  const parts = [table.bytes, words(...blocks.map(({ length }) => length)), ...blocks];
  const packed = parts.reduce((sum, { length }) => sum + length, 0);
  return packed < section.size ? { parts, parameters: [table.numbers.size, 0] } : undefined;
}

/** The distinct values of all rows, the most frequent first, and their numbers by their text. */
async function valuesOf(
  section: ByteSource,
  rows: number,
): Promise<{ readonly bytes: Uint8Array; readonly numbers: ReadonlyMap<string, number> }> {
  const counts = new Map<string, number>();
  for (let from = 0; from < rows; from += BLOCK_ROWS) {
    const block = await blockOf(section, from, rows);
    for (let at = 0; at < block.length; at += COEFFICIENT_BYTES) {
      const text = textOf(block, at + 12);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  const texts = [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
  const bytes = newBytes(texts.length * VALUE_BYTES);
  for (const [i, text] of texts.entries()) {
    for (let j = 0; j < VALUE_BYTES; j++) bytes[i * VALUE_BYTES + j] = text.charCodeAt(j);
  }
  return { bytes, numbers: new Map(texts.map((text, i) => [text, i])) };
}

function textOf(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + VALUE_BYTES));
}

function blockOf(section: ByteSource, from: number, rows: number): Promise<Uint8Array> {
  const count = Math.min(BLOCK_ROWS, rows - from);
  return section.read(COUNT_BYTES + from * COEFFICIENT_BYTES, count * COEFFICIENT_BYTES);
}

/** undefined if a row is of a matrix other than A and B. */
function packBlock(rows: Uint8Array, numbers: ReadonlyMap<string, number>): Uint8Array | undefined {
  const packed = new Uint8Array((rows.length / COEFFICIENT_BYTES) * MAX_ROW_BYTES);
  const view = viewOf(rows);
  const signals = [0, 0];
  let constraint = 0;
  let to = 0;
  const put = (number: number): void => {
    let rest = number;
    for (; rest >= 128; rest >>>= 7) packed[to++] = (rest & 127) | 128;
    packed[to++] = rest;
  };
  for (let at = 0; at < rows.length; at += COEFFICIENT_BYTES) {
    const matrix = view.getUint32(at, true);
    if (matrix > 1) return undefined;
    const row = view.getUint32(at + 4, true);
    const signal = view.getUint32(at + 8, true);
    const value = numbers.get(textOf(rows, at + 12))!;
    const step = row - constraint;
    const shortStep = step >= 0 && step < LATER_CONSTRAINT ? step : LATER_CONSTRAINT;
    const shortValue = Math.min(value, LATER_VALUE);
    packed[to++] = matrix | (shortStep << 1) | (shortValue << 3);
    if (shortStep === LATER_CONSTRAINT) put(withSign(step));
    if (shortValue === LATER_VALUE) put(value - LATER_VALUE);
    put(withSign(signal - signals[matrix]!));
    constraint = row;
    signals[matrix] = signal;
  }
  return packed.slice(0, to);
}

/** A difference modulo 2^32, with its sign in the lowest bit, so that small ones of either sign are small numbers. */
function withSign(difference: number): number {
  const wrapped = difference | 0;
  return ((wrapped << 1) ^ (wrapped >> 31)) >>> 0;
}
