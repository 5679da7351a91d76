import type { ChunkStore } from '../../sdk/files/cache/chunk-store.js';

/** A store in memory. Tests can look at its chunks and make its operations fail. */
export class FaultyStore implements ChunkStore {
  readonly chunks = new Map<string, Uint8Array>();
  /** Names in the order in which they were written. */
  readonly written: string[] = [];
  /** Called before every operation. If it throws, the operation rejects with that error. */
  fault: (operation: keyof ChunkStore, key: string | undefined) => void = () => undefined;

  async get(key: string): Promise<Uint8Array | undefined> {
    this.fault('get', key);
    return this.chunks.get(key)?.slice();
  }

  async set(key: string, bytes: Uint8Array): Promise<void> {
    this.fault('set', key);
    this.chunks.set(key, bytes.slice());
    this.written.push(key);
  }

  async delete(key: string): Promise<void> {
    this.fault('delete', key);
    this.chunks.delete(key);
  }

  async keys(): Promise<string[]> {
    this.fault('keys', undefined);
    return [...this.chunks.keys()];
  }
}
