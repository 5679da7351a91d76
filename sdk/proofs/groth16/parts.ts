import type { GroupId } from '../../curves/index.js';

/** The multi-scalar multiplications of a Groth16 proof, by the names of its key's vectors of points. */
export const GROTH16_PARTS = ['A', 'B1', 'B2', 'C', 'H'] as const;

export type Groth16Part = (typeof GROTH16_PARTS)[number];

/** The cost of an addition in each group, in additions of G1. */
export const GROUP_COST: Readonly<Record<GroupId, number>> = { g1: 1, g2: 3 };

/** How many vectors are transformed to the coset for the quotient polynomial. */
export const TRANSFORMS = 3;

/**
 * The work of a part's MSM for each of its points, in additions of G1: the scalars of H are full, and B2 lies in G2.
 */
const WORK: Readonly<Record<Groth16Part, number>> = { A: 1, B1: 1, B2: GROUP_COST.g2, C: 1, H: 2 };

/** The vectors of a key, as far as the work of their MSMs is concerned. */
type Outlines = Readonly<Record<Groth16Part, { readonly outline: { readonly kept: number } }>>;

/** A value for each part. */
export function mapParts<T>(make: (part: Groth16Part) => T): Record<Groth16Part, T> {
  return Object.fromEntries(GROTH16_PARTS.map((part) => [part, make(part)])) as Record<Groth16Part, T>;
}

/** The work of a part's MSM, in additions of G1. */
export function workOfPart(vectors: Outlines, part: Groth16Part): number {
  return WORK[part] * vectors[part].outline.kept;
}

/** The work of all MSMs of a proof, in additions of G1. */
export function workOfProof(vectors: Outlines): number {
  return GROTH16_PARTS.reduce((sum, part) => sum + workOfPart(vectors, part), 0);
}
