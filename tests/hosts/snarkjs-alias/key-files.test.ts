import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BinarySource } from '../../../sdk/api/index.js';
import type { AliasPlatform } from '../../../sdk/hosts/snarkjs-alias/context.js';
import { KeyFiles } from '../../../sdk/hosts/snarkjs-alias/key-files.js';

let server: Server;
let url: URL;
/** The file that the server has, and its ETag. */
let file: { text: string; etag: string | undefined };
/** Whether the server leaves its answers without an end, so that who reads them waits for ever. */
let isEndless: boolean;
let requests: IncomingHttpHeaders[];
beforeEach(async () => {
  file = { text: 'a key', etag: '"one"' };
  isEndless = false;
  requests = [];
  server = createServer(({ headers }, response) => {
    requests.push(headers);
    const { text, etag } = file;
    response.writeHead(200, { 'content-length': text.length, ...(etag === undefined ? {} : { etag }) });
    if (isEndless) response.write(text.slice(1));
    else response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/c.zkey`);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Keys that are loaded, and files that know of them. A string is a path. */
function keyFiles() {
  const loaded = new Set<string>();
  let version = 1;
  const platform = {
    describeLocation: (place: string | URL) =>
      typeof place === 'string' ? { kind: 'path', path: place } : { kind: 'url', url: place.href },
    fileVersion: async () => ({ bytes: 5, version: `version ${version}` }),
  } as unknown as AliasPlatform;
  const files = new KeyFiles(platform, (identity) => loaded.has(identity));
  return { files, loaded, write: () => void version++ };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const contentsOf = async (open: () => Promise<BinarySource>): Promise<Uint8Array> =>
  new Uint8Array(await new Blob([(await open()) as Blob]).arrayBuffer());
const mismatch = { code: 'KEY_MISMATCH', hint: expect.stringContaining('when the call has ended') };

describe('a key in memory', () => {
  it('is known by its contents, whatever holds them', async () => {
    const { files } = keyFiles();
    const bytes = bytesOf('a key');
    const found = await files.find(bytes);
    expect(found.bytes).toBe(5);
    for (const same of [bytes.slice(), bytes.slice().buffer, new Blob([bytes.slice()])]) {
      expect(await files.find(same)).toMatchObject({ identity: found.identity, bytes: 5 });
    }
    expect((await files.find(bytesOf('b key'))).identity).not.toBe(found.identity);
  });

  it('is loaded from a copy each time, since the bytes may be moved away', async () => {
    const { files } = keyFiles();
    const bytes = bytesOf('a key');
    const { open } = await files.find(bytes);
    const opened = [await open(), await open()] as Uint8Array[];
    for (const each of opened) {
      expect(each).toEqual(bytes);
      expect(each.buffer).not.toBe(bytes.buffer);
    }
    expect(opened[0]!.buffer).not.toBe(opened[1]!.buffer);
  });

  it('is refused if it has become another before it is loaded', async () => {
    const { files } = keyFiles();
    const bytes = bytesOf('a key');
    const { open } = await files.find(bytes);
    bytes.set(bytesOf('b key'));
    await expect(open()).rejects.toMatchObject(mismatch);
  });
});

describe('a key by its path', () => {
  it('is known by the time of its last change', async () => {
    const { files, write } = keyFiles();
    const { identity, bytes, open } = await files.find('c.zkey');
    expect({ bytes, source: await open() }).toEqual({ bytes: 5, source: 'c.zkey' });
    expect((await files.find('c.zkey')).identity).toBe(identity);
    write();
    expect((await files.find('c.zkey')).identity).not.toBe(identity);
  });
});

describe('a key at a URL', () => {
  it('is known by its contents, and fetched once for a call that loads it', async () => {
    const { files } = keyFiles();
    const { identity, bytes, open } = await files.find(url);
    expect({ identity, bytes }).toMatchObject({ identity: (await files.find(bytesOf('a key'))).identity, bytes: 5 });
    expect(await contentsOf(open)).toEqual(bytesOf('a key'));
    expect(requests).toHaveLength(1);
  });

  it('is not read again while it is loaded and the server has no other', async () => {
    const { files, loaded } = keyFiles();
    const first = await files.find(url);
    loaded.add(first.identity);
    isEndless = true;
    expect(await files.find(url)).toMatchObject({ identity: first.identity, bytes: 5 });
    // Neither request leads past the browser's HTTP cache.
    for (const headers of requests) {
      expect(headers).not.toHaveProperty('if-none-match');
      expect(headers).not.toHaveProperty('cache-control');
    }
    expect(requests).toHaveLength(2);
  });

  it.each([['a strong ETag', '"two"', 'b key'] as const, ['no ETag', undefined, 'b key'] as const])(
    'is read again if the server has another, told by %s',
    async (_, etag, text) => {
      const { files, loaded } = keyFiles();
      file.etag = etag === undefined ? undefined : '"one"';
      const first = await files.find(url);
      loaded.add(first.identity);
      file = { text, etag };
      const second = await files.find(url);
      expect(second.identity).not.toBe(first.identity);
      expect(await contentsOf(second.open)).toEqual(bytesOf(text));
    },
  );

  it('is read again when its key is no longer loaded', async () => {
    const { files, loaded } = keyFiles();
    const { identity } = await files.find(url);
    loaded.add(identity);
    await files.find(url);
    loaded.clear();
    expect(await contentsOf((await files.find(url)).open)).toEqual(bytesOf('a key'));
    expect(requests).toHaveLength(3);
  });

  it('is fetched if its key goes between the answer and its use, and refused if it is another then', async () => {
    const { files, loaded } = keyFiles();
    loaded.add((await files.find(url)).identity);
    const { open } = await files.find(url);
    expect(await contentsOf(open)).toEqual(bytesOf('a key'));
    file = { text: 'b key', etag: '"two"' };
    await expect(open()).rejects.toMatchObject(mismatch);
  });
});
