import { pointForm } from '../../../../sdk/bases/prepared.js';
import type { CurveId } from '../../../../sdk/curves/index.js';
import { clear, type Part, run, type Strategy } from '../strategy.js';
import { leftOver } from './left-over.js';
import { inversesStage, type LevelKind, pairsStage, productsStage, sumsStage } from './level-stages.js';
import type { LevelTuning } from './level-work.js';

/**
 * Affine additions level by level: in each the points of every bucket are added pair by pair. Thousands of additions
 * share an inversion, with byte products only: 1 product an addition on the way to the inversion, 2 on the way back, 3
 * for the sum.
 */
export function affineLevels(tuning: LevelTuning): Strategy {
  const { levels, threads, parts } = tuning;
  return {
    name: `affine levels ${levels}, 2^${Math.log2(threads)} threads, ${parts} totals`,
    replaces: 'accumulation',
    source: "a tree of affine additions in each bucket, thousands to an inversion (Montgomery's trick)",
    isFor: (curve) => pointForm(curve, 'g1') === 'weierstrass',
    parts: (curve) => ({ accumulate: levelsAndRest(curve, tuning) }),
  };
}

function levelsAndRest(curve: CurveId, tuning: LevelTuning): Part {
  const stagesOf = (kind: LevelKind) => ({
    pairs: pairsStage(curve, kind),
    products: productsStage(curve, kind, tuning),
    sums: sumsStage(curve, kind, tuning),
  });
  const first = stagesOf('first');
  const later = stagesOf('later');
  const inverses = inversesStage(curve, tuning);
  const rest = leftOver(curve, tuning.levels);
  const laterKernels = tuning.levels > 1 ? Object.values(later) : [];
  return {
    kernels: [...Object.values(first), inverses, ...laterKernels, ...rest.kernels],
    *steps(chunk, task) {
      yield clear('pairCounts');
      for (let level = 0; level < tuning.levels; level++) {
        const { pairs, products, sums } = level === 0 ? first : later;
        const work = { chunk, level };
        for (const stage of [pairs, products, inverses, sums]) yield* run(stage.dispatches(work));
      }
      yield* rest.steps(chunk, task);
    },
  };
}
