import shader from '../../../../../shaders/stages/centre.wgsl';
import { toLimbs } from '../../../../curves/limbs.js';
import { readWrite } from '../../runtime/stage.js';
import { DIGIT_COST } from '../cost.js';
import type { DigitInput } from '../digit-input.js';
import { defineMsmStage } from './msm-stage.js';

/** The words of the group order, lowest first. */
const ORDER_WORDS = ['order0', 'order1', 'order2', 'order3', 'order4', 'order5', 'order6', 'order7'] as const;
type OrderWord = (typeof ORDER_WORDS)[number];

/** Uploaded scalars of a chunk: `from` to `to` - 1. */
interface CentreWork {
  readonly from: number;
  readonly to: number;
  /** The group's order. */
  readonly order: bigint;
}

/** Replaces scalars s by r - s where that is smaller, with the sign in the highest bit. */
export const centreStage = defineMsmStage({
  name: 'centre',
  variant: 'scalars',
  entry: 'threads',
  workgroupSize: 256,
  bindings: { source: readWrite('source', 'vec4u') },
  params: ORDER_WORDS,
  shader,
  dispatches: ({ from, to, order }: CentreWork) => {
    const words = toLimbs(order, ORDER_WORDS.length, 32);
    const params = Object.fromEntries(ORDER_WORDS.map((name, i) => [name, words[i]!]));
    return [{ first: from, end: to, params: params as Record<OrderWord, number>, cost: DIGIT_COST }];
  },
});

/** An input of scalars below `order` that also centres them on the GPU. */
export function centred(input: DigitInput, order: bigint): DigitInput {
  return {
    ...input,
    bring: (slice) => [
      ...input.bring(slice),
      ...centreStage
        .dispatches({ from: slice.from, to: slice.to, order })
        .map((dispatch) => ({ kind: 'dispatch', dispatch }) as const),
    ],
  };
}
