import type { BackendChoice } from './api.js';
import type { EngineAssets, EngineConfig } from './engine/engine-api.js';
import { OptionReader } from './option-reader.js';

const BACKENDS: readonly BackendChoice[] = ['auto', 'webgpu', 'wasm'];

/** Checks the options of createProver and makes plain data of them. `INVALID_ARGUMENT` names the option that is not what it must be. */
export function engineConfig(options: OptionReader): EngineConfig {
  const backend = (options.read('backend') ?? 'auto') as BackendChoice;
  if (!BACKENDS.includes(backend)) throw options.wrong('backend', BACKENDS.join(', '), backend);
  return {
    backend,
    threads: options.integer('threads', 1, 64),
    cache: cacheOption(options),
    memoryBudget: options.number('memoryBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes'),
    assets: assetUrls(new OptionReader(options.read('assets') ?? undefined, 'assets')),
  };
}

function cacheOption(options: OptionReader): EngineConfig['cache'] {
  const cache = options.read('cache') ?? true;
  if (typeof cache === 'boolean') return cache;
  if (typeof cache !== 'object') throw options.wrong('cache', 'true, false or { directory }', cache);
  const directory = new OptionReader(cache, 'cache').read('directory');
  if (typeof directory !== 'string') throw options.wrong('cache.directory', 'the path of a folder', directory);
  return { directory };
}

function assetUrls(assets: OptionReader): EngineAssets {
  const urls: Record<string, string> = {};
  for (const name of ['coordinator', 'kernel', 'witness']) {
    const url = assets.read(name) ?? undefined;
    if (url !== undefined) urls[name] = urlText(assets, `assets.${name}`, url);
  }
  const places = new OptionReader(assets.read('wasm') ?? undefined, 'assets.wasm');
  const wasm: Record<string, string | WebAssembly.Module> = {};
  for (const name of places.names()) {
    const place = places.read(name) ?? undefined;
    if (place === undefined) continue;
    wasm[name] = isModule(place) ? place : urlText(places, `assets.wasm.${name}`, place);
  }
  return { ...urls, wasm };
}

function urlText(assets: OptionReader, name: string, url: unknown): string {
  if (typeof url === 'string') return url;
  try {
    if (url instanceof URL) return url.href;
  } catch {
    // It only claims to be a URL.
  }
  throw assets.wrong(name, 'a string or URL', url);
}

function isModule(value: unknown): value is WebAssembly.Module {
  try {
    return value instanceof WebAssembly.Module;
  } catch {
    // A Proxy that throws.
    return false;
  }
}
