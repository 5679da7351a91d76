import type { BackendChoice, DeviceProcess, TrustedScriptUrl } from './api.js';
import { CURVES } from './curves/index.js';
import type { EngineAssets, EngineConfig } from './engine/engine-api.js';
import { plainCopy } from './io/plain-copy.js';
import { OptionReader } from './option-reader.js';
import { isTrustedScriptUrl } from './transport/trusted-scripts.js';

const BACKENDS: readonly BackendChoice[] = ['auto', 'webgpu', 'wasm'];

/** The names of `WasmModuleName`. */
const MODULES = Object.keys(CURVES).flatMap((curve) => [curve, `${curve}-fma`, `${curve}-simd`]);

/** The script that the coordinator starts with, as the caller gave it; undefined for the package's own. */
export type CoordinatorScript = string | TrustedScriptUrl | undefined;

/** Checks the options of createProver and makes plain data of them. `INVALID_ARGUMENT` names the option that is not what it must be. */
export function engineConfig(options: OptionReader): { config: EngineConfig; coordinator: CoordinatorScript } {
  const backend = (options.read('backend') ?? 'auto') as BackendChoice;
  if (!BACKENDS.includes(backend)) throw options.wrong('backend', BACKENDS.join(', '), backend);
  const assets = new OptionReader(options.read('assets') ?? undefined, 'assets');
  const config = {
    backend,
    threads: options.integer('threads', 1, 64),
    cache: cacheOption(options),
    storageBudget: options.number('storageBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes'),
    memoryBudget: options.number('memoryBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes'),
    performanceMap: performanceMapOption(options),
    split: splitOption(options),
    devices: devicesOption(options, backend),
    assets: engineAssets(assets),
  };
  const coordinator = scriptOf(assets, 'coordinator');
  assets.expectNoOthers();
  return { config, coordinator };
}

function cacheOption(options: OptionReader): EngineConfig['cache'] {
  const cache = options.read('cache') ?? true;
  if (typeof cache === 'boolean') return cache;
  if (typeof cache !== 'object') throw options.wrong('cache', 'true, false or { directory }', cache);
  const reader = new OptionReader(cache, 'cache');
  const directory = reader.read('directory');
  reader.expectNoOthers();
  if (typeof directory !== 'string') throw options.wrong('cache.directory', 'the path of a folder', directory);
  return { directory };
}

/** A map as plain data; the engine looks whether it is one. */
function performanceMapOption(options: OptionReader): unknown {
  const given = options.read('performanceMap') ?? undefined;
  if (given === undefined) return undefined;
  return plainCopy(given, { code: 'INVALID_ARGUMENT', whole: 'a performance map', single: 'JSON' });
}

function splitOption(options: OptionReader): 'auto' | boolean {
  const split = options.read('split') ?? 'auto';
  if (split !== 'auto' && typeof split !== 'boolean') throw options.wrong('split', "'auto', true or false", split);
  return split;
}

function devicesOption(options: OptionReader, backend: BackendChoice): readonly DeviceProcess[] {
  const devices = options.read('devices') ?? [];
  if (!Array.isArray(devices)) throw options.wrong('devices', 'a list of processes', devices);
  if (devices.length > 0 && backend === 'wasm') throw options.wrong('devices', 'an empty list for wasm', devices);
  return devices.map((device: unknown, i) => {
    const name = `devices[${i}]`;
    const reader = new OptionReader(device, name);
    const command = reader.read('command') ?? [];
    if (!Array.isArray(command) || !command.every((word) => typeof word === 'string') || command[0] === '') {
      throw options.wrong(`${name}.command`, 'a list of strings that begins with a program', command);
    }
    const given = new OptionReader(reader.read('env') ?? undefined, `${name}.env`);
    const env = Object.fromEntries(
      given.names().map((variable) => {
        const value = given.read(variable);
        if (typeof value !== 'string') throw options.wrong(`${name}.env.${variable}`, 'a string', value);
        return [variable, value];
      }),
    );
    reader.expectNoOthers();
    return { command: [...command], env };
  });
}

function engineAssets(assets: OptionReader): EngineAssets {
  const urls: { kernel?: string; witness?: string; device?: string } = {};
  const trusted: ('kernel' | 'witness')[] = [];
  for (const name of ['kernel', 'witness'] as const) {
    const script = scriptOf(assets, name);
    if (script === undefined) continue;
    urls[name] = String(script);
    if (typeof script !== 'string') trusted.push(name);
  }
  const device = assets.read('device') ?? undefined;
  if (device !== undefined) urls.device = String(urlOf(assets, 'assets.device', device));
  const places = new OptionReader(assets.read('wasm') ?? undefined, 'assets.wasm');
  const wasm: Record<string, string | WebAssembly.Module> = {};
  for (const name of MODULES) {
    const place = places.read(name) ?? undefined;
    if (place === undefined) continue;
    wasm[name] = isModule(place) ? place : String(urlOf(places, `assets.wasm.${name}`, place));
  }
  places.expectNoOthers();
  return { ...urls, trusted, wasm };
}

function scriptOf(assets: OptionReader, name: string): CoordinatorScript {
  const url = assets.read(name) ?? undefined;
  return url === undefined ? undefined : urlOf(assets, `assets.${name}`, url);
}

/** A URL as a string, or a TrustedScriptURL as it is. */
function urlOf(assets: OptionReader, name: string, url: unknown): string | TrustedScriptUrl {
  if (typeof url === 'string') return url;
  try {
    if (isTrustedScriptUrl(url)) return url as TrustedScriptUrl;
    if (url instanceof URL) return url.href;
  } catch {
    // It only claims to be a URL.
  }
  throw assets.wrong(name, 'a string, URL or TrustedScriptURL', url);
}

function isModule(value: unknown): value is WebAssembly.Module {
  try {
    return value instanceof WebAssembly.Module;
  } catch {
    // A Proxy that throws.
    return false;
  }
}
