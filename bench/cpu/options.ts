import { CURVES, type Curve, type CurveId } from '../../sdk/curves/index.js';
import { numbersOption, textOption } from '../lib/report.js';

/** The options of the command line. */
export interface CpuOptions {
  /** Logarithms of the sizes of multiplications and transforms. */
  readonly sizes: readonly number[];
  /**
   * Timed rounds of a multiplication or a later proof, at most. Transforms take up to twice as many and field products
   * up to three times as many; first proofs and proofs in Chromium always take 3.
   */
  readonly runs: number;
  /** Threads that each contender may use, where it uses several. */
  readonly threads: number;
  /**
   * The curves whose multiplications in G1 are measured, at every size; undefined for those that are usually measured.
   */
  readonly curves: readonly Curve[] | undefined;
  /** Numbers of multiples of each base with which multiplications in G1 are measured besides. */
  readonly precompute: readonly number[];
  /** Bits of a window of multiplications in G1 by our prover; chosen by it if left out. */
  readonly windowBits: number | undefined;
  /**
   * Whether a row is to be measured: with `--only 'MSM|proof chain'` one whose name contains one of these parts,
   * otherwise every row.
   */
  wants(work: string): boolean;
}

export function readOptions(): CpuOptions {
  const words = textOption('--only')?.toLowerCase().split('|');
  return {
    sizes: numbersOption('--sizes', [14, 16, 18]),
    runs: numbersOption('--runs', [5])[0]!,
    curves: textOption('--curves')?.split(',').map(curveOf),
    precompute: numbersOption('--precompute', []),
    windowBits: numbersOption('--window-bits', [])[0],
    threads: numbersOption('--threads', [2])[0]!,
    wants: (work) => words?.some((word) => work.toLowerCase().includes(word)) ?? true,
  };
}

function curveOf(id: string): Curve {
  if (!Object.hasOwn(CURVES, id)) {
    throw new Error(`expected --curves of ${Object.keys(CURVES).join(', ')}, got ${id}`);
  }
  return CURVES[id as CurveId];
}

/** Milliseconds after which no further round of a row begins; it does not limit the first three rounds. */
export const ROW_LIMIT_MS = 12_000;
