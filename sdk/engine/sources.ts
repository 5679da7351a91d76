import { LoadedSource } from '../cache/loaded-source.js';
import { PippinError } from '../errors.js';
import { type ByteSource, blobSource, type ClosableSource, memorySource } from '../io/byte-source.js';
import { urlSource } from '../io/url-source.js';
import { joinZkeyChunks } from '../snarkjs/zkey-chunks.js';
import { freeMemory, wipe } from '../transport/free-memory.js';
import type { SourceDescription } from './engine-api.js';
import type { EnginePlatform } from './platform.js';

/** Opens what callers describe, and knows what is open. */
export class Sources {
  private readonly opened = new Set<LoadedSource>();
  private disposed = false;

  constructor(private readonly platform: Pick<EnginePlatform, 'openFile'>) {}

  /**
   * Opens what the caller described; who has opened it closes it. `IO_FAILED` when it cannot be read; chunks fail as `joinZkeyChunks` does.
   */
  async open(description: SourceDescription, signal: AbortSignal): Promise<LoadedSource> {
    const files: ClosableSource[] = [];
    const closeFiles = async (): Promise<void> => {
      await Promise.all(files.map((file) => file.close()));
    };
    try {
      const source = await this.openParts(description, signal, files);
      if (this.disposed) throw new PippinError('DISPOSED', 'expected a running prover, got one that was disposed');
      const loaded = new LoadedSource(source, () => {
        this.opened.delete(loaded);
        return closeFiles();
      });
      this.opened.add(loaded);
      return loaded;
    } catch (error) {
      await closeFiles();
      throw error;
    }
  }

  /** Reads what the caller described, closes it, and overwrites and frees it if it is bytes, which may be a witness. */
  async readOnce<T>(
    description: SourceDescription,
    signal: AbortSignal,
    read: (source: ByteSource) => Promise<T>,
  ): Promise<T> {
    try {
      const source = await this.open(description, signal);
      try {
        return await read(source);
      } finally {
        await source.close();
      }
    } finally {
      if (description.kind === 'bytes') {
        wipe(description.bytes);
        freeMemory(description.bytes);
      }
    }
  }

  /** Closes all of them. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.opened].map((source) => source.close()));
  }

  /** @param files gets the files that are opened for it. */
  private async openParts(
    description: SourceDescription,
    signal: AbortSignal,
    files: ClosableSource[],
  ): Promise<ByteSource> {
    switch (description.kind) {
      case 'bytes':
        return memorySource(description.bytes);
      case 'blob':
        return blobSource(description.blob);
      case 'url':
        return urlSource(description.url, signal);
      case 'path':
        return this.openFile(description.path, files);
      case 'chunks': {
        const opening = description.chunks.map((chunk) => this.openParts(chunk, signal, files));
        // After a failure, too, all of them are waited for, so that `files` names those to close.
        await Promise.allSettled(opening);
        return joinZkeyChunks(await Promise.all(opening));
      }
    }
  }

  private async openFile(path: string, files: ClosableSource[]): Promise<ByteSource> {
    if (this.platform.openFile === undefined) {
      throw new PippinError('INVALID_ARGUMENT', `expected a URL or bytes, got the path ${path}`);
    }
    const file = await this.platform.openFile(path);
    files.push(file);
    return file;
  }
}
