import { bigintToBytes, bytesToBigint, newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import { FACTOR } from '../../executors/workers/kernel/ceremony/linear-combinations.js';
import { viewOf } from '../../files/snarkjs/section-file.js';

const WORDS = SCALAR_BYTES / 4;
const FIRST_ROOM = 256;

/**
 * The distinct coefficients of a circuit, numbered: 0 is 1, 1 is -1, as in `FACTOR`, then others in the order of their
 * first use. Circuits have few: they are found again by a hash table with linear probing.
 */
export class Coefficients {
  /** Room for `room` values, as they are written in an .r1cs, and a table of twice as many places with numbers + 1. */
  private room = FIRST_ROOM;
  private values = new Uint32Array(FIRST_ROOM * WORDS);
  private table = new Uint32Array(2 * FIRST_ROOM);
  private count = 0;
  private readonly sought = new Uint32Array(WORDS);

  constructor(private readonly modulus: bigint) {
    for (const value of [1n, modulus - 1n]) this.numberOfValue(value);
  }

  /** The number of the coefficient at `at`. `MALFORMED_FILE` unless it is below the modulus. */
  numberOf(view: DataView, at: number): number {
    const { sought } = this;
    for (let i = 0; i < WORDS; i++) sought[i] = view.getUint32(at + 4 * i, true);
    const place = this.placeOf(sought, 0);
    if (this.table[place] !== 0) return this.table[place]! - 1;
    if (bytesToBigint(new Uint8Array(sought.buffer)) >= this.modulus) {
      throw new PippinError('MALFORMED_FILE', 'expected coefficients below the prime in the .r1cs, got a larger one');
    }
    this.values.set(sought, this.count * WORDS);
    this.table[place] = ++this.count;
    if (this.count === this.room) this.grow();
    return this.count - 1;
  }

  /** The number of a coefficient from 0 to the modulus - 1. */
  numberOfValue(value: bigint): number {
    return this.numberOf(viewOf(bigintToBytes(value, SCALAR_BYTES)), 0);
  }

  /** What a term with this coefficient is multiplied by. */
  factorOf(number: number): number {
    return number < FACTOR.scalar ? number : FACTOR.scalar;
  }

  /** The canonical bytes of a coefficient, as a view. */
  bytes(number: number): Uint8Array {
    return new Uint8Array(this.values.buffer, number * SCALAR_BYTES, SCALAR_BYTES);
  }

  /** All coefficients times a factor, in their order. */
  times(factor: bigint): Uint8Array {
    const products = newBytes(this.count * SCALAR_BYTES);
    for (let number = 0; number < this.count; number++) {
      const product = (bytesToBigint(this.bytes(number)) * factor) % this.modulus;
      products.set(bigintToBytes(product, SCALAR_BYTES), number * SCALAR_BYTES);
    }
    return products;
  }

  /** Where the table has a value, or has room for it. */
  private placeOf(words: Uint32Array, from: number): number {
    const { values, table } = this;
    let hash = 0;
    for (let i = 0; i < WORDS; i++) hash = Math.imul(hash ^ words[from + i]!, 0x9e3779b1) ^ (hash >>> 15);
    const mask = table.length - 1;
    for (let place = (hash ^ (hash >>> 16)) & mask; ; place = (place + 1) & mask) {
      if (table[place] === 0) return place;
      const at = (table[place]! - 1) * WORDS;
      let i = 0;
      while (i < WORDS && values[at + i] === words[from + i]) i++;
      if (i === WORDS) return place;
    }
  }

  private grow(): void {
    this.room *= 2;
    const values = new Uint32Array(this.room * WORDS);
    values.set(this.values);
    this.values = values;
    this.table = new Uint32Array(2 * this.room);
    for (let number = 0; number < this.count; number++) {
      this.table[this.placeOf(values, number * WORDS)] = number + 1;
    }
  }
}
