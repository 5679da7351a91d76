import { peakMebibytes } from './peak-memory.js';

/** What a process tells of its work: times in ms. */
export interface Outcome {
  readonly wall: number;
  readonly cpu: number;
  readonly mebibytes: number;
  /** SHA-256 of the file that it has made, where files are compared. */
  readonly hash?: string;
}

export async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  const used = process.cpuUsage(cpu);
  return { wall, cpu: (used.user + used.system) / 1000, mebibytes: peakMebibytes() };
}
