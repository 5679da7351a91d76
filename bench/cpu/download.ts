import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { WasmModuleName } from '../../sdk/api.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import type { Measurement } from '../lib/measure.js';
import type { BenchReport } from '../lib/report.js';
import type { CpuOptions } from './options.js';

/** The SDK as an application's bundler makes it: minified, dependencies included. */
const APP = fileURLToPath(new URL('./app', import.meta.url));
/** Scripts that every visitor fetches. Only those who prove from inputs fetch the witness worker's. */
const SCRIPTS = ['index.js', 'coordinator.js', 'kernel.js'];
const CURVE_IDS = Object.keys(CURVES) as CurveId[];

const BAR = 120;

/** Kilobytes (1000 bytes, gzip -9) that an application with one curve fetches. */
export function downloadRows(options: CpuOptions, report: BenchReport): void {
  const work = 'download, kB gzip';
  if (!options.wants(work)) return;
  const scripts = bytesOf(filesOf(SCRIPTS));
  for (const curve of CURVE_IDS) {
    const shaders = bytesOf(shadersOf(curve));
    for (const module of [curve, `${curve}-fma`] satisfies WasmModuleName[]) {
      report.add(`${work}, bar ${BAR}`, [
        size(`SDK and ${module}.wasm`, scripts + shaders + packed(`${module}.wasm`)),
        size('snarkjs, minified', packed('snarkjs.min.js')),
      ]);
      report.add('  of it', [size(`${module}.wasm`, packed(`${module}.wasm`))]);
    }
    report.add('  of it, on WebGPU', [size(`shaders of ${curve}`, shaders)]);
  }
  report.add('  of it', [size('scripts', scripts)]);
  report.add('  more with inputs', [size('witness worker', bytesOf(filesOf([...SCRIPTS, 'witness.js'])) - scripts)]);
}

function size(name: string, bytes: number): Measurement {
  const kilobytes = bytes / 1000;
  return { name, median: kilobytes, min: kilobytes, max: kilobytes };
}

function bytesOf(files: readonly string[]): number {
  return files.reduce((total, file) => total + packed(file), 0);
}

function packed(file: string): number {
  return gzipSync(readFileSync(join(APP, file)), { level: 9 }).length;
}

/** The WGSL of a curve's field, by limbs and by bytes: the coordinator fetches the one or both when it works on a GPU. */
function shadersOf(curve: CurveId): string[] {
  return readdirSync(APP).filter((file) => file.startsWith(`chunk-${curve}-fq-`));
}

/** The scripts and all that they import at once. */
function filesOf(entries: readonly string[]): string[] {
  const found = new Set(entries);
  for (const file of found) {
    const text = readFileSync(join(APP, file), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) found.add(imported!);
  }
  return [...found];
}
