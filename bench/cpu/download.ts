import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { WasmModuleName } from '../../sdk/api/index.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { scalarsBeside } from '../../tests/support/scalars-beside.js';
import type { Measurement } from '../lib/measure.js';
import type { BenchReport } from '../lib/report.js';
import type { CpuOptions } from './options.js';

/** The folder of the SDK as an application's bundler makes it: minified and with its dependencies. */
const APP = fileURLToPath(new URL('./app', import.meta.url));
/** Scripts that every visitor fetches. The witness worker's script is fetched only to prove from inputs. */
const SCRIPTS = ['index.js', 'coordinator.js', 'kernel.js'];
/** What is fetched with the first bases, besides. */
const FOR_SUMS = /^chunk-(msm-bases|beyond-proofs)-.*\.js$/;
const CURVE_IDS = Object.keys(CURVES) as CurveId[];

/** What is loaded where the workers compute. */
const ON_WORKERS = /^chunk-(scalars-kernel|deferred-code)-.*\.js$/;

const BAR = 120;

/** Reports how many kilobytes (1000 bytes, after gzip -9) an application with one curve fetches. */
export function downloadRows(options: CpuOptions, report: BenchReport): void {
  const work = 'download, kB gzip';
  if (!options.wants(work)) return;
  const entries = [...SCRIPTS, ...chunksOf(ON_WORKERS)];
  const scripts = bytesOf(filesOf(entries));
  const sums = bytesOf(filesOf([...entries, ...chunksOf(FOR_SUMS)])) - scripts;
  for (const curve of CURVE_IDS) {
    const shaders = bytesOf(shadersOf(curve));
    // A curve without a pairing serves for sums alone.
    const code = CURVES[curve].pairing === undefined ? scripts + sums : scripts;
    for (const module of [curve, `${curve}-fma`, `${curve}-simd`] satisfies WasmModuleName[]) {
      const scalars = scalarsBeside(curve, module);
      const wasm = packed(`${module}.wasm`) + packed(`${scalars}.wasm`);
      report.add(`${work}, at most ${BAR}`, [
        size(`SDK, ${module}.wasm and ${scalars}.wasm`, code + shaders + wasm),
        size('snarkjs, minified', packed('snarkjs.min.js')),
      ]);
      report.add('  of this', [size('WebAssembly', wasm)]);
    }
    report.add('  of this, only with WebGPU', [size(`shaders of ${curve}`, shaders)]);
  }
  report.add('  of each', [size('scripts', scripts)]);
  report.add('  besides, for sums by themselves', [size('scripts', sums)]);
  report.add('  besides, to prove from inputs', [
    size('witness worker', bytesOf(filesOf([...entries, 'witness.js'])) - scripts),
  ]);
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

/** A curve's shaders by limbs and by bytes. A coordinator fetches those that it uses. */
function shadersOf(curve: CurveId): string[] {
  return chunksOf(new RegExp(`^chunk-${curve}-(bytes-)?shaders-.*\\.js$`));
}

function chunksOf(name: RegExp): string[] {
  return readdirSync(APP).filter((file) => name.test(file));
}

/** The scripts, and all scripts that they import statically. */
function filesOf(entries: readonly string[]): string[] {
  const found = new Set(entries);
  for (const file of found) {
    const text = readFileSync(join(APP, file), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) found.add(imported!);
  }
  return [...found];
}
