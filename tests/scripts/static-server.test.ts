import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFolder } from '../../scripts/lib/static-server.mjs';

let folder: string;
const servers: Awaited<ReturnType<typeof serveFolder>>[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-server-'));
  await writeFile(join(folder, 'key.bin'), '0123456789');
  await writeFile(join(folder, 'empty.bin'), '');
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await rm(folder, { recursive: true });
});

/** A function that asks a server of the folder for a file. */
async function asking(options: { versioned: boolean }) {
  const server = await serveFolder(folder, options);
  servers.push(server);
  return (name: string, init: RequestInit = {}) => fetch(`${server.url}${name}`, init);
}

describe('a folder that is served with versions', () => {
  it('gives ranges of a file, and the whole file for a range that it does not have', async () => {
    const ask = await asking({ versioned: true });
    const range = (bytes: string) => ask('key.bin', { headers: { range: `bytes=${bytes}` } });
    const part = await range('2-4');
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await (await range('8-99')).text()).toBe('89');
    for (const bytes of ['10-12', '4-2', '-3', 'x']) {
      const whole = await range(bytes);
      expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    }
    expect(await (await ask('empty.bin')).text()).toBe('');
  });

  it('sends nothing of the version that the client has', async () => {
    const ask = await asking({ versioned: true });
    const etag = (await ask('key.bin', { method: 'HEAD' })).headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await ask('key.bin', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await ask('key.bin', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});

it('a folder that is served without versions gives whole files alone', async () => {
  const ask = await asking({ versioned: false });
  const answer = await ask('key.bin', { headers: { range: 'bytes=2-4' } });
  expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([200, '0123456789', null]);
  expect(await (await ask('empty.bin')).text()).toBe('');
});
