import { SCALAR_BYTES } from '../../../../sdk/curves/index.js';
import type { MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import { digitBytes, digitStage } from '../../../../sdk/executors/gpu/msm/stages/digit-stage.js';
import { atomic, read, readWrite } from '../../../../sdk/executors/gpu/runtime/stage.js';
import countShader from '../../../../shaders/stages/count.wgsl';
import scatterShader from '../../../../shaders/stages/scatter.wgsl';
import type { DigitPair } from '../shipped.js';

interface DigitPairOptions {
  /** Tells the kernels from others. */
  readonly name: string;
  /** WGSL of `next_digit`, as in shaders/digits. */
  readonly cut: string;
  /** Bytes of what it cuts them from: by default of scalars. */
  readonly sourceBytes?: (plan: MsmPlan) => number;
  /** WGSL in place of the shipped kernels. */
  readonly count?: string;
  readonly scatter?: string;
}

function scalarBytes({ points }: MsmPlan): number {
  return points * SCALAR_BYTES;
}

/** The stages that count and place digits which `cut` cuts from scalars. */
export function digitPair({
  name,
  cut,
  sourceBytes = scalarBytes,
  count = countShader,
  scatter = scatterShader,
}: DigitPairOptions): DigitPair {
  return {
    count: digitStage(
      {
        name: 'strategy-count',
        shader: count,
        bindings: { counters: atomic('counters'), ranks: readWrite('ranks') },
        bytes: (plan) => ({ source: sourceBytes(plan), ranks: digitBytes(plan) }),
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
