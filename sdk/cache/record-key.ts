/** Changes whenever the bytes of a record would differ for the same source and plan, so that old records are not found. */
export const FORMAT_VERSION = 2;

/**
 * The name of a record: what it was made from, in which format, and by which plan.
 *
 * @param sourceHash what `hashSource` gave.
 * @param plan what else decides the record's bytes, e.g. `bases/<curve>/<group>`.
 */
export function recordKey(sourceHash: string, plan: string): string {
  return `v${FORMAT_VERSION}/${plan}/${sourceHash}`;
}
