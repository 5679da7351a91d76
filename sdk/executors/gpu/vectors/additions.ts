import { PippinError } from '../../../base/errors.js';
import { BudgetExceeded } from '../../../base/memory-budget.js';
import { SCALAR_BYTES } from '../../../curves/index.js';
import { ADDITION_BYTES, type Additions } from '../../../polynomials/polynomials.js';
import type { GpuVector } from './gpu-vector.js';
import { type Operation, WHOLE } from './operation.js';
import { copyRuns } from './operations.js';
import { extendStage } from './vector-stages.js';

/** The most levels, each a dispatch: of a sum of so many terms. */
const MOST_LEVELS = 4096;

/** Consecutive rows that depend on rows of earlier levels alone. */
export interface AdditionLevel {
  readonly first: number;
  readonly end: number;
}

/** Additions on the device, in the order of their levels. */
export class GpuAdditions implements Additions {
  /**
   * @param rows for each addition the indices of both elements and of the sum (u32).
   * @param factors two for each row.
   */
  constructor(
    readonly count: number,
    readonly rows: GpuVector,
    readonly factors: GpuVector,
    readonly levels: readonly AdditionLevel[],
  ) {}

  release(): void {
    this.rows.release();
    this.factors.release();
  }
}

/**
 * Sorts additions by their levels: an addition is one level above the higher one of its elements. `MALFORMED_FILE`
 * names the first addition of an element that does not come before it, `OUT_OF_MEMORY` says that there are too many
 * levels for a GPU.
 *
 * @param known elements before the first sum.
 */
export function sortByLevel(
  additions: Uint8Array,
  known: number,
): { readonly rows: Uint8Array; readonly factors: Uint8Array; readonly levels: readonly AdditionLevel[] } {
  const count = additions.length / ADDITION_BYTES;
  const words = new Uint32Array(additions.buffer, additions.byteOffset, additions.length / 4);
  const wordsOfRow = ADDITION_BYTES / 4;
  const levelOf = new Uint32Array(count);
  const sizes: number[] = [];
  for (let i = 0; i < count; i++) {
    let level = 0;
    for (let operand = 0; operand < 2; operand++) {
      const element = words[i * wordsOfRow + operand]!;
      if (element >= known + i) {
        throw new PippinError(
          'MALFORMED_FILE',
          `expected addition ${i} of signals below ${known + i}, got signal ${element}`,
        );
      }
      if (element >= known) level = Math.max(level, levelOf[element - known]! + 1);
    }
    levelOf[i] = level;
    sizes[level] = (sizes[level] ?? 0) + 1;
  }
  if (sizes.length > MOST_LEVELS) {
    throw new BudgetExceeded(`expected additions in at most ${MOST_LEVELS} levels on a GPU, got ${sizes.length}`);
  }
  const levels: AdditionLevel[] = [];
  for (const size of sizes) {
    const first = levels.at(-1)?.end ?? 0;
    levels.push({ first, end: first + size });
  }
  const next = levels.map(({ first }) => first);
  const rows = new Uint32Array(3 * count);
  const factorWords = (2 * SCALAR_BYTES) / 4;
  const factors = new Uint32Array(factorWords * count);
  for (let i = 0; i < count; i++) {
    const from = i * wordsOfRow;
    const to = next[levelOf[i]!]!++;
    rows.set([words[from]!, words[from + 1]!, known + i], 3 * to);
    for (let w = 0; w < factorWords; w++) factors[to * factorWords + w] = words[from + 2 + w]!;
  }
  return { rows: new Uint8Array(rows.buffer), factors: new Uint8Array(factors.buffer), levels };
}

/** Values, followed by the sums of additions. */
export function extension(
  values: GpuVector,
  { rows, factors, levels }: GpuAdditions,
  target: GpuVector,
  signal: AbortSignal | undefined,
): Operation {
  return {
    reads: [values, rows, factors],
    target,
    block: WHOLE,
    signal,
    *steps() {
      yield copyRuns([{ vector: values, from: 0, count: values.length, at: 0 }], target);
      const buffers = { rows: rows.expectBuffer(), factors: factors.expectBuffer(), values: target.expectBuffer() };
      for (const level of levels) {
        for (const dispatch of extendStage.dispatches({ ...level, ...buffers })) yield { kind: 'dispatch', dispatch };
      }
    },
  };
}
