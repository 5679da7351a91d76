import { throwIfAborted } from '../../base/abort.js';
import { joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory } from '../../base/free-memory.js';
import { limitConcurrency } from '../../base/limit-concurrency.js';
import { ownMembers } from '../../base/records.js';
import { type ByteSource, blobSource, joinSources, memorySource } from '../byte-source.js';
import { MEMORY_BYTES } from '../growing-bytes.js';
import type { ChunkStore } from './chunk-store.js';
import {
  CHUNK_BYTES,
  chunkCount,
  decodeManifest,
  encodeManifest,
  type Manifest,
  type StoredArray,
} from './manifest.js';
import { manifestName, PART } from './record-key.js';
import { sha256, toHex } from './sha256.js';
import { StorageBudget } from './storage-budget.js';

/** What is kept under one key: facts that JSON can hold, and named arrays of bytes of any length. */
export interface CacheRecord<Facts = unknown> {
  /** See `Manifest`. It is saved, and not loaded. */
  readonly name?: string | undefined;
  readonly facts: Facts;
  readonly arrays: Readonly<Record<string, Uint8Array>>;
}

/** The storage cannot be opened, read or written, or is full, or there is no WebCrypto to check it with. */
export interface CacheUnavailable {
  readonly kind: 'unavailable';
  readonly cause: unknown;
}

export type LoadOutcome<Facts = unknown> =
  /** Every byte is as it was saved. */
  | { readonly kind: 'hit'; readonly record: CacheRecord<Facts> }
  /** Nothing was saved under this key, or saving it was not completed. */
  | { readonly kind: 'miss' }
  /** A part of what was saved is missing or changed; `what` says which. Saving the record again repairs it. */
  | { readonly kind: 'damaged'; readonly what: string }
  | CacheUnavailable;

export interface CacheOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface SaveOptions extends CacheOptions {
  /** Called when all chunks are written. The record counts when this is fulfilled, and is deleted if it rejects. */
  readonly confirm?: (arrays: readonly StoredArray[]) => Promise<void>;
}

/** A kept file's bytes, every one as it was saved, with the hash of `hashSource`. */
export interface ReadFile {
  readonly source: ByteSource;
  readonly hash: string;
}

/** A file that is kept as it is, for others to read. */
export interface KeptFile<Facts = unknown> {
  readonly facts: Facts;
  readonly size: number;
  /** Its bytes, or a few words on what is damaged. */
  read(options?: CacheOptions): Promise<ReadFile | string>;
}

/** The name of the one array of a record that is a file. */
export const FILE = 'file';

/** Bytes that are cut into chunks while they are written. */
interface WritableArray {
  readonly length: number;
  part(from: number, to: number): Uint8Array | Promise<Uint8Array>;
  /** Whether a part is a copy, which nobody needs when it was written. */
  readonly givesCopies: boolean;
}

/** Chunks that are handled at a time: one is hashed while the next is read or written. */
const MAX_PARALLEL = 2;

/**
 * Records in a chunk store. A record's chunks are written first, and its manifest, with the hash of each chunk, last.
 * Loading checks every hash. A fault of the storage is an outcome and never an exception; only `ABORTED` is thrown.
 *
 * Two writers of one key write the same bytes but for the name, since the key names everything that decides them. If
 * one deletes chunks while the other writes, the next `load` notices: its outcome is a miss or damaged.
 */
export class PreparedCache {
  /** Bounds the bytes of all records, if anything does. */
  readonly budget: StorageBudget | undefined;

  /**
   * @param storageBudget the most bytes of all records; the least recently used (LRU) are deleted. No limit if left
   * out.
   */
  constructor(
    readonly store: ChunkStore,
    storageBudget?: number,
  ) {
    const remove = (key: string): Promise<void> => this.deleteAll((name) => name.startsWith(`${key}${PART}`));
    this.budget = storageBudget === undefined ? undefined : new StorageBudget(store, storageBudget, remove);
  }

  async load<Facts = unknown>(key: string, options: CacheOptions = {}): Promise<LoadOutcome<Facts>> {
    return guarded<LoadOutcome<Facts>>(async () => {
      const bytes = await this.store.get(manifestName(key));
      if (bytes === undefined) return { kind: 'miss' };
      const manifest = await decodeManifest(bytes, key);
      if (typeof manifest === 'string') return { kind: 'damaged', what: manifest };
      const arrays: [name: string, array: Uint8Array][] = [];
      for (const [index, stored] of manifest.arrays.entries()) {
        const array = await this.loadArray(key, index, stored, options);
        if (typeof array === 'string') return { kind: 'damaged', what: array };
        arrays.push([stored.name, array]);
      }
      // A record is used all the same if the storage is full.
      await this.budget?.touch(key).catch(() => undefined);
      return { kind: 'hit', record: { facts: manifest.facts as Facts, arrays: Object.fromEntries(arrays) } };
    });
  }

  /** The file that is kept under a key. Its bytes are read later, if at all. */
  async findFile<Facts = unknown>(
    key: string,
  ): Promise<
    | { readonly kind: 'hit'; readonly file: KeptFile<Facts> }
    | { readonly kind: 'miss' }
    | { readonly kind: 'damaged'; readonly what: string }
    | CacheUnavailable
  > {
    return guarded(async () => {
      const bytes = await this.store.get(manifestName(key));
      if (bytes === undefined) return { kind: 'miss' as const };
      const manifest = await decodeManifest(bytes, key);
      if (typeof manifest === 'string') return { kind: 'damaged' as const, what: manifest };
      const [stored] = manifest.arrays;
      if (stored?.name !== FILE) return { kind: 'damaged' as const, what: 'the record is no file' };
      const read = (options: CacheOptions = {}) => this.readFile(key, stored, options);
      return { kind: 'hit' as const, file: { facts: manifest.facts as Facts, size: stored.length, read } };
    });
  }

  /** Saves a file as it is, slice by slice; otherwise like `save`. */
  async saveFile(
    key: string,
    facts: unknown,
    source: ByteSource,
    options: SaveOptions = {},
  ): Promise<{ kind: 'saved' } | { kind: 'too large'; bytes: number } | CacheUnavailable> {
    const file: WritableArray = {
      length: source.size,
      part: (from, to) => source.read(from, to - from),
      givesCopies: true,
    };
    return this.saveArrays({ key, name: source.name, facts }, [[FILE, file]], options);
  }

  /** The keys that begin with `prefix`, of the records that were saved completely. */
  async list(
    prefix: string,
  ): Promise<{ readonly kind: 'listed'; readonly keys: readonly string[] } | CacheUnavailable> {
    return guarded(async () => {
      const end = manifestName('');
      const names = (await this.store.keys()).filter((name) => name.startsWith(prefix) && name.endsWith(end));
      return { kind: 'listed' as const, keys: names.map((name) => name.slice(0, -end.length)) };
    });
  }

  /**
   * Saves a record under a key that has no `#`, unless it has more bytes than the storage budget. If that fails,
   * everything of the record is deleted as far as the storage allows.
   */
  async save(
    key: string,
    record: CacheRecord,
    options: CacheOptions = {},
  ): Promise<{ kind: 'saved' } | { kind: 'too large'; bytes: number } | CacheUnavailable> {
    const arrays = Object.entries(record.arrays).map(([name, bytes]): [string, WritableArray] => [
      name,
      { length: bytes.length, part: (from, to) => bytes.subarray(from, to), givesCopies: false },
    ]);
    return this.saveArrays({ key, name: record.name, facts: record.facts }, arrays, options);
  }

  private async saveArrays(
    described: Omit<Manifest, 'arrays'>,
    arrays: readonly (readonly [name: string, array: WritableArray])[],
    options: SaveOptions,
  ): Promise<{ kind: 'saved' } | { kind: 'too large'; bytes: number } | CacheUnavailable> {
    return guarded<{ kind: 'saved' } | { kind: 'too large'; bytes: number }>(async () => {
      const bytes = arrays.reduce((sum, [, { length }]) => sum + length, 0);
      const save = (): Promise<void> => this.write(described, arrays, options);
      if (this.budget === undefined) await save();
      else if (!(await this.budget.save(described.key, bytes, save))) return { kind: 'too large', bytes };
      return { kind: 'saved' };
    });
  }

  /** Deletes what is kept under a key, if anything. */
  async remove(key: string): Promise<{ kind: 'removed' } | CacheUnavailable> {
    return this.deleteWhere((name) => name.startsWith(`${key}${PART}`));
  }

  /** Deletes all records of a source, whose keys end with its hash (`recordKey`). */
  async removeOf(sourceHash: string): Promise<{ kind: 'removed' } | CacheUnavailable> {
    return this.deleteWhere((name) => name.slice(0, name.lastIndexOf(PART)).endsWith(`/${sourceHash}`));
  }

  /** Deletes everything in the store. */
  async clear(): Promise<{ kind: 'removed' } | CacheUnavailable> {
    return this.deleteWhere(() => true);
  }

  private async write(
    described: Omit<Manifest, 'arrays'>,
    named: readonly (readonly [name: string, array: WritableArray])[],
    options: SaveOptions,
  ): Promise<void> {
    const { key } = described;
    try {
      // Without its manifest the record counts as absent while its chunks are being replaced.
      await this.store.delete(manifestName(key));
      const arrays: StoredArray[] = [];
      for (const [index, [name, array]] of named.entries()) {
        arrays.push({ name, length: array.length, chunks: await this.saveArray(key, index, array, options) });
      }
      await options.confirm?.(arrays);
      await this.store.set(manifestName(key), await encodeManifest({ ...described, arrays }));
    } catch (error) {
      await this.forget(
        key,
        named.map(([, { length }]) => length),
      );
      throw error;
    }
  }

  /** The array, or a few words on what is wrong with it. */
  private async loadArray(
    key: string,
    index: number,
    stored: StoredArray,
    options: CacheOptions,
  ): Promise<Uint8Array | string> {
    const { name, length, chunks } = stored;
    let array = allocate(chunks.length === 1 ? 0 : length);
    if (array === undefined) return `${name} has ${length} bytes, more than there is memory for`;
    const take = (bytes: Uint8Array, i: number): void => {
      // The only chunk is the array itself.
      if (chunks.length === 1) array = bytes;
      else {
        array!.set(bytes, i * CHUNK_BYTES);
        freeMemory(bytes);
      }
    };
    const damage = await this.loadChunks(key, index, stored, options, take);
    return damage ?? array;
  }

  private async readFile(key: string, stored: StoredArray, options: CacheOptions): Promise<ReadFile | string> {
    const keep = stored.length > MEMORY_BYTES ? blobOf : memorySource;
    const parts = new Array<ByteSource>(stored.chunks.length);
    const digests = new Array<Uint8Array>(stored.chunks.length);
    const outcome = await guarded(async () =>
      this.loadChunks(key, 0, stored, options, (bytes, i, digest) => {
        parts[i] = keep(bytes);
        digests[i] = digest;
      }),
    );
    if (typeof outcome === 'object') return `it cannot be read: ${String(outcome.cause)}`;
    if (outcome !== undefined) return outcome;
    await this.budget?.touch(key).catch(() => undefined);
    // Chunks are the slices of `hashSource`.
    return { source: joinSources(parts), hash: toHex(await sha256(joinBytes(digests))) };
  }

  /**
   * Passes every chunk of an array that is as it was saved to `take`, which owns it, with its number and its SHA-256.
   * The result is undefined, or a few words on what is wrong.
   */
  private async loadChunks(
    key: string,
    index: number,
    { name, length, chunks }: StoredArray,
    { signal }: CacheOptions,
    take: (bytes: Uint8Array, i: number, digest: Uint8Array) => void,
  ): Promise<string | undefined> {
    let damage: string | undefined;
    await limitConcurrency(chunks.length, MAX_PARALLEL, async (i) => {
      throwIfAborted(signal);
      if (damage !== undefined) return;
      const bytes = await this.store.get(chunkName(key, index, i));
      const expected = Math.min(CHUNK_BYTES, length - i * CHUNK_BYTES);
      const where = `chunk ${i} of ${name}`;
      if (bytes === undefined) damage = `${where} is missing`;
      else if (bytes.length !== expected) damage = `${where} has ${bytes.length} bytes instead of ${expected}`;
      else {
        const digest = await sha256(bytes);
        if (toHex(digest) === chunks[i]) {
          take(bytes, i, digest);
          return;
        }
        damage = `${where} has another hash`;
      }
      if (bytes !== undefined) freeMemory(bytes);
    });
    return damage;
  }

  /** Writes an array's chunks and gives their hashes. */
  private async saveArray(key: string, index: number, array: WritableArray, options: CacheOptions): Promise<string[]> {
    const { signal } = ownMembers(options);
    const hashes = new Array<string>(chunkCount(array.length));
    await limitConcurrency(hashes.length, MAX_PARALLEL, async (i) => {
      throwIfAborted(signal);
      const chunk = await array.part(i * CHUNK_BYTES, Math.min(array.length, (i + 1) * CHUNK_BYTES));
      hashes[i] = toHex(await sha256(chunk));
      await this.store.set(chunkName(key, index, i), chunk);
      // After a failure the storage may still be reading it.
      if (array.givesCopies) freeMemory(chunk);
    });
    return hashes;
  }

  /** Deletes everything that saving a record may have written. Failures to delete are ignored. */
  private async forget(key: string, lengths: readonly number[]): Promise<void> {
    const chunks = lengths.flatMap((length, index) =>
      Array.from({ length: chunkCount(length) }, (_, i) => chunkName(key, index, i)),
    );
    for (const name of [manifestName(key), ...chunks]) await this.store.delete(name).catch(() => undefined);
  }

  private async deleteWhere(matches: (name: string) => boolean): Promise<{ kind: 'removed' } | CacheUnavailable> {
    return guarded<{ kind: 'removed' }>(async () => {
      await this.deleteAll(matches);
      return { kind: 'removed' };
    });
  }

  private async deleteAll(matches: (name: string) => boolean): Promise<void> {
    const names = (await this.store.keys()).filter(matches);
    // Manifests first: a record is gone before its chunks are.
    const isManifest = (name: string): boolean => name.endsWith(manifestName(''));
    for (const name of names.filter(isManifest)) await this.store.delete(name);
    for (const name of names.filter((name) => !isManifest(name))) await this.store.delete(name);
  }
}

/** undefined if there is not that much memory: a damaged manifest may ask for any length. */
function allocate(length: number): Uint8Array | undefined {
  try {
    return new Uint8Array(length);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function chunkName(key: string, array: number, chunk: number): string {
  return `${key}${PART}${array}.${chunk}`;
}

/** Turns exceptions other than an abort into the outcome `unavailable`. */
async function guarded<T>(work: () => Promise<T>): Promise<T | CacheUnavailable> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof PippinError && cause.code === 'ABORTED') throw cause;
    return { kind: 'unavailable', cause };
  }
}

/** Bytes that a browser may keep on disk. */
function blobOf(bytes: Uint8Array): ByteSource {
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  freeMemory(bytes);
  return blobSource(blob);
}
