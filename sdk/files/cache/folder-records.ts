import { type FolderChunk, folderChunks, folderStore, peekChunk } from './folder-store.js';
import { decodeManifest } from './manifest.js';
import { PreparedCache } from './prepared-cache.js';
import { manifestName, PART } from './record-key.js';

/** A record in the folder of a cache. */
export interface FolderRecord {
  readonly key: string;
  /** The bytes of all its files. */
  readonly bytes: number;
  /** When it was last read or written. */
  readonly lastUse: Date;
  /** False if saving it was not completed, so that it is not used. */
  readonly isComplete: boolean;
}

/**
 * The records in the folder of a cache, most recently used first. Rejects when the folder cannot be read, or is not
 * this user's own.
 */
export async function folderRecords(directory: string): Promise<FolderRecord[]> {
  const byKey = new Map<string, FolderChunk[]>();
  for (const chunk of await folderChunks(directory)) {
    const end = chunk.key.lastIndexOf(PART);
    const key = end < 0 ? chunk.key : chunk.key.slice(0, end);
    byKey.set(key, [...(byKey.get(key) ?? []), chunk]);
  }
  const records = [...byKey].map(([key, chunks]) => ({
    key,
    bytes: chunks.reduce((sum, { bytes }) => sum + bytes, 0),
    lastUse: new Date(Math.max(...chunks.map(({ lastUse }) => lastUse.getTime()))),
    isComplete: chunks.some((chunk) => chunk.key === manifestName(key)),
  }));
  return records.sort((a, b) => b.lastUse.getTime() - a.lastUse.getTime());
}

/** A manifest has about 70 bytes for each 4 MiB of its record. */
const MAX_MANIFEST_BYTES = 2 ** 22;

/**
 * What the manifest of a record in the folder calls its source, which may be any text; undefined if it calls it
 * nothing, or cannot be read. Looking at it is no use of the record.
 */
export async function nameOfRecord(directory: string, { key }: Pick<FolderRecord, 'key'>): Promise<string | undefined> {
  try {
    const bytes = await peekChunk(directory, manifestName(key), MAX_MANIFEST_BYTES);
    const manifest = bytes && (await decodeManifest(bytes, key));
    if (typeof manifest !== 'object' || typeof manifest.name !== 'string') return undefined;
    return manifest.name === '' ? undefined : manifest.name;
  } catch {
    // A file that others may have written, or that is gone: its record is listed without a name.
    return undefined;
  }
}

/** Deletes records from the folder of a cache. Rejects when one cannot be deleted. */
export async function removeFolderRecords(directory: string, records: readonly FolderRecord[]): Promise<void> {
  const cache = new PreparedCache(folderStore(directory));
  for (const { key } of records) {
    const outcome = await cache.remove(key);
    if (outcome.kind === 'unavailable') throw outcome.cause;
  }
}
