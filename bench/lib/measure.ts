/** One contender of a comparison. `check` gets what `run` returned. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
  /** Throws when the result is wrong, which ends the comparison. */
  readonly check?: (result: unknown) => void | Promise<void>;
}

export interface Measurement {
  readonly name: string;
  /** Median, minimum and maximum over the runs: wall milliseconds, unless the row's name gives another unit. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Median CPU time (user and system, all threads) in the same unit; undefined where it was not measured. */
  readonly cpu?: number | undefined;
}

/** Wall and CPU milliseconds of one run. */
export interface Times {
  readonly wall: number;
  readonly cpu: number;
}

/** Rounds that are made however long they take, unless fewer are asked for. */
const FEWEST_RUNS = 3;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** Median, minimum and maximum of the runs' wall time, and the median of their CPU time. */
export function summarize(name: string, runs: readonly Times[]): Measurement {
  const walls = runs.map(({ wall }) => wall);
  const cpu = median(runs.map((run) => run.cpu));
  return { name, median: median(walls), min: Math.min(...walls), max: Math.max(...walls), cpu };
}

/**
 * Times contenders in turns (A B A B ...), so that changes in the machine's speed affect all of them alike. One run of
 * each comes first and is not timed. All results are checked. Ends after `runs` rounds; from the third round on it also
 * ends when `limitMs` milliseconds have passed.
 */
export async function compare(
  contenders: readonly Contender[],
  runs: number,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<Measurement[]> {
  const times = contenders.map((): Times[] => []);
  for (const { run, check } of contenders) await check?.(await run());
  const began = performance.now();
  for (let i = 0; i < runs && (i < FEWEST_RUNS || performance.now() - began < limitMs); i++) {
    for (const [c, { run, check }] of contenders.entries()) {
      const cpu = process.cpuUsage();
      const start = performance.now();
      const result = await run();
      const wall = performance.now() - start;
      const used = process.cpuUsage(cpu);
      times[c]!.push({ wall, cpu: (used.user + used.system) / 1000 });
      await check?.(result);
    }
  }
  return contenders.map(({ name }, c) => summarize(name, times[c]!));
}
