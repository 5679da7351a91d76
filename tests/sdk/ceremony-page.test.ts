import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFolder } from '../../scripts/lib/static-server.mjs';
import type * as Ceremony from '../../sdk/ceremony.js';
import { firstKey } from '../ceremony/first-key.js';
import { MAKING_TIMEOUT } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { root } from '../support/root.js';
import { sharedBrowser } from '../support/shared-browser.js';

/** The built entry in headless Chromium, without a bundler and under a strict policy. */

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

let browser: Awaited<ReturnType<typeof sharedBrowser>>;
let server: Awaited<ReturnType<typeof serveFolder>>;
let site: string;
let first: Awaited<ReturnType<typeof firstKey>>;

beforeAll(async () => {
  first = await firstKey('bn254');
  site = await mkdtemp(join(tmpdir(), 'pippin-ceremony-page-'));
  await writeFile(
    join(site, 'index.html'),
    '<!doctype html><script src="./load.js"></script><title>A ceremony</title>',
  );
  // In a string, because Vitest replaces `import()` in code.
  await writeFile(join(site, 'load.js'), 'globalThis.load = (script) => import(script);');
  await writeFile(join(site, 'first.zkey'), first.zkey);
  const { files } = JSON.parse(await readFile(join(root, 'dist', 'assets.json'), 'utf8'));
  for (const file of files) await cp(join(root, 'dist', file), join(site, 'pippin', file));
  server = await serveFolder(site, { headers: { 'Content-Security-Policy': POLICY } });
  browser = await sharedBrowser();
}, MAKING_TIMEOUT);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await rm(site, { recursive: true, force: true });
  await endSnarkjs();
});

interface PageGlobals {
  load(script: string): Promise<typeof Ceremony>;
}

test('a page contributes to a key by URL, and snarkjs verifies the Blob that it gets', async () => {
  const page = await browser.context.newPage();
  await page.goto(server.url);
  const { bytes, hash, report, stopped } = await page.evaluate(async () => {
    const { contribute, verifyContributions } = await (globalThis as unknown as PageGlobals).load(
      '/pippin/ceremony.js',
    );
    const { zkey, hash } = await contribute('first.zkey', { name: 'a page', entropy: 'text', threads: 2 });
    const signal = AbortSignal.abort();
    const stopped = await contribute('first.zkey', { signal }).catch(({ code }: { code: string }) => code);
    const report = await verifyContributions(zkey!, { first: 'first.zkey', threads: 1 });
    return { bytes: [...new Uint8Array(await zkey!.arrayBuffer())], hash, report, stopped };
  });
  await page.close();
  expect(report).toMatchObject({ isValid: true, contributions: [{ name: 'a page', hash }] });
  expect(stopped).toBe('ABORTED');
  const quiet = { info: () => {}, debug: () => {}, error: () => {} };
  expect(await snarkjs.zKey.verifyFromInit(first.zkey, first.ptau, Uint8Array.from(bytes), quiet)).toBe(true);
});

test('scripts that only prove load nothing of it', async () => {
  const dist = join(root, 'dist');
  const { files } = JSON.parse(await readFile(join(dist, 'assets.json'), 'utf8')) as { files: string[] };
  const loaded = new Set(['index.js', 'coordinator.js', 'kernel.js', 'witness.js']);
  // A set gives what is added while it is gone through, too.
  for (const file of loaded) {
    const code = await readFile(join(dist, file), 'utf8');
    for (const name of files) if (name.endsWith('.js') && code.includes(`from"./${name}"`)) loaded.add(name);
  }
  expect(loaded.size).toBeGreaterThan(5);
  for (const file of loaded) {
    expect(file).not.toMatch(/ceremony|scale-points/);
    expect(await readFile(join(dist, file), 'utf8')).not.toContain('transcript of what was before it');
  }
});
