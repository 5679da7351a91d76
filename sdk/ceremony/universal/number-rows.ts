import { numbersFor } from '../setup/constraint-matrices.js';

/** Room for rows at first. */
const FIRST_ROWS = 1 << 12;

/** A growing table of u32 with a fixed number of columns. */
export class NumberRows {
  private words: Uint32Array;
  private rows = 0;

  constructor(private readonly columns: number) {
    this.words = numbersFor(FIRST_ROWS * columns);
  }

  get count(): number {
    return this.rows;
  }

  /** Appends a row with one number for each column. `OUT_OF_MEMORY` if there is no room. */
  push(...row: readonly number[]): void {
    if ((this.rows + 1) * this.columns > this.words.length) {
      const grown = numbersFor(2 * this.words.length);
      grown.set(this.words);
      this.words = grown;
    }
    const at = this.rows++ * this.columns;
    for (let i = 0; i < row.length; i++) this.words[at + i] = row[i]!;
  }

  at(row: number, column: number): number {
    return this.words[row * this.columns + column]!;
  }

  /** A column of `length` numbers, at least as many as there are rows, of which the last ones are `rest`. */
  column(column: number, length = this.rows, rest = 0): Uint32Array {
    const numbers = numbersFor(length);
    if (rest !== 0) numbers.fill(rest, this.rows);
    for (let row = 0; row < this.rows; row++) numbers[row] = this.words[row * this.columns + column]!;
    return numbers;
  }
}
