import { describe, expect, it, vi } from 'vitest';
import { OptionReader } from '../../../sdk/base/option-reader.js';
import type { EngineAssets } from '../../../sdk/engine/engine-api.js';
import { nodeCallerPlatform } from '../../../sdk/hosts/node/node-caller.js';
import { browserEnginePlatform } from '../../../sdk/hosts/page/browser-engine.js';
import { assetPlaces } from '../../../sdk/hosts/prover/asset-places.js';

const PAGE = 'https://wallet.example/app/send.html';
const places = (assets: unknown, page = PAGE) =>
  assetPlaces(new OptionReader({ assets }, 'the options of createProver'), (place) => new URL(place, page).href);

describe('the folder of all files', () => {
  it.each([
    ['/pippin/', 'https://wallet.example/pippin/'],
    ['/pippin', 'https://wallet.example/pippin/'],
    ['pippin', 'https://wallet.example/app/pippin/'],
    ['./', 'https://wallet.example/app/'],
    ['/pippin?v=3#x', 'https://wallet.example/pippin/'],
    [new URL('https://cdn.example/p/1'), 'https://cdn.example/p/1/'],
    ['file:///android_asset/pippin', 'file:///android_asset/pippin/'],
  ])('%s', (given, base) => {
    const expected = { scripts: { isFolderTrusted: false }, assets: { base, wasm: {} } };
    expect(places(given)).toEqual(expected);
    expect(places({ base: given })).toEqual(expected);
  });

  it.each(['blob:https://wallet.example/1', 'data:text/javascript,', 'http://', 7, true, Symbol('x')])(
    'cannot be %s',
    (given) => {
      expect(() => places({ base: given })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    },
  );
});

it('the places of an entry of its own count only where the caller gives none', () => {
  const locate = (place: string) => new URL(place, PAGE).href;
  const from = (options: object) => assetPlaces(new OptionReader(options, 'the options'), locate, { kernel: '/k.js' });
  expect(from({}).assets.kernel).toBe('https://wallet.example/k.js');
  expect(from({ assets: '/pippin/' }).assets).toEqual({
    base: 'https://wallet.example/pippin/',
    wasm: {},
  });
});

it('single files are relative to the page like everything else, whoever loads them', () => {
  const module = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  expect(
    places({
      base: '/pippin/',
      coordinator: 'w/coordinator.js',
      kernel: 'w/kernel.js',
      witness: '/w/witness.js',
      wasm: { bn254: 'wasm/bn254.wasm', 'bn254-fma': module, 'mnt4-753': undefined },
    }),
  ).toEqual({
    scripts: {
      coordinator: 'https://wallet.example/app/w/coordinator.js',
      kernel: 'https://wallet.example/app/w/kernel.js',
      witness: 'https://wallet.example/w/witness.js',
      isFolderTrusted: false,
    },
    assets: {
      base: 'https://wallet.example/pippin/',
      kernel: 'https://wallet.example/app/w/kernel.js',
      witness: 'https://wallet.example/w/witness.js',
      wasm: { bn254: 'https://wallet.example/app/wasm/bn254.wasm', 'bn254-fma': module },
    },
  });
});

it('without a base, relative places are errors that name the option', () => {
  const nowhere = () =>
    assetPlaces(new OptionReader({ assets: { kernel: 'k.js' } }, 'x'), (place) => new URL(place).href);
  expect(nowhere).toThrow('expected assets.kernel as a URL, got k.js');
});

it('in Node, places are URLs or paths relative to the working directory', () => {
  const { locate } = nodeCallerPlatform;
  expect(locate('file:///a/b.js')).toBe('file:///a/b.js');
  expect(locate('/a/b.js')).toBe('file:///a/b.js');
  expect(locate('a b')).toBe(new URL('a%20b', `file://${process.cwd()}/`).href);
});

it('a page fetches the WASM from that folder, unless its place is named', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string | URL) => {
    asked.push(String(url));
    return new Response(null, { status: 404 });
  });
  const base = 'https://wallet.example/pippin/';
  const compile = (assets: EngineAssets) => browserEnginePlatform.compileWasm('bn254', 'points', assets);
  await expect(compile({ base })).rejects.toMatchObject({ code: 'IO_FAILED' });
  await expect(compile({ base, wasm: { bn254: 'https://wallet.example/x.wasm' } })).rejects.toThrow();
  vi.unstubAllGlobals();
  expect(asked).toEqual([
    expect.stringMatching(/^https:\/\/wallet\.example\/pippin\/bn254(-fma|-simd)?\.wasm$/),
    'https://wallet.example/x.wasm',
  ]);
});
