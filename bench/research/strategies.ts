import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asPippinError } from '../../sdk/base/errors.js';
import { type PreparedBases, pointForm } from '../../sdk/bases/prepared.js';
import { CURVES, type CurveId, hasGpuKernels, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { type DeviceOptions, openDevice, type Products } from '../../sdk/executors/gpu/runtime/device.js';
import { expectEqual } from '../lib/kernel.js';
import { makeOperands, type Operands } from '../lib/operands.js';
import { DISTRIBUTIONS, type Distribution, expectedFactor, makeScalars, multipleBytes } from '../lib/points.js';
import { numbersOption, textOption } from '../lib/report.js';
import type { Contender, Ready } from './strategies/contender.js';
import { Contenders } from './strategies/contenders.js';
import { STRATEGIES } from './strategies/list.js';
import { markdownTables } from './strategies/markdown.js';
import { loadBestWindow, timeWork, type Work } from './strategies/measure-contender.js';
import { plotRows } from './strategies/plot.js';
import type { Strategy } from './strategies/strategy.js';
import { StrategyTable } from './strategies/table.js';

/**
 * Times the strategies of the literature side by side (docs/strategies/side-by-side.md): multiplications on the GPU
 * through Dawn in Node, in which each strategy replaces single parts of the shipped pipeline. Every result is checked,
 * and a wrong one is not timed. The benchmark is bundled into one file, as `gpu-msm` is. WEBGPU_PATH names Dawn's entry
 * module if Dawn is not installed as a package.
 *
 * Options: `--sizes 16,18` (logarithms of the numbers of points), `--curves bn254`, `--distributions
 * uniform,sparse,circuit,clustered`, `--strategies static-buffer,layered` (by their names with dashes; the shipped
 * pipeline always comes first), `--repeats 7`, `--windows plan` (the shipped plan's windows for all) or `--windows 13`
 * instead of the best for each, `--limit 540` (seconds, after which no further row is begun), `--products limbs` or
 * `--products bytes`, `--json FILE`, `--plots FOLDER` (an SVG for each curve), `--markdown FILE` (a table for each
 * curve).
 */
const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
Object.assign(globalThis, globals);
const instance = create([]);
// This reference keeps Dawn's instance from being garbage-collected, which would end the process.
Object.assign(globalThis, { dawnInstance: instance });

/** Where a contender took longer than this, larger sizes of the same distribution are left out. */
const TOO_SLOW_MS = 1500;

const began = performance.now();
const limitMs = 1000 * numbersOption('--limit', [540])[0]!;
const repeats = numbersOption('--repeats', [7])[0]!;
const products = textOption('--products') as Products | undefined;
const deviceOptions: DeviceOptions = products === undefined ? {} : { products };
const { info } = await openDevice(instance, deviceOptions);
const { isSoftware } = info;
const windows = textOption('--windows') ?? (isSoftware ? 'plan' : 'best');
const sizes = numbersOption('--sizes', isSoftware ? [8] : [14, 16, 18, 20]);
const allCurves = (Object.keys(CURVES) as CurveId[]).filter(hasGpuKernels);
const curves = chosen(allCurves, '--curves', allCurves);
const distributions = chosen(DISTRIBUTIONS, '--distributions', ['uniform', 'sparse', 'circuit', 'clustered']);
const [baseline, ...others] = STRATEGIES;
const names = others.map(({ name }) => optionName(name));
const asked = chosen(names, '--strategies', names);
const strategies = [baseline!, ...others.filter(({ name }) => asked.includes(optionName(name)))];
const table = new StrategyTable(info, baseline!.name);
for (const curve of curves) {
  await benchCurve(curve);
  // What a run has found is kept also where it is ended from outside.
  writeResults();
}
for (const { close } of STRATEGIES) await close?.();
process.exit(0);

function optionName(name: string): string {
  return name.replaceAll(' ', '-');
}

/** The values that an option names, of those that there are. */
function chosen<Value extends string>(all: readonly Value[], option: string, fallback: readonly Value[]): Value[] {
  const asked = textOption(option)?.split(',') ?? fallback;
  const unknown = asked.find((name) => !(all as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`expected ${option} of ${all.join(', ')}, got ${unknown}`);
  return all.filter((name) => (asked as readonly string[]).includes(name));
}

async function benchCurve(curve: CurveId): Promise<void> {
  const operands = await makeOperands(curve, 'g1', 2 ** Math.max(...sizes));
  const able = strategies.filter(({ isFor }) => isFor?.(curve) ?? true);
  const contenders = new Contenders(curve, () => openDevice(instance, deviceOptions));
  /** Why larger sizes of a contender and distribution are left out. */
  const slow = new Map<string, string>();
  for (const log of sizes.toSorted((a, b) => a - b)) {
    const works = distributions.map((distribution) => {
      const scalars = shared(makeScalars(CURVES[curve], 2 ** log, distribution));
      return [distribution, workOf(operands, scalars)] as const;
    });
    for (const strategy of [able[0], undefined, ...able.slice(1)]) {
      await benchContender(contenders, strategy, operands.prepared(2 ** log), log, works, slow);
    }
  }
  await contenders.close();
}

/** Times a contender at a size with all distributions. Where it fails, its rows say why. */
async function benchContender(
  contenders: Contenders,
  strategy: Strategy | undefined,
  prepared: PreparedBases,
  log: number,
  works: readonly (readonly [Distribution, Work])[],
  slow: Map<string, string>,
): Promise<void> {
  const name = strategy?.name ?? 'whole backend';
  const head = { curve: prepared.curve, log, strategy: name, replaces: strategy?.replaces ?? 'everything' };
  let ready: Ready | undefined;
  let windowBits: number | undefined;
  for (const [distribution, work] of works) {
    const key = `${distribution} ${name}`;
    const reason = performance.now() - began > limitMs ? 'not run: out of time' : slow.get(key);
    if (reason !== undefined) {
      table.add({ ...head, distribution, error: reason });
      continue;
    }
    try {
      const contender = await contenders.get(strategy);
      const isWarm = ready !== undefined;
      ready ??= await load(contender, prepared, work, windowBits);
      windowBits = ready.windowBits;
      const { times, gpu: byPart } = await timeWork(ready, work, repeats, isWarm);
      table.add({ ...head, distribution, windowBits, times, gpu: byPart });
      const most = Math.max(...times);
      if (most > TOO_SLOW_MS) slow.set(key, `left out: ${(most / 1000).toFixed(1)} s at 2^${log}`);
    } catch (error) {
      ready?.release();
      ready = undefined;
      table.add({ ...head, distribution, error: asPippinError(error).message });
    }
  }
  ready?.release();
  contenders.rest(strategy);
}

/**
 * Bases for the windows that the options ask for, or those that were found before. The whole backend keeps its own
 * plan.
 */
function load(
  contender: Contender,
  prepared: PreparedBases,
  work: Work,
  windowBits: number | undefined,
): Promise<Ready> {
  if (windowBits !== undefined) return contender.load(prepared, windowBits);
  if (windows === 'plan' || contender.replaces === 'everything') return contender.load(prepared);
  return windows === 'best' ? loadBestWindow(contender, prepared, work) : contender.load(prepared, Number(windows));
}

/** A copy in memory that workers see, too, so that none has to be made for them. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  copy.set(bytes);
  return copy;
}

function workOf({ curve, kernel, points, distinct }: Operands, scalars: Uint8Array): Work {
  const expected = multipleBytes(CURVES[curve], expectedFactor(CURVES[curve], points, scalars, distinct));
  const form = pointForm(curve, 'g1');
  return {
    scalars,
    finish: ({ sums, windowBits }) => kernel.reduceWindows({ group: 'g1', form, sums, windowBits }),
    check: (result) => expectEqual(result, expected, `${curve}, ${scalars.length / SCALAR_BYTES} points`),
  };
}

/** The files that the options ask for, of all rows so far. */
function writeResults(): void {
  const json = textOption('--json');
  if (json !== undefined) table.write(json);
  const markdown = textOption('--markdown');
  if (markdown !== undefined) writeFileSync(markdown, markdownTables(table.rows));
  const folder = textOption('--plots');
  if (folder === undefined) return;
  for (const curve of curves) {
    const rows = table.rows.filter((row) => row.curve === curve);
    writeFileSync(join(folder, `side-by-side-${curve}.svg`), plotRows(CURVES[curve].name, rows));
  }
}
