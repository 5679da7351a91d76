/** One contender of a comparison. `run` gives back what `check` looks at; a wrong result is never timed. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
  /** Throws when the result is wrong. */
  readonly check?: (result: unknown) => void | Promise<void>;
}

export interface Measurement {
  readonly name: string;
  /** Median, least and most; wall milliseconds unless the row says otherwise. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** CPU milliseconds (user and system, all threads of the process), median; undefined where they were not measured. */
  readonly cpu?: number | undefined;
}

/** Wall and CPU milliseconds of one run. */
export interface Times {
  readonly wall: number;
  readonly cpu: number;
}

/** The least number of runs of each contender, however long they take. */
const FEWEST_RUNS = 3;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** The median, least and most of some runs. */
export function summarize(name: string, runs: readonly Times[]): Measurement {
  const walls = runs.map(({ wall }) => wall);
  const cpu = median(runs.map((run) => run.cpu));
  return { name, median: median(walls), min: Math.min(...walls), max: Math.max(...walls), cpu };
}

/**
 * Times contenders in turns (A B A B ...), after one checked run of each, so that changes in the machine's speed affect all of them alike. Ends after
 * `runs` rounds, or when they have taken `limitMs`, but not before the third round.
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
