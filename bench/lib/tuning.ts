import type { LoadedTuning } from '../../sdk/bases/multiples.js';
import { TUNING_FLAGS, tuningByFlags } from '../../sdk/cli/prover-options.js';
import { textOption } from './report.js';

/** The tuning that the bench's options name: those of `pippin msm`, with so many multiples of each base. */
export function tuningOption(precompute: number): LoadedTuning {
  const flags = Object.fromEntries(TUNING_FLAGS.map((flag) => [flag, textOption(`--${flag}`)]));
  return { ...tuningByFlags(flags, precompute), precompute };
}
