import { SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { digitBytes, digitStage } from '../../../sdk/gpu/msm/digit-stage.js';
import { atomic, read, readWrite } from '../../../sdk/gpu/runtime/stage.js';
import countShader from '../../../shaders/stages/count.wgsl';
import scatterShader from '../../../shaders/stages/scatter.wgsl';
import type { DigitPair } from '../shipped.js';

interface DigitPairOptions {
  /** Tells the kernels from others. */
  readonly name: string;
  /** WGSL of `next_digit`, as in shaders/digits. */
  readonly cut: string;
  /** WGSL in place of the shipped kernels. */
  readonly count?: string;
  readonly scatter?: string;
}

/** The stages that count and place digits which `cut` cuts from scalars. */
export function digitPair({ name, cut, count = countShader, scatter = scatterShader }: DigitPairOptions): DigitPair {
  return {
    count: digitStage(
      {
        name: 'strategy-count',
        shader: count,
        bindings: { counters: atomic('counters'), ranks: readWrite('ranks') },
        bytes: (plan) => ({ source: plan.points * SCALAR_BYTES, ranks: digitBytes(plan) }),
      },
      name,
      cut,
    ),
    scatter: digitStage(
      {
        name: 'strategy-scatter',
        shader: scatter,
        bindings: { ranks: read('ranks'), offsets: read('counters'), sorted: readWrite('sorted') },
        bytes: (plan) => ({ sorted: digitBytes(plan) }),
      },
      name,
      cut,
    ),
  };
}
