import type { MsmTuning, Precompute } from '../api.js';

export type { Accumulation, DigitCutter, Reduction } from '../api.js';

/** `MsmTuning` inside: fields may be undefined. */
export type Tuning = { readonly [Field in keyof MsmTuning]?: MsmTuning[Field] | undefined };

/** `LoadTuning` inside. */
export interface LoadedTuning extends Tuning {
  readonly precompute: Precompute;
}
