import type { MapRow, MsmTuning, Precompute } from '../api/index.js';

export type { Accumulation, DigitCutter, Reduction } from '../api/index.js';

/** `MsmTuning` inside: fields may be undefined. */
export type Tuning = { readonly [Field in keyof MsmTuning]?: MsmTuning[Field] | undefined };

/** What was measured to be best for sums of about so many points, and what they take. */
export type MeasuredSum = Omit<MapRow, 'curve' | 'group' | 'points'>;

/** `LoadTuning` inside. */
export interface LoadedTuning extends Tuning {
  readonly precompute: Precompute;
}
