import { writeBigint } from '../../../../sdk/base/bytes.js';
import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import { mod } from '../../../../sdk/curves/modular.js';
import { type ConstraintFacts, MAX_PIECE } from '../../../../sdk/executors/gpu/polynomials/sorted-constraints.js';
import { edgeValues, type Random } from '../../../support/random.js';

/** An entry of a constraint system's matrix A (0) or B (1). */
export interface Entry {
  readonly matrix: number;
  readonly row: number;
  readonly signal: number;
  readonly coefficient: bigint;
}

/** Entries as a .zkey's coefficient section has them. */
export function sectionOf(curve: CurveId, entries: readonly Entry[]): Uint8Array {
  const { modulus } = CURVES[curve].fr;
  const bytes = new Uint8Array(44 * entries.length);
  const view = new DataView(bytes.buffer);
  for (const [i, { matrix, row, signal, coefficient }] of entries.entries()) {
    view.setUint32(44 * i, matrix, true);
    view.setUint32(44 * i + 4, row, true);
    view.setUint32(44 * i + 8, signal, true);
    writeBigint(bytes, 44 * i + 12, 32, mod(coefficient << 512n, modulus));
  }
  return bytes;
}

/** A matrix times a witness. */
export function rowsOf(
  curve: CurveId,
  entries: readonly Entry[],
  matrix: number,
  domainSize: number,
  witness: readonly bigint[],
): bigint[] {
  const { modulus } = CURVES[curve].fr;
  const rows = new Array<bigint>(domainSize).fill(0n);
  for (const entry of entries) {
    if (entry.matrix !== matrix) continue;
    rows[entry.row] = mod(rows[entry.row]! + entry.coefficient * witness[entry.signal]!, modulus);
  }
  return rows;
}

/**
 * A system with rows of all kinds: without entries, with one, with several of the same signal, and a long one in each
 * matrix. Its coefficients are 1, -1, edges and random ones.
 */
export function mixedEntries(
  curve: CurveId,
  { domainSize, variables }: ConstraintFacts,
  random: Random,
  longest = 3 * MAX_PIECE,
): Entry[] {
  const { modulus } = CURVES[curve].fr;
  const rare = [...edgeValues(modulus).slice(0, 40), ...Array.from({ length: 20 }, () => random.below(modulus))];
  const coefficient = (i: number): bigint => [1n, modulus - 1n, 1n, rare[i % rare.length]!][i % 4]!;
  const entries: Entry[] = [];
  for (const matrix of [0, 1]) {
    for (let row = 0; row < domainSize; row++) {
      const length = row === 1 ? longest : (row * 7 + matrix) % 5;
      for (let i = 0; i < length; i++) {
        const signal = i > 0 && i % 3 === 0 ? entries.at(-1)!.signal : random.integer(variables);
        entries.push({ matrix, row, signal, coefficient: coefficient(random.integer(100)) });
      }
    }
  }
  return entries;
}
