import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesAt, locateFile, readChecked } from '../../farm/src/circuits/circuit-file.js';

const bytes = Uint8Array.of(1, 2, 3);
const sha256 = createHash('sha256').update(bytes).digest('hex');

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/file' || request.method === 'HEAD') return void response.end(bytes);
    response.writeHead(200);
    const send = (): void => void (response.destroyed || response.write(new Uint8Array(2 ** 20), send));
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
});

it('a small file at a URL is read, and one without end is broken off', async () => {
  expect(await readChecked({ source: `${url}/file`, sha256 }, 'key', '.')).toEqual(bytes);
  await expect(readChecked({ source: `${url}/endless`, sha256 }, 'key', '.')).rejects.toMatchObject({
    code: 'IO_FAILED',
    cause: { code: 'DOWNLOAD_TOO_LARGE' },
  });
});

it('the bound of a download goes on to the workers', async () => {
  const file = { source: `${url}/file`, sha256, maxBytes: 100 };
  expect(await locateFile(file, 'zkey', '.')).toMatchObject(file);
  await expect(locateFile({ ...file, maxBytes: 0 }, 'zkey', '.')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('parts of a file are read, by range from a URL, and nothing where there is none', async () => {
  const part = (path: string, at: number, count: number) =>
    bytesAt({ source: url + path, sha256, bytes: undefined }, 'key', at, count);
  expect(await part('/file', 0, 2)).toEqual(bytes.subarray(0, 2));
  // This server does not know ranges.
  expect(await part('/file', 1, 2)).toHaveLength(0);
  expect(await part('/endless', 0, 5)).toHaveLength(5);
  expect(await bytesAt({ source: `${url}0`, sha256, bytes: undefined }, 'key', 0, 2)).toHaveLength(0);
});
