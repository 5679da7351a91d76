import type { ChunkStore } from './chunk-store.js';
import { decodeManifest } from './manifest.js';
import { manifestName, PART } from './record-key.js';

/** The end of the name of the chunk with the time of a record's last use. */
const USED = `${PART}used`;

/** A record in the store. */
interface Kept {
  readonly key: string;
  readonly bytes: number;
  /** When it was last used; 0 if that is not known. */
  readonly used: number;
}

/** Bounds the bytes of the records in a store: the least recently used (LRU) make room for others. */
export class StorageBudget {
  private saving: Promise<unknown> = Promise.resolve();
  private lastTime = 0;

  /**
   * @param bytes the most that all records may take, without their manifests.
   * @param remove deletes a record.
   */
  constructor(
    private readonly store: ChunkStore,
    readonly bytes: number,
    private readonly remove: (key: string) => Promise<void>,
  ) {}

  /** Notes that a record is used now. */
  async touch(key: string): Promise<void> {
    // Two uses in one millisecond keep their order.
    this.lastTime = Math.max(this.lastTime + 1, Date.now());
    await this.store.set(`${key}${USED}`, new Uint8Array(Float64Array.of(this.lastTime).buffer));
  }

  /**
   * Makes room for a record of so many bytes, then saves it, one record after another. False, and nothing is done, if
   * it has more bytes than the budget.
   */
  async save(key: string, bytes: number, save: () => Promise<void>): Promise<boolean> {
    if (bytes > this.bytes) return false;
    const saved = this.saving.then(async () => {
      await this.makeRoom(key, bytes);
      await save();
      await this.touch(key);
    });
    this.saving = saved.catch(() => undefined);
    await saved;
    return true;
  }

  private async makeRoom(key: string, bytes: number): Promise<void> {
    // Records of facts alone, such as the performance map, would make no room.
    const kept = (await this.records()).filter((record) => record.key !== key && record.bytes > 0);
    let total = bytes + kept.reduce((sum, record) => sum + record.bytes, 0);
    for (const record of kept.sort((a, b) => a.used - b.used)) {
      if (total <= this.bytes) return;
      await this.remove(record.key);
      total -= record.bytes;
    }
  }

  private async records(): Promise<Kept[]> {
    const names = await this.store.keys();
    const end = manifestName('');
    const keys = names.filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length));
    return Promise.all(
      keys.map(async (key) => ({ key, bytes: await this.bytesOf(key), used: await this.lastUse(key) })),
    );
  }

  /** The bytes of a record's arrays; none if its manifest is damaged. */
  private async bytesOf(key: string): Promise<number> {
    const bytes = await this.store.get(manifestName(key));
    const manifest = bytes === undefined ? '' : await decodeManifest(bytes, key);
    return typeof manifest === 'string' ? 0 : manifest.arrays.reduce((sum, { length }) => sum + length, 0);
  }

  private async lastUse(key: string): Promise<number> {
    const bytes = await this.store.get(`${key}${USED}`);
    return bytes?.length === 8 ? new Float64Array(bytes.slice().buffer)[0]! : 0;
  }
}
