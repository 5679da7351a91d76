import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Measurement } from './measure.js';

/** A row of the results: what was measured, and the figures of each contender. */
export interface Row {
  readonly work: string;
  readonly measurements: readonly Measurement[];
}

/**
 * Required ratios: for a contender's name, how many times as long as the first contender it must take at least.
 * Printed, not enforced.
 */
export type Bars = Readonly<Record<string, number>>;

/** Prints rows as they come, and writes all of them to the file that `--json` names. */
export class BenchReport {
  private readonly rows: Row[] = [];

  constructor(private readonly title: string) {
    console.log(
      `${title}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus()[0]?.model ?? 'unknown CPU'}`,
    );
    console.log(
      `${'work'.padEnd(36)} ${'contender'.padEnd(28)} ${['median', 'min', 'max', 'cpu'].map((name) => name.padStart(9)).join(' ')}  ratio`,
    );
  }

  /** The first contender is ours. The ratio of another one says how many times as long as ours it takes. */
  add(work: string, measurements: readonly Measurement[], bars: Bars = {}): void {
    this.rows.push({ work, measurements });
    const ours = measurements[0]!;
    for (const [i, m] of measurements.entries()) {
      const figures = [m.median, m.min, m.max, m.cpu].map((figure) => (figure?.toFixed(2) ?? '').padStart(9)).join(' ');
      const ratio = i === 0 ? '' : ratioOf(m, ours, bars[m.name]);
      console.log(`${(i === 0 ? work : '').padEnd(36)} ${m.name.padEnd(28)} ${figures}  ${ratio}`);
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

function ratioOf(other: Measurement, ours: Measurement, bar: number | undefined): string {
  const wall = `${(other.median / ours.median).toFixed(2)}x`;
  const cpu = other.cpu === undefined || ours.cpu === undefined ? '' : ` (cpu ${(other.cpu / ours.cpu).toFixed(2)}x)`;
  return `${wall}${cpu}${bar === undefined ? '' : `, required ${bar}x`}`;
}

/** The numbers after an option such as `--sizes 12,14`, or `fallback` without the option. */
export function numbersOption(name: string, fallback: readonly number[]): number[] {
  return textOption(name)?.split(',').map(Number) ?? [...fallback];
}

/** The argument after an option, or undefined without the option. */
export function textOption(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}
