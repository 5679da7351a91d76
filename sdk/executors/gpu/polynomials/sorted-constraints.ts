import { PippinError } from '../../../base/errors.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { toLimbs } from '../../../curves/limbs.js';
import { DistinctElements } from './distinct-elements.js';
import type { Pauses } from './pauses.js';

/** Words of an entry of a .zkey's coefficient section: matrix, constraint, signal, and the coefficient times 2^512 mod r. */
const SECTION_WORDS = 3 + SCALAR_BYTES / 4;

/** Entries of a row up to which one thread adds them up. A row of more is long. */
export const MAX_PIECE = 64;

/** What a constraint system's size is. */
export interface ConstraintFacts {
  /** Rows of each matrix: 2^k. */
  readonly domainSize: number;
  /** Columns of each matrix: the values of a witness. */
  readonly variables: number;
}

/** Runs of neighbouring elements, each of which becomes one sum. */
export interface Pieces {
  readonly count: number;
  /** For each piece where it begins and where its sum goes; then where the last one ends. */
  readonly words: Uint32Array;
}

/** One matrix of a constraint system, its rows by falling length. */
export interface SortedMatrix {
  /** For each entry the number of its signal and that of its coefficient. Those of long rows come first. */
  readonly entries: Uint32Array;
  /** The pieces of long rows: piece i gives partial sum i. */
  readonly longPieces: Pieces;
  /** The long rows as pieces of the partial sums. */
  readonly joins: Pieces;
  /** The other rows, in pieces of the entries. A row without entries is not among them. */
  readonly rows: Pieces;
}

/** The matrices A and B of a constraint system as the GPU takes them. */
export interface SortedConstraints {
  readonly matrices: readonly [SortedMatrix, SortedMatrix];
  /** The coefficients that occur, 8 words each, in the form of the section. */
  readonly coefficients: Uint32Array;
}

/**
 * Sorts the entries of a .zkey's coefficient section. `MALFORMED_FILE` names the first entry that has no such matrix, constraint or signal,
 * or a coefficient that is not below r.
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

/** A matrix whose entries are still zeros, and where the next entry of each row goes. */
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
    // About as many pieces as entries in each: neither sum is long.
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

/** The numbers of the rows that have entries, the longest first: those of more than `MAX_PIECE`, and the others. */
async function byFallingLength(lengths: Uint32Array, pauses: Pauses): Promise<{ long: number[]; short: Uint32Array }> {
  const long: number[] = [];
  const offsets = new Uint32Array(MAX_PIECE + 1);
  await pauses.run(lengths.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const length = lengths[row]!;
      if (length > MAX_PIECE) long.push(row);
      // Longer rows come before those of this length.
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

/** Pieces whose number is not known beforehand. */
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

/** The bytes of the section as words; they are copied where they do not begin at a whole word. */
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
