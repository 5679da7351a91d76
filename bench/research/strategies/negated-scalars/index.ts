import { windowCount } from '../../../../sdk/bases/digits.js';
import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import { centreStage } from '../../../../sdk/executors/gpu/msm/stages/centre.js';
import { countStages, scatterStages } from '../../../../sdk/executors/gpu/msm/stages/counting-sort.js';
import { bringScalars, countingSort } from '../shipped.js';
import { run, type Strategy } from '../strategy.js';

/** s and r - s: one of them has a bit less than r, so that the digits of some windows need a window less. */
function negatedScalars(multiples: number): Pick<Strategy, 'replaces' | 'multiples' | 'shape' | 'parts'> {
  return {
    replaces: 'digits',
    multiples,
    shape: (plan, curve) => {
      const windows = windowCount(CURVES[curve].fr.bits - 1, plan.windowBits);
      return { ...plan, windows, rows: Math.ceil(windows / multiples) };
    },
    parts: (curve: CurveId) => ({
      sort: countingSort(
        { count: countStages.scalars, scatter: scatterStages.scalars },
        function* (slice, task) {
          yield* bringScalars(slice, task);
          const { from, to, scalarWords, chunk } = slice;
          const order = CURVES[curve].fr.modulus;
          if (chunk.firstRow === 0) yield* run(centreStage.dispatches({ from, to, scalarWords, order }));
        },
        [centreStage],
      ),
    }),
  };
}

export const negatedScalarsAlone: Strategy = {
  ...negatedScalars(1),
  name: 'negated scalars',
  source: "Yrrid's entry to ZPrize 2022, without its multiples: s -> r - s. The package does so, too",
};

/** Six multiples of each point: 2^(j G c) P for j < 6, where G is the number of rows. */
export const negatedScalarsWithMultiples: Strategy = {
  ...negatedScalars(6),
  name: 'negated scalars with multiples',
  source: "Yrrid's entry to ZPrize 2022: s -> r - s, and multiples by which two rows of buckets take all windows",
};
