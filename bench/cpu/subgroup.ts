import { pointForm } from '../../sdk/bases/prepared.js';
import { CURVES, type CurveId, type GroupId, hasCofactor } from '../../sdk/curves/index.js';
import { wasmModulesOf } from '../../sdk/executors/workers/kernel/wasm-module.js';
import { loadKernel } from '../lib/kernel.js';
import { compare } from '../lib/measure.js';
import { multiplesOf } from '../lib/operands.js';
import { makeScalars } from '../lib/points.js';
import type { BenchReport } from '../lib/report.js';
import { type CpuOptions, ROW_LIMIT_MS } from './options.js';

const LOG = 14;
const FIRST = 3n ** 150n;

/**
 * Measures the check that points lie in the subgroup of prime order beside what else is done with them, in one kernel
 * on this thread.
 */
export async function subgroupRows(options: CpuOptions, report: BenchReport): Promise<void> {
  for (const { id, g2 } of Object.values(CURVES)) {
    for (const group of g2 === undefined ? (['g1'] as const) : (['g1', 'g2'] as const)) {
      const work = `subgroup ${id} ${group} 2^${LOG}`;
      if (hasCofactor(id, group) && options.wants(work)) await groupRow(options, report, work, id, group);
    }
  }
}

async function groupRow(
  options: CpuOptions,
  report: BenchReport,
  work: string,
  curve: CurveId,
  group: GroupId,
): Promise<void> {
  const count = 2 ** LOG;
  const kernel = await loadKernel(curve, wasmModulesOf(curve, 'points').fastest);
  const form = pointForm(curve, group);
  const prepare = async (points: Uint8Array) =>
    (await kernel.prepareBases({ group, form, encoding: 'canonical', points })).points;
  const given = (await multiplesOf(kernel, curve, group, count, FIRST)).bytes;
  const points = await prepare(given);
  const shift =
    form === 'edwards' ? { shift: await prepare((await multiplesOf(kernel, curve, group, 1, 7n)).bytes) } : {};
  const scalars = makeScalars(CURVES[curve], count, 'uniform');
  kernel.loadShard({ id: 'bases', group, form, points });
  const check = async (): Promise<boolean> => {
    const sums = await kernel.subsetSums({ group, form, points, ...shift });
    return kernel.sumsInSubgroup({ group, points: sums, terms: 1 });
  };
  const contenders = [
    { name: 'preparing', run: () => prepare(given) },
    {
      name: 'checking',
      run: check,
      check: (result: unknown) => {
        if (result !== true) throw new Error('expected all points in the subgroup, got one outside of it');
      },
    },
    { name: 'a sum of uniform scalars', run: () => kernel.multiply({ id: 'bases', scalars }) },
  ];
  report.add(work, await compare(contenders, options.runs, ROW_LIMIT_MS));
}
