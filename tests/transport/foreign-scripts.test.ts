import { resolveObjectURL } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isForeignScript, startUrl } from '../../sdk/transport/script-urls.js';
import { startGivenWorker } from '../../sdk/transport/trusted-scripts.js';

const CDN = 'https://cdn.example/kernel.js';

beforeEach(() => vi.stubGlobal('location', new URL('https://wallet.example/page/')));
afterEach(() => vi.unstubAllGlobals());

/** The text that a start script's URL stands for. */
const codeAt = (url: string): Promise<string> | undefined => resolveObjectURL(url.replace(/#.*/, ''))?.text();

describe('isForeignScript', () => {
  it.each([
    ['another host', CDN],
    ['another port', 'https://wallet.example:8443/kernel.js'],
    ['another scheme', 'http://wallet.example/kernel.js'],
  ])('is true for %s', (_, url) => expect(isForeignScript(url)).toBe(true));

  it.each([
    ['the same origin', 'https://wallet.example/pippin/kernel.js'],
    ['a Blob', 'blob:https://cdn.example/1'],
    ['a data URL', 'data:text/javascript,1'],
    ['an extension', 'chrome-extension://abc/kernel.js'],
    ['a file', 'file:///kernel.js'],
    ['a relative URL', '/kernel.js'],
  ])('is false for %s', (_, url) => expect(isForeignScript(url)).toBe(false));

  it('is true in a page that is a file, and false where there is no location', () => {
    vi.stubGlobal('location', new URL('file:///wallet.html'));
    expect(isForeignScript(CDN)).toBe(true);
    vi.stubGlobal('location', undefined);
    expect(isForeignScript(CDN)).toBe(false);
  });
});

describe('startUrl', () => {
  it("leaves a script of the page's own origin", () => {
    expect(startUrl('https://wallet.example/kernel.js', { type: 'module' })).toBe('https://wallet.example/kernel.js');
  });

  it('gives a start script for a foreign one, the same each time, which names it in its fragment', async () => {
    const url = startUrl(CDN, { type: 'module' });
    expect(url).toMatch(/^blob:.*#https:\/\/cdn\.example\/kernel\.js$/);
    expect(await codeAt(url)).toBe(`import"${CDN}"`);
    expect(startUrl(CDN, { type: 'module' })).toBe(url);
  });

  it('gives a classic worker a classic one', async () => {
    const url = startUrl(CDN, {});
    expect(await codeAt(url)).toBe(`importScripts("${CDN}")`);
    expect(url).not.toBe(startUrl(CDN, { type: 'module' }));
  });

  it('quotes what would end the string', async () => {
    const url = `${CDN}?"+alert(1)//\\`;
    expect(await codeAt(startUrl(url, {}))).toBe(`importScripts(${JSON.stringify(url)})`);
  });
});

it('no policy vouches for the foreign script that a caller gave as a string', () => {
  const vouched: string[] = [];
  vi.stubGlobal('trustedTypes', {
    createPolicy: () => ({ createScriptURL: (url: string) => vouched.push(url) }),
    isScriptURL: () => false,
  });
  const started: unknown[] = [];
  vi.stubGlobal('Worker', function Worker(url: unknown) {
    started.push(url);
  });
  startGivenWorker(CDN);
  expect(vouched).toEqual([]);
  expect(started).toEqual([startUrl(CDN, { type: 'module' })]);
});
