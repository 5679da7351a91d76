import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Downloads } from '../../sdk/files/downloads.js';
import { fetchFile } from '../../sdk/files/url-source.js';

const MIB = 2 ** 20;
/** What the server sends by `/bomb`, decompressed, to those who read on. */
const BOMB_BYTES = 512 * MIB;

let server: Server;
let url: string;
/** Decompressed bytes that were handed to the compression of the last bomb, when its connection has ended. */
let bombed: Promise<number>;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/announced') response.writeHead(200, { 'content-length': BOMB_BYTES }).flushHeaders();
    if (request.url === '/ten') response.end(new Uint8Array(10));
    if (request.url === '/endless') {
      response.writeHead(200);
      const send = (): void => void (response.destroyed || response.write(new Uint8Array(MIB), send));
      send();
    }
    if (request.url === '/bomb') {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      let sent = 0;
      let isOver = false;
      const send = (): void => {
        if (isOver || sent >= BOMB_BYTES) gzip.end();
        else gzip.write(new Uint8Array(MIB), send);
        sent += MIB;
      };
      bombed = once(response, 'close').then(() => {
        isOver = true;
        return sent;
      });
      send();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const tooLarge = (maxBytes: number) => ({
  code: 'DOWNLOAD_TOO_LARGE',
  message: `expected a download of at most ${maxBytes} bytes, got more`,
  hint: expect.stringContaining('maxBytes'),
});
const load = (path: string, downloads: Downloads) => fetchFile(`${url}/${path}`, { onBytes: downloads.add() });

it('a download that decompresses to more than the bound is broken off when the bound is reached', async () => {
  const downloads = new Downloads(4 * MIB);
  await expect(load('bomb', downloads)).rejects.toMatchObject(tooLarge(4 * MIB));
  // Streams on the way hold some of it.
  expect(await bombed).toBeLessThan(BOMB_BYTES / 2);
});

it('a download without end, and without a length, is broken off', async () => {
  await expect(load('endless', new Downloads(3 * MIB))).rejects.toMatchObject(tooLarge(3 * MIB));
});

it('a file that announces more than the bound is refused before its bytes come', async () => {
  await expect(load('announced', new Downloads(BOMB_BYTES - 1))).rejects.toMatchObject(tooLarge(BOMB_BYTES - 1));
});

it('the files of one call count together, and the bound itself is allowed', async () => {
  const downloads = new Downloads(20);
  for (let i = 0; i < 2; i++) expect((await load('ten', downloads)).source.size).toBe(10);
  await expect(load('ten', downloads)).rejects.toMatchObject(tooLarge(20));
  await expect(load('ten', new Downloads(9))).rejects.toMatchObject(tooLarge(9));
});
