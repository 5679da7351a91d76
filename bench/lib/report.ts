import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Measurement } from './measure.js';

/** A row of the results: what was measured, and each contender's figures. */
export interface Row {
  readonly work: string;
  readonly measurements: readonly Measurement[];
}

/** Collects rows, prints them as they come, and writes them where `--json` says. */
export class BenchReport {
  private readonly rows: Row[] = [];

  constructor(private readonly title: string) {
    console.log(
      `${title}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus()[0]?.model ?? 'unknown CPU'}`,
    );
    console.log(
      `${'work'.padEnd(34)} ${'contender'.padEnd(24)} ${['median', 'min', 'max', 'cpu'].map((name) => name.padStart(9)).join(' ')}  ratio`,
    );
  }

  /** The first contender is ours; the ratio says how many times longer the others take. */
  add(work: string, measurements: readonly Measurement[]): void {
    this.rows.push({ work, measurements });
    const ours = measurements[0]!;
    for (const [i, m] of measurements.entries()) {
      const figures = [m.median, m.min, m.max, m.cpu].map((ms) => ms.toFixed(2).padStart(9)).join(' ');
      const ratio = i === 0 ? '' : `${(m.median / ours.median).toFixed(2)}x (cpu ${(m.cpu / ours.cpu).toFixed(2)}x)`;
      console.log(`${(i === 0 ? work : '').padEnd(34)} ${m.name.padEnd(24)} ${figures}  ${ratio}`);
    }
  }

  finish(): void {
    const at = process.argv.indexOf('--json');
    const path = process.argv[at + 1];
    if (at < 0 || path === undefined) return;
    const facts = { title: this.title, date: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model };
    writeFileSync(path, `${JSON.stringify({ ...facts, rows: this.rows }, undefined, 1)}\n`);
  }
}

/** The numbers behind an option such as `--sizes 12,14`, or the given ones. */
export function numbersOption(name: string, fallback: readonly number[]): number[] {
  const at = process.argv.indexOf(name);
  const value = at < 0 ? undefined : process.argv[at + 1];
  return value === undefined ? [...fallback] : value.split(',').map(Number);
}
