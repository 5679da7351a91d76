import { writeFileSync } from 'node:fs';
import type { CurveId } from '../../../sdk/curves/index.js';
import type { DeviceInfo } from '../../../sdk/executors/gpu/runtime/device-info.js';
import { median } from '../../lib/measure.js';
import type { Distribution } from '../../lib/points.js';
import type { PartTimes } from './contender.js';

/** A contender at a size and distribution. */
export interface StrategyRow {
  readonly curve: CurveId;
  readonly log: number;
  readonly distribution: Distribution;
  readonly strategy: string;
  readonly replaces: string;
  readonly windowBits?: number;
  /** Wall milliseconds. */
  readonly times?: readonly number[];
  /** Milliseconds of GPU time. */
  readonly gpu?: PartTimes | undefined;
  /** The median time divided by that of the first strategy. */
  readonly ratio?: number | undefined;
  /** Why it was not timed. */
  readonly error?: string;
}

/** Prints rows as they come, and keeps them for the files that are written in the end. */
export class StrategyTable {
  readonly rows: StrategyRow[] = [];
  readonly title: string;

  constructor(
    { vendor, architecture, description }: DeviceInfo,
    private readonly baseline: string,
  ) {
    const name = [vendor, architecture, description].filter((part) => part !== '').join(' ');
    this.title = `Strategies on ${name}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}`;
    console.log(this.title);
    console.log(
      'wall ms from scalars on the host to the affine result on the host, and GPU ms by part; every result checked',
    );
    console.log(
      line(['curve', 'points', 'scalars', 'strategy', 'c', 'median', 'min', 'max', 'ratio', 'sort', 'add', 'reduce']),
    );
  }

  add(row: Omit<StrategyRow, 'ratio'>): void {
    const full = { ...row, ratio: this.ratioOf(row) };
    this.rows.push(full);
    const { curve, log, distribution, strategy, windowBits, times, gpu, error } = full;
    const head = [curve, `2^${log}`, labelOf(distribution), strategy, `${windowBits ?? ''}`];
    if (times === undefined) {
      console.log(`${line(head)}  ${error}`);
      return;
    }
    const figures = [median(times), Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(2));
    const parts = gpu === undefined ? [] : [gpu.sort, gpu.accumulate, gpu.reduce].map((ms) => ms.toFixed(2));
    console.log(line([...head, ...figures, full.ratio?.toFixed(2) ?? '', ...parts]));
  }

  write(path: string): void {
    const facts = { title: this.title, date: new Date().toISOString(), node: process.version };
    writeFileSync(path, `${JSON.stringify({ ...facts, rows: this.rows }, undefined, 1)}\n`);
  }

  private ratioOf({ curve, log, distribution, strategy, times }: Omit<StrategyRow, 'ratio'>): number | undefined {
    const isBaseline = (row: StrategyRow): boolean =>
      row.curve === curve && row.log === log && row.distribution === distribution && row.strategy === this.baseline;
    const base = strategy === this.baseline ? times : this.rows.find(isBaseline)?.times;
    return times === undefined || base === undefined ? undefined : median(times) / median(base);
  }
}

/** The words of docs/strategies for a distribution. */
export function labelOf(distribution: Distribution): string {
  return distribution === 'clustered' ? '32 distinct' : distribution;
}

const WIDTHS = [13, 6, 12, 31, 3, 9, 9, 9, 6, 8, 8, 8];

function line(cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 3 ? cell.padEnd(WIDTHS[i]!) : cell.padStart(WIDTHS[i]!))).join(' ');
}
