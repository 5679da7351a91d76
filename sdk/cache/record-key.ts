/** The version of a record's contents. It must change whenever the same source and plan give other bytes, so that old records are not found. */
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
