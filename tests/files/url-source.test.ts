import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchFileUnlessKept } from '../../sdk/engine/sources/download-cache.js';
import { fetchFile } from '../../sdk/files/url-source.js';
import { isSameVersion, strongEtag, type UrlVersion } from '../../sdk/files/url-version.js';

let server: Server;
let url: string;
let closed: Promise<void>;
/** What the server gets as If-None-Match, request by request. */
let conditions: (string | undefined)[];
let etagOf304: string | undefined;
beforeEach(async () => {
  conditions = [];
  etagOf304 = undefined;
  closed = new Promise((resolve) => {
    server = createServer((request, response) => {
      conditions.push(request.headers['if-none-match']);
      if (etagOf304 !== undefined && request.headers['if-none-match'] !== undefined) {
        response.writeHead(304, { etag: etagOf304 }).end();
        return;
      }
      response.on('close', resolve);
      // The body has an end only for those who read it.
      response.writeHead(200, { etag: '"one"', 'content-length': '3' }).write('ab');
      if (request.url === '/whole') response.end('c');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const onBytes = (): void => undefined;

const sameAs = (etag: string) => async (version: UrlVersion) => isSameVersion({ url: version.url, etag }, version);

describe('fetchFileUnlessKept', () => {
  it('breaks off an answer whose headers say that the file is kept', async () => {
    expect(await fetchFileUnlessKept(url, sameAs('"one"'), '"one"', { onBytes })).toBeUndefined();
    await closed;
    expect(conditions).toEqual(['"one"']);
  });

  it('takes the word of a server that has nothing new', async () => {
    etagOf304 = '"one"';
    expect(await fetchFileUnlessKept(url, sameAs('"one"'), '"one"', { onBytes })).toBeUndefined();
    expect(conditions).toEqual(['"one"']);
  });

  it('asks without the ETag when a server compares it as a weak one', async () => {
    etagOf304 = 'W/"one"';
    expect(await fetchFileUnlessKept(url, sameAs('"one"'), '"one"', { onBytes })).toBeUndefined();
    expect(conditions).toEqual(['"one"', undefined]);
  });

  it('gives the file if it is another one', async () => {
    const file = await fetchFileUnlessKept(`${url}whole`, sameAs('"two"'), undefined, { onBytes });
    expect(file).toMatchObject({ source: { size: 3 }, version: { etag: '"one"' } });
    expect(conditions).toEqual([undefined]);
  });
});

it('an ETag is sent only if it is strong, and can be sent', () => {
  expect(strongEtag({ etag: '"a-1"' })).toBe('"a-1"');
  for (const etag of ['W/"a"', '""', 'a', '"a\n"', '"\u0100"', 1, undefined])
    expect(strongEtag({ etag })).toBeUndefined();
  for (const version of [undefined, null, 1, 'x']) expect(strongEtag(version)).toBeUndefined();
});

describe('the error of a URL with secrets', () => {
  it.each([
    ['a status', (at: string) => `${at}none?token=SECRET`],
    ['no answer', () => 'http://127.0.0.1:1/key.zkey?token=SECRET'],
    [
      'userinfo, which fetch refuses with the whole URL in its words',
      (at: string) => at.replace('//', '//SECRET:SECRET@'),
    ],
  ])('names the file alone: %s', async (_, place) => {
    server.removeAllListeners('request').on('request', (__, response) => response.writeHead(404).end());
    const error = await fetchFile(place(url), { onBytes }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'IO_FAILED', message: expect.stringMatching(/http:\/\/127\.0\.0\.1:\d+\//) });
    expect((error as Error).message).not.toContain('SECRET');
  });
});
