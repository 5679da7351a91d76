import { writeFileSync } from 'node:fs';
import type { CurveId, GroupId } from '../../sdk/curves/index.js';
import type { DeviceInfo } from '../../sdk/executors/gpu/runtime/device-info.js';
import type { StageTimes } from '../../sdk/executors/gpu/runtime/stage-timer.js';
import { median } from './measure.js';

interface TimesRow {
  readonly curve: CurveId;
  readonly log: number;
  readonly work: string;
  /** Wall milliseconds of the runs. */
  readonly times: readonly number[];
  /** The median time, divided by that for uniform scalars at the same size. */
  readonly ratio: number;
}

/**
 * Prints the results of multiplications on the GPU as they come, and writes all of them to the file that `--json`
 * names.
 */
export class GpuMsmTable {
  private readonly rows: TimesRow[] = [];
  private readonly facts: Record<string, unknown>[] = [];
  private readonly title: string;

  constructor({ vendor, architecture, description }: DeviceInfo, group: GroupId) {
    const name = [vendor, architecture, description].filter((part) => part !== '').join(' ');
    this.title = `WebGPU MSM over ${group} on ${name}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}`;
    console.log(this.title);
    console.log('wall ms from scalars on the CPU to the affine result; all results checked');
    console.log(line(['curve', 'points', 'work', 'median', 'min', 'max', 'ns/point', 'vs uniform']));
  }

  addTimes(curve: CurveId, log: number, work: string, times: readonly number[]): void {
    const uniform = this.rows.find((row) => row.curve === curve && row.log === log && row.work === 'uniform');
    const middle = median(times);
    const ratio = middle / (uniform === undefined ? middle : median(uniform.times));
    this.rows.push({ curve, log, work, times, ratio });
    const figures = [middle, Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(2));
    console.log(
      line([curve, `2^${log}`, work, ...figures, ((middle * 1e6) / 2 ** log).toFixed(1), `${ratio.toFixed(2)}x`]),
    );
  }

  /** The milliseconds also cover a multiplication of one point, which waits for the pipelines. */
  addPipelines(curve: CurveId, coldMs: number, warmMs: number): void {
    this.facts.push({ curve, coldMs, warmMs });
    console.log(
      `${curve}: creating all pipelines: ${coldMs.toFixed(0)} ms at first, ${warmMs.toFixed(0)} ms on a second device`,
    );
  }

  /** GPU memory: `bytes` for bases and other buffers, and `stagingBytes` besides for staging memory. */
  addMemory(curve: CurveId, log: number, bytes: number, stagingBytes: number): void {
    this.facts.push({ curve, log, bytes, stagingBytes });
    const [all, staging] = [bytes + stagingBytes, stagingBytes].map((n) => (n / 1e6).toFixed(0));
    console.log(`${curve} 2^${log}: ${all} MB of GPU buffers, ${staging} MB of them for staging`);
  }

  addStages(curve: CurveId, log: number, stages: StageTimes): void {
    this.facts.push({ curve, log, stages });
    const each = Object.entries(stages).map(([stage, ms]) => `${stage} ${ms.toFixed(2)}`);
    const sum = Object.values(stages).reduce((total, ms) => total + ms, 0);
    console.log(`${curve} 2^${log}: GPU time ${sum.toFixed(2)} ms: ${each.join(', ')}`);
  }

  addBatch(curve: CurveId, log: number, size: number, together: number, apart: number): void {
    this.facts.push({ curve, log, batchSize: size, together, apart });
    console.log(
      `${curve}: ${size} times 2^${log} points: ${together.toFixed(2)} ms in one call, ${apart.toFixed(2)} ms in ${size} calls: ` +
        `${(together / apart).toFixed(2)}x`,
    );
  }

  finish(): void {
    const at = process.argv.indexOf('--json');
    const path = process.argv[at + 1];
    if (at < 0 || path === undefined) return;
    writeFileSync(path, `${JSON.stringify({ title: this.title, rows: this.rows, facts: this.facts }, undefined, 1)}\n`);
  }
}

function line(cells: readonly string[]): string {
  const widths = [13, 7, 20];
  return cells.map((cell, i) => (i < 3 ? cell.padEnd(widths[i]!) : cell.padStart(10))).join(' ');
}
