import { availableParallelism } from 'node:os';
import type { BasesToLoad, PartialSums } from '../../sdk/bases/backend.js';
import { drawWeights, poolChecks, SHORT_CHECK_BITS } from '../../sdk/bases/check-arithmetic.js';
import { poolArithmetic } from '../../sdk/bases/point-arithmetic.js';
import { randomlyChecked } from '../../sdk/bases/random-check.js';
import { hostScalars } from '../../sdk/bases/scalar-vector.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import type { GpuMsm } from '../../sdk/executors/gpu/msm/gpu-msm.js';
import { KernelPool } from '../../sdk/executors/workers/pool/pool.js';
import { nodeWorkerChannel } from '../../sdk/transport/node-worker.js';
import { fastestModules } from './kernel.js';

/** Kernel workers on all cores, with a curve's kernel; their script lies beside the bundled benchmark. */
export async function openPool(curve: CurveId): Promise<KernelPool> {
  const script = new URL('./kernel-node.mjs', import.meta.url);
  const pool = new KernelPool(() => nodeWorkerChannel(script), availableParallelism());
  await pool.open(curve, fastestModules(curve));
  return pool;
}

/** Work that is timed, and whether it gives the parts of the sum, which are then checked. */
export interface CheckRow {
  readonly work: string;
  readonly run: () => Promise<PartialSums | undefined>;
}

/**
 * What the check of a sum costs: the checked sum as a caller has it; the same with the check sum queued behind the sum
 * as soon as its scalars are made, not when the sum has been read back; and apart, on the workers, the check scalars
 * and the sum of the masked points, which is made once.
 */
export async function checkRows(
  msm: GpuMsm,
  pool: KernelPool,
  bases: BasesToLoad,
  scalars: Uint8Array,
): Promise<readonly CheckRow[]> {
  const { curve } = bases;
  const checks = poolChecks(pool);
  const checked = randomlyChecked(msm, checks, poolArithmetic(pool));
  const loaded = await checked.load({ ...bases, checksResults: true });
  const { resident } = loaded;
  const key = new Uint8Array(16);
  const plan = msm.rowPlan(resident, 1, { scalarBits: CURVES[curve].fr.bits });
  const weights = drawWeights(curve, plan, 1);
  const checkScalars = () => checks.checkScalars({ curve, scalars, batch: 1, plan, weights, key }, undefined);
  return [
    {
      work: 'check random',
      run: async () => (await checked.multiplyBatch(loaded, hostScalars(scalars), 1, { check: 'random' }))[0],
    },
    {
      work: 'check queued behind',
      run: async () => {
        const making = checkScalars();
        const sum = msm.multiply(resident, scalars);
        const check = making.then((made) =>
          msm.multiplyBatch(resident, made, 1, { scalarBits: weights.reduced ? undefined : SHORT_CHECK_BITS }),
        );
        return (await Promise.all([sum, check]))[0];
      },
    },
    { work: 'check scalars alone', run: async () => void (await checkScalars()) },
    {
      work: 'sum of masked points',
      run: async () => void (await checks.maskSum(bases, bases.points as Uint8Array, key, undefined)),
    },
  ];
}
