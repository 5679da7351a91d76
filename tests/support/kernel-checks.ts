import { joinBytes } from '../../sdk/base/bytes.js';
import type { CheckArithmetic } from '../../sdk/bases/check-arithmetic.js';
import { WEIGHT_BITS } from '../../sdk/bases/check-arithmetic.js';
import type { ArithmeticFor } from '../../sdk/bases/point-arithmetic.js';
import { pointForm } from '../../sdk/bases/prepared.js';
import { checkScalarBytes } from '../../sdk/executors/workers/kernel/check-kernel.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';

/** What a check of sums needs of trusted executors, by one kernel on this thread. */
export function kernelChecks(kernel: Kernel): CheckArithmetic {
  return {
    maskSum: ({ group, form }, points, key) => kernel.maskSum({ group, form, points, key, first: 0 }),
    checkScalars: async ({ curve, scalars, batch, plan: { windowBits, windows, isCentred }, weights, key }) => {
      const { ofWindows, limbs, reduced } = weights;
      const all = { scalars, batch, windowBits, windows, isCentred, weights: ofWindows, limbs, reduced, key, first: 0 };
      const pieces = [await kernel.checkScalars(all)];
      return { kind: 'pieces', pieces, scalarBytes: checkScalarBytes(curve, reduced) };
    },
    combineRows: ({ group, form }, sums, bits, weights) =>
      kernel.combineRows({ group, form, sums, bits, weights, weightBits: WEIGHT_BITS }),
  };
}

/** The last steps of sums, by one kernel on this thread. */
export function kernelArithmetic(kernel: Kernel): ArithmeticFor {
  return (curve, group) => ({
    reduceWindows: (sums, windowBits) =>
      kernel.reduceWindows({ group, form: pointForm(curve, group), sums, windowBits }),
    combine: (points, scalars) => kernel.combine({ group, points, scalars }),
    finish: (parts) => {
      const { sums, windowBits } =
        parts.kind === 'windows' ? parts : { sums: joinBytes(parts.points), windowBits: undefined };
      return kernel.finish({ group, form: pointForm(curve, group), sums, windowBits });
    },
  });
}
