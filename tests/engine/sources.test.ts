import { beforeEach, describe, expect, it } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';
import { Sources } from '../../sdk/engine/sources/sources.js';
import type { SourceDescription } from '../../sdk/files/byte-source.js';
import { memorySource } from '../../sdk/files/byte-source.js';

const noUrl = (): Promise<never> => Promise.reject(new Error());
const bytes = Uint8Array.of(1, 2, 3);

/** The paths of the files that are open. */
let open: string[];
let sources: Sources;
beforeEach(() => {
  open = [];
  sources = new Sources({
    openFile: async (place) => {
      const path = String(place);
      if (path === 'missing') throw new PippinError('IO_FAILED', `expected to read the file ${path}`);
      open.push(path);
      return {
        ...memorySource(bytes),
        close: async () => {
          open.splice(open.indexOf(path), 1);
        },
      };
    },
  });
});

const file = (path: string): SourceDescription => ({ kind: 'path', path });

describe('Sources', () => {
  it('are open until they are closed', async () => {
    const [one, two] = [await sources.open(file('one'), noUrl), await sources.open(file('two'), noUrl)];
    expect(await one.read(1, 2)).toEqual(Uint8Array.of(2, 3));
    await one.close();
    expect(open).toEqual(['two']);
    expect(await two.read(0, 1)).toEqual(Uint8Array.of(1));
    await sources.dispose();
    expect(open).toEqual([]);
    await expect(two.read(0, 1)).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('close all chunks of a key of which one is missing or is none', async () => {
    const chunks = (...paths: string[]): SourceDescription => ({ kind: 'chunks', chunks: paths.map(file) });
    await expect(sources.open(chunks('one', 'missing', 'two'), noUrl)).rejects.toMatchObject({ code: 'IO_FAILED' });
    expect(open).toEqual([]);
    await expect(sources.open(chunks('one', 'two'), noUrl)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    expect(open).toEqual([]);
  });

  it('have the name of their URL', async () => {
    const openUrl = async () => ({ source: memorySource(bytes) });
    const named = await sources.open({ kind: 'url', url: 'https://x/k.zkey', name: 'k.zkey' }, openUrl);
    expect(named.source.name).toBe('k.zkey');
    expect((await sources.open({ kind: 'url', url: 'https://x/k.zkey' }, openUrl)).source.name).toBeUndefined();
  });

  it('are closed when they have been read once, or could not be', async () => {
    expect(await sources.readOnce(file('one'), noUrl, (source) => source.read(0, 1))).toEqual(Uint8Array.of(1));
    const failing = sources.readOnce(file('two'), noUrl, (source) => source.read(0, 9));
    await expect(failing).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    expect(open).toEqual([]);
  });

  it('are not opened any more after dispose', async () => {
    const opening = sources.open(file('one'), noUrl);
    await sources.dispose();
    await expect(opening).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(open).toEqual([]);
  });

  it('have no paths where there are none', async () => {
    const inPage = new Sources({ openFile: undefined });
    await expect(inPage.open(file('one'), noUrl)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
