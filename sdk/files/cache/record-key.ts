/**
 * The version of a record's contents. It must change whenever the same source and plan give other bytes, so that old
 * records are not found.
 */
export const FORMAT_VERSION = 4;

/** Stands between a record's key and the name of a part; keys do not contain it. */
export const PART = '#';

/** The name of a record's manifest. All manifests' names end with the name for an empty key. */
export function manifestName(key: string): string {
  return `${key}${PART}manifest`;
}

/**
 * What the keys of the records of a source begin with: their format, the plan, and the source's size. So it is known
 * before the source has been hashed whether there can be a record of it.
 *
 * @param plan what else decides the record's bytes, e.g. `bases/<curve>/<group>`.
 * @param size bytes of the source.
 */
export function recordPrefix(plan: string, size: number): string {
  return `v${FORMAT_VERSION}/${plan}/${size}/`;
}

/**
 * The key of a record: its source, format and plan.
 *
 * @param sourceHash what `hashSource` gave.
 */
export function recordKey(prefix: string, sourceHash: string): string {
  return `${prefix}${sourceHash}`;
}

/** What a record's key says of it. */
export interface RecordFacts {
  /** The version of its contents, which is used only if it is FORMAT_VERSION. */
  readonly format: number;
  /** Its plan, e.g. `bases/<curve>/<group>`. */
  readonly plan: string;
  /** Bytes of the source, and its hash. */
  readonly size: number;
  readonly sourceHash: string;
}

/** What `recordKey` and `recordPrefix` wrote into a key; undefined for the key of another kind of record. */
export function readRecordKey(key: string): RecordFacts | undefined {
  const [, format, plan, size, sourceHash] = /^v([0-9]+)\/(.+)\/([0-9]+)\/([^/]+)$/.exec(key) ?? [];
  if (format === undefined || plan === undefined || size === undefined || sourceHash === undefined) return undefined;
  return { format: Number(format), plan, size: Number(size), sourceHash };
}
