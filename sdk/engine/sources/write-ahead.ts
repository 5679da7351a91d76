import { onAbort, pause, untilAborted } from '../../base/abort.js';
import type { ArrivingFile } from '../../files/arriving-file.js';
import type { Manifest } from '../../files/cache/manifest.js';
import type { PreparedCache } from '../../files/cache/prepared-cache.js';
import { hashOfSlices } from '../../files/cache/source-hash.js';
import type { BasesCache } from '../bases-cache.js';

/** The keys of files that are being written while they arrive. */
const arriving = new WeakMap<BasesCache, Set<string>>();

/**
 * A file that is written to the cache while it arrives: it is hashed once, and little of that is left for the time of
 * the first proof. Nothing of it stays if the file is closed before `keep` is called, the cache is cleared, or the
 * storage fails. A page that is left meanwhile leaves chunks without a record, which the next download of the file
 * replaces. Nothing is written with a storage budget, which counts records alone, nor while another file of the same
 * key arrives.
 */
export class WriteAhead {
  /** The hash of `hashSource` as soon as all bytes are hashed; undefined if they are not written. */
  readonly hash: Promise<string | undefined>;
  private readonly saved: Promise<boolean>;
  private readonly wanted: Promise<void>;
  private want: () => void = () => undefined;
  private tellHash: (hash: string | undefined) => void = () => undefined;
  private readonly ending = new AbortController();
  private readonly ignoreClosing: () => void;

  constructor(
    cache: BasesCache,
    private readonly described: Pick<Manifest, 'key' | 'facts'>,
    source: ArrivingFile,
  ) {
    this.wanted = new Promise((resolve) => {
      this.want = resolve;
    });
    this.hash = new Promise((resolve) => {
      this.tellHash = resolve;
    });
    const end = (): void => this.ending.abort();
    this.ignoreClosing = onAbort(source.closing.signal, end);
    const stopListening = onAbort(cache.clearing.signal, end);
    const keys = arriving.get(cache) ?? new Set();
    arriving.set(cache, keys);
    this.saved = cache
      .writing((kept) => this.write(kept, source, keys))
      .then(
        (isSaved) => isSaved === true,
        () => false,
      )
      .finally(() => {
        this.tellHash(undefined);
        stopListening();
      });
  }

  /** Makes a record of what is written, when all of it is. Calls `otherwise` if it is not written. */
  async keep(otherwise: () => void): Promise<void> {
    // A file that is loaded may be closed: all of it is there.
    this.ignoreClosing();
    this.want();
    if (!(await this.saved)) otherwise();
  }

  private async write(kept: PreparedCache, source: ArrivingFile, keys: Set<string>): Promise<boolean> {
    const { key, facts } = this.described;
    const { signal } = this.ending;
    if (kept.budget !== undefined || keys.has(key)) return false;
    keys.add(key);
    // Who opens the file names it when it is open.
    await pause(0, []);
    const file = {
      size: source.size,
      name: source.name,
      read: (offset: number, length: number) => untilAborted(source.read(offset, length), signal),
    };
    const outcome = await kept
      .saveFile(key, facts, file, {
        signal,
        beforeManifest: async ([array]) => {
          this.tellHash(await hashOfSlices(array!.chunks));
          await untilAborted(this.wanted, signal);
        },
      })
      .finally(() => keys.delete(key));
    return outcome.kind === 'saved';
  }
}
