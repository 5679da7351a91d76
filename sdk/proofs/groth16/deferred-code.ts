/**
 * What few proofs need, or none where a GPU computes: a page downloads it as one script, in the background after its
 * first key.
 */

export { blame } from './blame.js';
export { MaskedKey } from './masked-key.js';
export { quotientScalars } from './workers-quotient.js';
