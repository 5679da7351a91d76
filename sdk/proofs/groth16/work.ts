import type { LoadedBases } from '../../bases/loaded-bases.js';
import { GROTH16_PARTS, type Groth16Part } from './parts.js';

/** How many vectors are transformed to the coset for the quotient. */
export const TRANSFORMS = 3;

/** The work of a part's sum for each of its points, in additions of G1: the scalars of H are full, and B2 lies in G2. */
const WORK: Readonly<Record<Groth16Part, number>> = { A: 1, B1: 1, B2: 3, C: 1, H: 2 };

/** The vectors of a key, as far as the work of their sums is concerned. */
type Outlines = Readonly<Record<Groth16Part, { readonly outline: Pick<LoadedBases['outline'], 'kept'> }>>;

/** The work of a part's sum, in additions of G1. */
export function workOf(vectors: Outlines, part: Groth16Part): number {
  return WORK[part] * vectors[part].outline.kept;
}

/** The work of all sums of a proof, in additions of G1. */
export function workOfSums(vectors: Outlines): number {
  return GROTH16_PARTS.reduce((sum, part) => sum + workOf(vectors, part), 0);
}
