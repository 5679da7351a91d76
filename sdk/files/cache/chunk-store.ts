/** Bytes by name, kept on this device between visits. Every method rejects with whatever the storage beneath says. */
export interface ChunkStore {
  /** The chunk in a buffer of its own, the reader's to keep; undefined when there is none of this name. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Keeps a copy of the bytes, all of them or none, in place of what had this name. */
  set(key: string, bytes: Uint8Array): Promise<void>;
  /** Forgets a chunk. One that does not exist is no error. */
  delete(key: string): Promise<void>;
  keys(): Promise<string[]>;
}
