import { afterEach, describe, expect, it, vi } from 'vitest';
import { isForeignScript, startableScript } from '../../sdk/transport/foreign-scripts.js';

const OWN = 'https://wallet.example';
const CDN = 'https://cdn.example/pippin-prover@0.1.0/dist/kernel.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a script', () => {
  it.each([
    [`${OWN}/pippin/kernel.js`, false],
    [CDN, true],
    ['http://wallet.example/kernel.js', true],
    ['https://wallet.example:8443/kernel.js', true],
    [`blob:${OWN}/5f0c`, false],
    ['data:text/javascript,1', false],
    ['chrome-extension://abcdef/kernel.js', false],
  ])('at %s is foreign to a page: %s', (url, isForeign) => {
    vi.stubGlobal('origin', OWN);
    expect(isForeignScript(url)).toBe(isForeign);
  });

  it('is never foreign where there is no origin, as in Node', () => {
    vi.stubGlobal('origin', undefined);
    expect(isForeignScript(CDN)).toBe(false);
    expect(startableScript(CDN, 'module')).toBe(CDN);
  });

  it('of the own origin starts as it is', () => {
    vi.stubGlobal('origin', OWN);
    expect(startableScript(`${OWN}/kernel.js`, 'module')).toBe(`${OWN}/kernel.js`);
  });

  it.each([
    ['module', `import "${CDN}";`],
    ['classic', `self.pippinScriptUrl = "${CDN}"; importScripts("${CDN}");`],
  ] as const)('of another origin starts by a start script, made once: %s', async (type, text) => {
    vi.stubGlobal('origin', OWN);
    const blobs: Blob[] = [];
    const make = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob);
      return `blob:${OWN}/${type}-${blobs.length}`;
    });
    const start = startableScript(CDN, type);
    expect(start).toBe(`blob:${OWN}/${type}-1`);
    expect(startableScript(CDN, type)).toBe(start);
    expect(blobs).toHaveLength(1);
    expect(await blobs[0]!.text()).toBe(text);
    expect(blobs[0]!.type).toBe('text/javascript');
    make.mockRestore();
  });

  it('cannot break out of the start script by its URL', async () => {
    vi.stubGlobal('origin', OWN);
    let text: Promise<string> | undefined;
    const make = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      text = (blob as Blob).text();
      return `blob:${OWN}/x`;
    });
    startableScript('https://cdn.example/";alert(1);"', 'module');
    expect(await text).toBe('import "https://cdn.example/\\";alert(1);\\"";');
    make.mockRestore();
  });
});
