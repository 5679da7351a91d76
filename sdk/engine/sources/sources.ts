import { PippinError } from '../../base/errors.js';
import { wipeAndFree } from '../../base/free-memory.js';
import { laterPart } from '../../base/load-part.js';
import { ownMembers } from '../../base/records.js';
import {
  type ByteSource,
  blobSource,
  type ClosableSource,
  memorySource,
  type ServedBlob,
  type SourceDescription,
} from '../../files/byte-source.js';
import { LoadedSource } from '../../files/cache/loaded-source.js';
import type { Downloads } from '../../files/downloads.js';
import { fetchFile } from '../../files/url-source.js';
import type { EnginePlatform } from '../platform.js';

/** The code of keys in chunks, and of packed ones. `IO_FAILED` if its script cannot be loaded. */
export const loadKeyForms = laterPart('keys in chunks, or packed', () => import('./key-forms.js'));

/** What a URL gave. */
export interface OpenedUrl {
  /** Closing it, where it can be closed, ends its download. */
  readonly source: ByteSource & Partial<ClosableSource>;
  /** Settled when all of it is there; left out where it is. */
  readonly whole?: Promise<unknown>;
  /** Its hash, where the cache knows it, or computes it; see `LoadedSource`. */
  readonly hash?: string | Promise<string | undefined>;
  /** The key of the cache's record that it was read from. */
  readonly record?: string | undefined;
}

/** Opens a URL. */
export type OpenUrl = (url: string) => Promise<OpenedUrl>;

/** Opens URLs by downloading them. */
export function downloading(downloads: Downloads, signal: AbortSignal): OpenUrl {
  return (url) => fetchFile(url, { signal, onBytes: downloads.add() });
}

/** Opens what callers describe, and knows what is open. */
export class Sources {
  private readonly opened = new Set<LoadedSource>();
  private disposed = false;

  constructor(private readonly platform: Pick<EnginePlatform, 'openFile'>) {}

  /**
   * Opens what the caller described; who has opened it closes it. `IO_FAILED` when it cannot be read; chunks fail as
   * `joinZkeyChunks` does.
   */
  async open(description: SourceDescription, openUrl: OpenUrl): Promise<LoadedSource> {
    const files: Pick<ClosableSource, 'close'>[] = [];
    const records: string[] = [];
    const arriving: Promise<unknown>[] = [];
    const closeFiles = async (): Promise<void> => {
      await Promise.all(files.map((file) => file.close()));
    };
    const openAndNote: OpenUrl = async (url) => {
      const opened = await openUrl(url);
      const { source, record, whole } = opened;
      if (record !== undefined) records.push(record);
      if (whole !== undefined) arriving.push(whole);
      files.push({ close: async () => source.close?.() });
      return opened;
    };
    try {
      const { source, hash } = await this.openParts(description, files, openAndNote);
      const whole = Promise.allSettled(arriving);
      return this.adopt({ source, whole, ...(hash === undefined ? {} : { hash }) }, records, closeFiles);
    } catch (error) {
      await closeFiles();
      throw error;
    }
  }

  /**
   * What was opened elsewhere, as something that is open here.
   *
   * @param records the keys of the cache's records that it was read from.
   * @param close called once, when nothing is read any more.
   */
  adopt(opened: OpenedUrl, records: readonly string[], close = async (): Promise<void> => undefined): LoadedSource {
    if (this.disposed) throw new PippinError('DISPOSED', 'expected a running prover, got one that was disposed');
    // Of a hash that was found out, and of none that another script pretends to know.
    const { source, hash, whole } = ownMembers(opened);
    const letGo = (): Promise<void> => {
      this.opened.delete(loaded);
      return close();
    };
    const loaded = new LoadedSource(source, letGo, hash, records, whole);
    this.opened.add(loaded);
    return loaded;
  }

  /** Reads what the caller described, closes it, and overwrites and frees it if it is bytes, which may be a witness. */
  async readOnce<T>(
    description: SourceDescription,
    openUrl: OpenUrl,
    read: (source: ByteSource) => Promise<T>,
  ): Promise<T> {
    try {
      const source = await this.open(description, openUrl);
      try {
        return await read(source);
      } finally {
        await source.close();
      }
    } finally {
      if (description.kind === 'bytes') wipeAndFree(description.bytes);
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
    files: Pick<ClosableSource, 'close'>[],
    openUrl: OpenUrl,
  ): Promise<Omit<OpenedUrl, 'record'>> {
    switch (description.kind) {
      case 'bytes':
        return { source: memorySource(description.bytes) };
      case 'blob':
        return { source: blobSource(description.blob) };
      case 'url': {
        const opened = await openUrl(description.url);
        opened.source.name = description.name;
        return opened;
      }
      case 'path':
        return { source: await this.openFile(description.path, files) };
      case 'served':
        return { source: await this.openFile(description.blob, files) };
      case 'chunks': {
        const opening = description.chunks.map((chunk) => this.openParts(chunk, files, openUrl));
        // After a failure, too, all of them are waited for, so that `files` names those to close.
        await Promise.allSettled(opening);
        const { joinZkeyChunks } = await loadKeyForms();
        return { source: await joinZkeyChunks((await Promise.all(opening)).map(({ source }) => source)) };
      }
    }
  }

  private async openFile(place: string | ServedBlob, files: Pick<ClosableSource, 'close'>[]): Promise<ByteSource> {
    if (this.platform.openFile === undefined) {
      throw new PippinError('INVALID_ARGUMENT', `expected a URL or bytes, got the path ${place}`);
    }
    const file = await this.platform.openFile(place);
    files.push(file);
    return file;
  }
}
