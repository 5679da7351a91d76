import { numbersOption, textOption } from '../lib/report.js';

/** What the command line says. */
export interface CpuOptions {
  /** Logarithms of the sizes of multiplications and transforms. */
  readonly sizes: readonly number[];
  /** Timed rounds of each row, at most. */
  readonly runs: number;
  /** Threads that each contender may use, where it uses several. */
  readonly threads: number;
  /** Whether a row is to be measured: all are, or those whose name holds one of the words in `--only 'MSM|proof chain'`. */
  wants(work: string): boolean;
}

export function readOptions(): CpuOptions {
  const words = textOption('--only')?.toLowerCase().split('|');
  return {
    sizes: numbersOption('--sizes', [14, 16, 18]),
    runs: numbersOption('--runs', [5])[0]!,
    threads: numbersOption('--threads', [2])[0]!,
    wants: (work) => words?.some((word) => work.toLowerCase().includes(word)) ?? true,
  };
}

/** Milliseconds after which no further round of a row begins. */
export const ROW_LIMIT_MS = 12_000;
