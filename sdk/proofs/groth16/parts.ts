/** The multi-scalar multiplications of a Groth16 proof, by the names of its key's vectors of points. */
export const GROTH16_PARTS = ['A', 'B1', 'B2', 'C', 'H'] as const;

export type Groth16Part = (typeof GROTH16_PARTS)[number];

/** A value for each part. */
export function mapParts<T>(make: (part: Groth16Part) => T): Record<Groth16Part, T> {
  return Object.fromEntries(GROTH16_PARTS.map((part) => [part, make(part)])) as Record<Groth16Part, T>;
}
