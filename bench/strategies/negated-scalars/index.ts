import { CURVES, type CurveId } from '../../../sdk/curves/index.js';
import { toLimbs } from '../../../sdk/field/limbs.js';
import { DIGIT_COST } from '../../../sdk/gpu/msm/cost.js';
import type { DigitSlice } from '../../../sdk/gpu/msm/digit-stage.js';
import { readWrite } from '../../../sdk/gpu/runtime/stage.js';
import { windowCount } from '../../../sdk/msm/digits.js';
import { digitPair } from '../lib/digit-pair.js';
import { bringScalars, countingSort } from '../shipped.js';
import { defineStrategyStage, run, type Strategy } from '../strategy.js';
import cut from './cut.wgsl';
import shader from './negate.wgsl';

const DIGITS = digitPair({ name: 'negated scalars', cut });

function negateStage(curve: CurveId) {
  const order = toLimbs(CURVES[curve].fr.modulus, 8, 32).map((word) => `${word}u`);
  return defineStrategyStage({
    name: 'negate-scalars',
    variant: curve,
    entry: 'threads',
    workgroupSize: 256,
    bindings: { source: readWrite('source') },
    params: [],
    libraries: [`const ORDER = array<u32, 8>(${order.join(', ')});`],
    shader,
    dispatches: ({ from, to }: DigitSlice) => [{ first: from, end: to, params: {}, cost: DIGIT_COST }],
  });
}

/** s and r - s: one of them has a bit less than r, so that the digits of some windows need a window less. */
function negatedScalars(multiples: number): Pick<Strategy, 'replaces' | 'multiples' | 'shape' | 'parts'> {
  return {
    replaces: 'digits',
    multiples,
    shape: (plan, curve) => {
      const windows = windowCount(CURVES[curve].fr.bits - 1, plan.windowBits);
      return { ...plan, windows, rows: Math.ceil(windows / multiples) };
    },
    parts: (curve) => {
      const negate = negateStage(curve);
      const sort = countingSort(
        DIGITS,
        function* (slice, task) {
          yield* bringScalars(slice, task);
          if (slice.chunk.firstRow === 0) yield* run(negate.dispatches(slice));
        },
        [negate],
      );
      return { sort };
    },
  };
}

export const negatedScalarsAlone: Strategy = {
  ...negatedScalars(1),
  name: 'negated scalars',
  source: "Yrrid's entry to ZPrize 2022, without its multiples: s -> r - s",
};

/** Six multiples of each point: 2^(j G c) P for j < 6, where G is the number of rows. */
export const negatedScalarsWithMultiples: Strategy = {
  ...negatedScalars(6),
  name: 'negated scalars with multiples',
  source: "Yrrid's entry to ZPrize 2022: s -> r - s, and multiples by which two rows of buckets take all windows",
};
