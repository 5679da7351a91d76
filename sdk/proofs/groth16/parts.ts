/** The multi-scalar multiplications of a Groth16 proof, by the names of its key's vectors of points. */
export const GROTH16_PARTS = ['A', 'B1', 'B2', 'C', 'H'] as const;

export type Groth16Part = (typeof GROTH16_PARTS)[number];
