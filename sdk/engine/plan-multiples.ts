import type { MsmExecutor } from '../bases/backend.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import type { MultiplesChoice, WantedMultiples } from '../bases/multiples.js';
import { preparedPointBytes } from '../bases/prepared.js';
import { keptPointBytes } from '../executors/workers/pool/workers-memory.js';
import type { Backends } from './backends.js';

export { BasesPrecomputation } from '../bases/precompute.js';

/** Bytes that points with their multiples may take on the workers unless the caller gives a `memoryBudget`. */
const WORKERS_BUDGET = 2 ** 30;

/**
 * Plans the precomputed multiples of bases for their present executor.
 *
 * @param together all bases that get multiples at the same time, these among them.
 */
export async function planMultiples(
  backends: Backends,
  { outline: { curve, group, kept: count }, shares, executor }: LoadedBases,
  together: readonly LoadedBases[],
  { precompute, ...tuning }: WantedMultiples,
  signal: AbortSignal,
): Promise<MultiplesChoice & { readonly executor: MsmExecutor }> {
  if (executor === 'webgpu') {
    const msm = await backends.msmOn(curve, group);
    const ofGroup = together.filter((bases) => bases.outline.group === group && bases.executor === executor);
    const points = ofGroup.reduce((sum, { outline }) => sum + outline.kept, 0);
    const choice = await msm?.planMultiples(count, points, precompute, tuning);
    return { executor, ...(choice ?? { plan: undefined, fits: false }) };
  }
  const { pool } = backends;
  const { budget } = pool.memory;
  const bytesBy = (pointBytes: typeof keptPointBytes): number =>
    together.reduce((sum, { outline }) => sum + outline.kept * pointBytes(curve, outline.group), 0);
  const kept = bytesBy(keptPointBytes);
  // The multiples may take what is available, and the place of the bases alone, which they replace.
  const most = budget.isLimited
    ? Math.floor(Math.min(budget.limit, budget.available + kept) / kept)
    : Math.floor(WORKERS_BUDGET / bytesBy(preparedPointBytes));
  const points = Math.max(...(shares ?? []).map(({ from, to }) => to - from), Math.ceil(count / pool.size));
  const args = { group, points, precompute, windowBits: tuning.windowBits, most };
  return { executor, ...(await pool.call(curve, 'planMultiples', args, { signal, urgent: true })) };
}
