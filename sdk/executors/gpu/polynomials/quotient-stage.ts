import { stageDefiner } from '../runtime/stage.js';

/** The scratch buffers of a quotient, by what they hold: elements of the scalar field of 8 words, each below 2 r. */
export type QuotientBuffer =
  /** The sums of the pieces of long rows. */
  | 'partials'
  /** A w, B w and their product; then their values on the coset, up to a factor. */
  | 'a'
  | 'b'
  | 'c';

/** Declares a stage of a quotient. Its buffers depend on more than a plan (`quotientBytes`). */
export const defineQuotientStage = stageDefiner<QuotientBuffer, never, 'field'>();
