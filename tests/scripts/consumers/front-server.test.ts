import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveStrictly } from '../../../scripts/consumers/front-server.mjs';
import { serveFolder } from '../../../scripts/lib/static-server.mjs';

const PAGE = '<script type="importmap">{}</script><script type="module" src="./main.js"></script>';
/** SHA-256 of `{}` in Base64. */
const HASH_OF_MAP = "'sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-front-'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'main.js'), 'export {};');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(['a folder', 'another server'])(
  'serves %s under the strict policy and counts what the page downloads',
  async (what) => {
    const other = await serveFolder(folder);
    const source = what === 'a folder' ? { folder } : { port: Number(new URL(other.url).port) };
    const front = await serveStrictly(source, folder);
    try {
      const page = await fetch(front.url);
      expect(await page.text()).toBe(PAGE);
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toMatch(
        new RegExp(`script-src 'self' 'wasm-unsafe-eval' ${HASH_OF_MAP.replaceAll(/[+]/g, '\\+')}$`),
      );
      const script = await fetch(new URL('main.js', front.url));
      expect(script.headers.get('content-type')).toContain('text/javascript');
      expect(script.headers.get('content-security-policy')).toMatch(/'wasm-unsafe-eval'$/);
      await fetch(new URL('main.js', front.url));
      // The key's files are not the page's.
      expect(await (await fetch(new URL('key/main.js', front.url))).text()).toBe('export {};');
      expect(front.downloaded()).toBe(gzipSync(PAGE).length + gzipSync('export {};').length);
      expect((await fetch(new URL('missing.js', front.url))).status).toBe(404);
    } finally {
      front.close();
      await other.close();
    }
  },
);
