import type { KeptFiles } from './kept-files.js';
import { type CeremonyRecord, recordOf } from './record.js';

/** What the page keeps of a visit, so that it can be gone on with after a reload. */
export class Visit {
  constructor(readonly files: KeptFiles) {}

  /** What was remembered; undefined if there is nothing, or nothing that can be read. */
  async record(): Promise<CeremonyRecord | undefined> {
    try {
      return recordOf((await (await this.files.read('record.json'))?.text()) ?? '');
    } catch {
      return undefined;
    }
  }

  /** Nothing depends on it but what the page shows after a reload. */
  async remember(record: CeremonyRecord): Promise<void> {
    await this.files.put('record.json', new Blob([JSON.stringify(record)])).catch(() => undefined);
  }

  /**
   * Keeps a copy of the opened key, from which the contribution is then computed: the file itself may be moved
   * meanwhile. Undefined if there is no room for it.
   */
  async keepOpened(file: File): Promise<Blob | undefined> {
    try {
      await this.files.put('opened.zkey', file);
      await this.remember({ stage: 'opened', fileName: file.name, name: '' });
      return await this.files.read('opened.zkey');
    } catch {
      await this.forget();
      return undefined;
    }
  }

  /** The key that was opened before a reload, if it is there. What was written of a new key is deleted. */
  async openedKey(): Promise<Blob | undefined> {
    await this.forgetFile('new.zkey');
    return this.files.read('opened.zkey').catch(() => undefined);
  }

  async forgetFile(name: 'opened.zkey' | 'new.zkey' | 'record.json'): Promise<void> {
    await this.files.delete(name).catch(() => undefined);
  }

  /** Deletes all of it. */
  async forget(): Promise<void> {
    for (const name of ['record.json', 'opened.zkey', 'new.zkey'] as const) await this.forgetFile(name);
  }
}
