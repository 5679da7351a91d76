/** One contender of a comparison. `run` gives back what `check` looks at; a wrong result is never timed. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
  /** Throws when the result is wrong. */
  readonly check?: (result: unknown) => void | Promise<void>;
}

export interface Measurement {
  readonly name: string;
  /** Wall milliseconds, median, least and most. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** CPU milliseconds (user and system, all threads of the process), median. */
  readonly cpu: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** Times contenders in turn, A B A B .., after one checked run of each, so that a machine's drift meets all alike. */
export async function compare(contenders: readonly Contender[], runs: number): Promise<Measurement[]> {
  const times = contenders.map(() => ({ wall: [] as number[], cpu: [] as number[] }));
  for (const { run, check } of contenders) await check?.(await run());
  for (let i = 0; i < runs; i++) {
    for (const [c, { run, check }] of contenders.entries()) {
      const cpu = process.cpuUsage();
      const start = performance.now();
      const result = await run();
      times[c]!.wall.push(performance.now() - start);
      const used = process.cpuUsage(cpu);
      times[c]!.cpu.push((used.user + used.system) / 1000);
      await check?.(result);
    }
  }
  return contenders.map(({ name }, c) => {
    const { wall, cpu } = times[c]!;
    return { name, median: median(wall), min: Math.min(...wall), max: Math.max(...wall), cpu: median(cpu) };
  });
}
