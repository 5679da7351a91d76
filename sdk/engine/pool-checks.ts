import { joinBytes } from '../base/bytes.js';
import type { CheckArithmetic } from '../bases/check-arithmetic.js';
import { WEIGHT_BITS } from '../bases/check-weights.js';
import { pointBytes } from '../curves/index.js';
import { makeCheckScalars, makeMaskSums } from '../executors/workers/pool/check-sums.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';

/** What the check of sums needs of the workers. */
export function poolChecks(pool: KernelPool): CheckArithmetic {
  return {
    async maskSum({ curve, group, form }, points, key, signal) {
      const sums = await makeMaskSums(pool, { curve, group, form, points }, key, signal);
      if (sums.length === 0) return new Uint8Array(pointBytes(curve, group));
      return pool.call(curve, 'combine', { group, points: joinBytes(sums) }, { signal, urgent: true });
    },

    checkScalars: ({ curve, scalars, batch, plan: { windowBits, windows, isCentred }, weights, key }, signal) => {
      const { ofWindows, limbs, reduced } = weights;
      const request = { scalars, batch, windowBits, windows, isCentred, weights: ofWindows, limbs, reduced, key };
      return makeCheckScalars(pool, curve, request, signal);
    },

    combineRows: ({ curve, group, form }, sums, bits, weights, signal) =>
      pool.call(
        curve,
        'combineRows',
        { group, form, sums, bits, weights, weightBits: WEIGHT_BITS },
        { signal, urgent: true },
      ),
  };
}
