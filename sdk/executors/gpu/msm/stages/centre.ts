import shader from '../../../../../shaders/stages/centre.wgsl';
import { toLimbs } from '../../../../curves/limbs.js';
import { readWrite } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import type { DigitInput } from '../digit-input.js';
import { defineMsmStage } from './msm-stage.js';

/** The words of the group order, lowest first: as many as the longest scalars have. */
const ORDER_WORDS = Array.from({ length: 24 }, (_, i) => `order${i}` as const);

/** Words that a thread takes at a time. */
const VECTOR = 4;

/** Uploaded scalars of a chunk: `from` to `to` - 1. */
interface CentreWork {
  readonly from: number;
  readonly to: number;
  /** Words of a scalar: a multiple of 4, at most 24. */
  readonly scalarWords: number;
  /** The group's order, with a bit less than a scalar at most. */
  readonly order: bigint;
}

/** Replaces scalars s by r - s where that is smaller, with the sign in the highest bit. */
export const centreStage = defineMsmStage({
  name: 'centre',
  variant: 'scalars',
  entry: 'threads',
  workgroupSize: 256,
  bindings: { source: readWrite('source', 'vec4u') },
  params: ['scalarVectors', ...ORDER_WORDS],
  shader,
  dispatches: ({ from, to, scalarWords, order }: CentreWork) => {
    const words = toLimbs(order, ORDER_WORDS.length, 32);
    const ofOrder = Object.fromEntries(ORDER_WORDS.map((name, i) => [name, words[i]!]));
    const params = { ...ofOrder, scalarVectors: scalarWords / VECTOR };
    return [{ first: from, end: to, params, cost: DIGIT_COST }];
  },
});

/** An input of scalars below `order` that also centres them on the GPU. */
export function centred(input: DigitInput, order: bigint): DigitInput {
  return {
    ...input,
    bring: (slice) => [
      ...input.bring(slice),
      ...centreStage
        .dispatches({ from: slice.from, to: slice.to, scalarWords: input.scalarWords, order })
        .map((dispatch) => ({ kind: 'dispatch', dispatch }) as const),
    ],
  };
}
