import { PippinError } from '../../../base/errors.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { toLimbs } from '../../../curves/limbs.js';
import type { Pauses } from './pauses.js';

/** Words of an element. */
const WORDS = 8;

/** Initial number of buckets; doubled whenever half of them are taken. */
const FIRST_BUCKETS = 1024;

/** Random hash factors: the author of a file cannot predict which elements collide. */
const FACTORS = crypto.getRandomValues(new Uint32Array(WORDS)).map((factor) => factor | 1);

/** Deduplicated elements of 8 words, numbered by first occurrence. */
export class DistinctElements {
  private values = new Uint32Array((FIRST_BUCKETS / 2) * WORDS);
  /** For each bucket the index of its element plus 1, or 0 (open addressing). */
  private buckets = new Uint32Array(FIRST_BUCKETS);
  private count = 0;

  /** The words of all elements. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.values.subarray(0, this.count * WORDS);
  }

  /** The index of the element that begins at word `at`, which is added if new. */
  add(words: Uint32Array, at: number): number {
    const mask = this.buckets.length - 1;
    for (let b = bucketOf(words, at, this.buckets); ; b = (b + 1) & mask) {
      const taken = this.buckets[b]!;
      if (taken === 0) return this.insert(b, words, at);
      if (this.isAt(taken - 1, words, at)) return taken - 1;
    }
  }

  private isAt(number: number, words: Uint32Array, at: number): boolean {
    for (let w = 0; w < WORDS; w++) if (this.values[number * WORDS + w] !== words[at + w]) return false;
    return true;
  }

  private insert(bucket: number, words: Uint32Array, at: number): number {
    const number = this.count++;
    this.buckets[bucket] = this.count;
    this.values.set(words.subarray(at, at + WORDS), number * WORDS);
    if (2 * this.count === this.buckets.length) this.grow();
    return number;
  }

  private grow(): void {
    const values = new Uint32Array(2 * this.values.length);
    values.set(this.values);
    const buckets = new Uint32Array(2 * this.buckets.length);
    const mask = buckets.length - 1;
    for (let number = 0; number < this.count; number++) {
      let b = bucketOf(values, number * WORDS, buckets);
      while (buckets[b] !== 0) b = (b + 1) & mask;
      buckets[b] = number + 1;
    }
    this.values = values;
    this.buckets = buckets;
  }
}

/**
 * The bucket in which the search for an element starts: the highest bits of a sum of products (multiply-shift hashing).
 */
function bucketOf(words: Uint32Array, at: number, { length }: Uint32Array): number {
  let sum = 0;
  for (let w = 0; w < WORDS; w++) sum += Math.imul(words[at + w]!, FACTORS[w]!);
  return (sum >>> 0) >>> (1 + Math.clz32(length));
}

/**
 * Words of an entry of a .zkey's coefficient section: matrix, constraint, signal, and the coefficient times 2^512 mod
 * r.
 */
const SECTION_WORDS = 3 + SCALAR_BYTES / 4;

/** The most entries of a row that one thread adds up. A longer row is called long. */
export const MAX_PIECE = 64;

/** The size of a constraint system. */
export interface ConstraintFacts {
  /** Rows of each matrix: 2^k. */
  readonly domainSize: number;
  /** Columns of each matrix: the values of a witness. */
  readonly variables: number;
}

/** Runs of consecutive elements, each of which is added up. */
export interface Pieces {
  readonly count: number;
  /** For each piece its first element and the index of its sum; then the end of the last one. */
  readonly words: Uint32Array;
}

/** One matrix of a constraint system, its rows by descending length. */
export interface SortedMatrix {
  /** For each entry the indices of its signal and its coefficient. Long rows' entries come first. */
  readonly entries: Uint32Array;
  /** The pieces of long rows: piece i has partial sum i. */
  readonly longPieces: Pieces;
  /** The long rows as pieces of the partial sums. */
  readonly joins: Pieces;
  /** The other rows, as pieces of the entries, without empty rows. */
  readonly rows: Pieces;
}

/** The matrices A and B of a constraint system in the GPU's format. */
export interface SortedConstraints {
  readonly matrices: readonly [SortedMatrix, SortedMatrix];
  /** The distinct coefficients, 8 words each, in the section's form. */
  readonly coefficients: Uint32Array;
}

/**
 * Sorts the entries of a .zkey's coefficient section. `MALFORMED_FILE` names the first entry with an invalid matrix,
 * constraint or signal, or a coefficient that is not below r.
 */
export async function sortConstraints(
  curve: CurveId,
  section: Uint8Array,
  { domainSize, variables }: ConstraintFacts,
  pauses: Pauses,
): Promise<SortedConstraints> {
  const words = wordsOf(section);
  const count = words.length / SECTION_WORDS;
  const order = Uint32Array.from(toLimbs(CURVES[curve].fr.modulus, SCALAR_BYTES / 4, 32));
  const lengths = [new Uint32Array(domainSize), new Uint32Array(domainSize)] as const;
  await pauses.run(count, (from, to) => {
    for (let i = from; i < to; i++) {
      const at = i * SECTION_WORDS;
      const [matrix, row, signal] = [words[at]!, words[at + 1]!, words[at + 2]!];
      if (matrix > 1 || row >= domainSize || signal >= variables || !isBelow(words, at + 3, order)) {
        throw malformedEntry(i, domainSize, variables);
      }
      lengths[matrix]![row]!++;
    }
  });
  const outlines = [await outlineOf(lengths[0], pauses), await outlineOf(lengths[1], pauses)] as const;
  const coefficients = new DistinctElements();
  await pauses.run(count, (from, to) => {
    for (let i = from; i < to; i++) {
      const at = i * SECTION_WORDS;
      const { matrix, next } = outlines[words[at]!]!;
      const place = next[words[at + 1]!]!++;
      matrix.entries[2 * place] = words[at + 2]!;
      matrix.entries[2 * place + 1] = coefficients.add(words, at + 3);
    }
  });
  return { matrices: [outlines[0].matrix, outlines[1].matrix], coefficients: coefficients.words };
}

/** A matrix whose entries are still zeros, and the index for each row's next entry. */
interface Outline {
  readonly matrix: SortedMatrix;
  readonly next: Uint32Array;
}

async function outlineOf(lengths: Uint32Array, pauses: Pauses): Promise<Outline> {
  const { long, short } = await byFallingLength(lengths, pauses);
  const next = new Uint32Array(lengths.length);
  const longPieces = new PieceList();
  const joins = new PieceList();
  let end = 0;
  for (const row of long) {
    const length = lengths[row]!;
    next[row] = end;
    joins.add(longPieces.count, row);
    // About as many pieces as entries per piece, so that neither sum is long.
    const piece = Math.max(MAX_PIECE, Math.ceil(Math.sqrt(length)));
    for (let at = 0; at < length; at += piece) longPieces.add(end + at, longPieces.count);
    end += length;
  }
  const longEnd = end;
  const rows = new Uint32Array(2 * (short.length + 1));
  await pauses.run(short.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const row = short[i]!;
      next[row] = end;
      rows[2 * i] = end;
      rows[2 * i + 1] = row;
      end += lengths[row]!;
    }
  });
  rows[2 * short.length] = end;
  const matrix = {
    entries: new Uint32Array(2 * end),
    longPieces: longPieces.endingAt(longEnd),
    joins: joins.endingAt(longPieces.count),
    rows: { count: short.length, words: rows },
  };
  return { matrix, next };
}

/**
 * The indices of the rows that have entries, the longest first: rows of more than `MAX_PIECE` entries, and the others.
 */
async function byFallingLength(lengths: Uint32Array, pauses: Pauses): Promise<{ long: number[]; short: Uint32Array }> {
  const long: number[] = [];
  const offsets = new Uint32Array(MAX_PIECE + 1);
  await pauses.run(lengths.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const length = lengths[row]!;
      if (length > MAX_PIECE) long.push(row);
      // Longer rows come before rows of this length.
      else for (let shorter = 0; shorter < length; shorter++) offsets[shorter]!++;
    }
  });
  const short = new Uint32Array(offsets[0]!);
  await pauses.run(lengths.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const length = lengths[row]!;
      if (length > 0 && length <= MAX_PIECE) short[offsets[length]!++] = row;
    }
  });
  long.sort((a, b) => lengths[b]! - lengths[a]!);
  return { long, short };
}

/** A growable list of pieces. */
class PieceList {
  private readonly words: number[] = [];

  get count(): number {
    return this.words.length / 2;
  }

  add(begin: number, target: number): void {
    this.words.push(begin, target);
  }

  endingAt(end: number): Pieces {
    return { count: this.count, words: Uint32Array.from([...this.words, end, 0]) };
  }
}

/** The bytes of the section as words; copied if they are not word-aligned. */
function wordsOf(section: Uint8Array): Uint32Array {
  if (section.length % (4 * SECTION_WORDS) !== 0) {
    throw new PippinError(
      'MALFORMED_FILE',
      `expected coefficients of ${4 * SECTION_WORDS} bytes each, got ${section.length} bytes`,
    );
  }
  const { buffer, byteOffset, length } = section.byteOffset % 4 === 0 ? section : new Uint8Array(section);
  return new Uint32Array(buffer, byteOffset, length / 4);
}

function isBelow(words: Uint32Array, at: number, bound: Uint32Array): boolean {
  for (let w = bound.length - 1; w >= 0; w--) {
    const word = words[at + w]!;
    if (word !== bound[w]!) return word < bound[w]!;
  }
  return false;
}

function malformedEntry(entry: number, domainSize: number, variables: number): PippinError {
  return new PippinError(
    'MALFORMED_FILE',
    `expected coefficient ${entry} to name matrix 0 or 1, a constraint below ${domainSize} and a signal below ${variables}, ` +
      'with a value below r; got one that does not',
  );
}
