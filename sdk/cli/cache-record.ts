import { CURVES } from '../curves/index.js';
import type { FolderRecord } from '../files/cache/folder-records.js';
import { FORMAT_VERSION, readRecordKey } from '../files/cache/record-key.js';

/** A record of the cache, for a person. */
export interface RecordDescription {
  readonly kind: string;
  readonly curve?: string;
  /** What it was made from. */
  readonly source?: { readonly bytes: number; readonly hash: string };
}

/** What the engine keeps, by the words of the plans that it is kept by. */
const KINDS: Readonly<Record<string, string>> = { groth16: 'proving key', bases: 'points', multiples: 'multiples' };

/** What a record is, by its key. */
export function describeRecord({ key, isComplete }: Pick<FolderRecord, 'key' | 'isComplete'>): RecordDescription {
  if (key.startsWith('map/')) return { kind: 'performance map' };
  if (key.startsWith('file/')) return { kind: isComplete ? 'downloaded file' : 'downloaded file, incomplete' };
  const facts = readRecordKey(key);
  if (facts === undefined) return { kind: 'unknown' };
  const words = facts.plan.split('/');
  const kinds = words.flatMap((word) => KINDS[word] ?? []);
  const curve = words.find((word) => Object.hasOwn(CURVES, word));
  const marks = [
    ...(isComplete ? [] : ['incomplete']),
    ...(facts.format === FORMAT_VERSION ? [] : ['of another version']),
  ];
  const kind = [kinds.length === 0 ? 'unknown' : kinds.join(' of '), ...marks].join(', ');
  return { kind, ...(curve === undefined ? {} : { curve }), source: { bytes: facts.size, hash: facts.sourceHash } };
}
