import { expect, it } from 'vitest';
import type { ByteSource } from '../../../sdk/files/byte-source.js';
import {
  COEFFICIENT_BYTES,
  checkCoefficientSignals,
  countCoefficients,
  PIECE_ROWS,
} from '../../../sdk/files/snarkjs/zkey.js';
import { failureOf } from '../../support/section-bytes.js';

const FACTS = { variables: 10, publicSignals: 1, domainSize: 8 };
/** One piece, and a part of another. */
const ROWS = PIECE_ROWS + 3;

/** Rows of the matrices A and B in turn, of the signals from 0 to 9. */
function rowsOf(count: number): Uint8Array {
  const bytes = new Uint8Array(count * COEFFICIENT_BYTES);
  const view = new DataView(bytes.buffer);
  for (let row = 0; row < count; row++) {
    view.setUint32(row * COEFFICIENT_BYTES, row % 2, true);
    view.setUint32(row * COEFFICIENT_BYTES + 8, row % FACTS.variables, true);
  }
  return bytes;
}

/** A source of copies of the bytes, and what was read of it. It refuses to be read without end. */
function recorded(bytes: Uint8Array): ByteSource & { readonly reads: { at: number; read: Uint8Array }[] } {
  const reads: { at: number; read: Uint8Array }[] = [];
  return {
    size: bytes.length,
    reads,
    async read(at, length) {
      if (reads.length > 3) throw new Error('expected fewer reads');
      const read = bytes.slice(at, at + length);
      expect(read.length).toBe(length);
      reads.push({ at, read });
      return read;
    },
  };
}

it('counts the rows of each matrix, 65536 at a time, and frees them', async () => {
  expect(PIECE_ROWS).toBe(65_536);
  const coefficients = recorded(rowsOf(ROWS));
  const told: number[] = [];
  expect(await countCoefficients({ coefficients, facts: FACTS }, undefined, (part) => told.push(part))).toEqual([
    PIECE_ROWS / 2 + 2,
    PIECE_ROWS / 2 + 1,
  ]);
  expect(coefficients.reads.map(({ at }) => at)).toEqual([0, PIECE_ROWS * COEFFICIENT_BYTES]);
  expect(told).toEqual([PIECE_ROWS / ROWS, 1]);
  for (const { read } of coefficients.reads) expect(read.buffer.byteLength).toBe(0);
});

it('counts none where there are none', async () => {
  const coefficients = recorded(new Uint8Array());
  expect(await countCoefficients({ coefficients, facts: FACTS })).toEqual([0, 0]);
  expect(coefficients.reads).toEqual([]);
});

it.each([5, ROWS - 1])('names row %i of a signal that there is not', async (row) => {
  const rows = rowsOf(ROWS);
  rows[row * COEFFICIENT_BYTES + 8] = FACTS.variables;
  const failure = await failureOf(() => countCoefficients({ coefficients: recorded(rows), facts: FACTS }));
  expect(failure).toMatchObject({
    code: 'MALFORMED_FILE',
    message: `expected coefficient ${row} of a signal below 10, got signal 10`,
  });
});

it('ends when it is aborted, before the next rows are read', async () => {
  const coefficients = recorded(rowsOf(ROWS));
  const controller = new AbortController();
  const counting = countCoefficients({ coefficients, facts: FACTS }, controller.signal, () => controller.abort());
  await expect(counting).rejects.toMatchObject({ code: 'ABORTED' });
  expect(coefficients.reads).toHaveLength(1);
});

it('adds to the counts of rows before', () => {
  const counts: [number, number] = [10, 20];
  checkCoefficientSignals(rowsOf(3), FACTS, counts);
  expect(counts).toEqual([12, 21]);
});
