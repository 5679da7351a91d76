import type { ProverOptions, TrustedScriptUrl } from './api.js';
import { CURVES } from './curves/index.js';
import type { EngineAssets } from './engine/engine-api.js';
import { ownMembers } from './is-object.js';
import { OptionReader } from './option-reader.js';
import { isTrustedScriptUrl } from './transport/trusted-scripts.js';

/** The names of `WasmModuleName`. */
export const MODULES = Object.values(CURVES).flatMap(({ id, transforms }) => [
  ...[id, `${id}-fma`, `${id}-simd`, `${id}-scalars`],
  ...(transforms?.inLanes ? [`${id}-scalars-fma`] : []),
]);

/** The absolute URL of a place that the caller names, which may be relative. Throws for what is no place. */
export type Locate = (location: string) => string;

/** The script that the coordinator starts with, as the caller gave it; undefined for the one among the other files. */
export type CoordinatorScript = string | TrustedScriptUrl | undefined;

/** Where the caller says that the package's files lie. */
export interface AssetPlaces {
  readonly coordinator: CoordinatorScript;
  readonly assets: EngineAssets;
}

/**
 * Reads `assets` of `ProverOptions`: a folder, or places of single files. Relative places become absolute here, because a worker would take
 * them as relative to its own script.
 *
 * @param standard what counts where the caller gives none.
 */
export function assetPlaces(options: OptionReader, locate: Locate, standard?: ProverOptions['assets']): AssetPlaces {
  const given = options.read('assets') ?? standard;
  if (isPlace(given)) {
    return { coordinator: undefined, assets: ownMembers({ ...folder(options, 'assets', given, locate), wasm: {} }) };
  }
  const assets = new OptionReader(given, 'assets');
  const place = (name: string, value: unknown): string => absolute(assets, `assets.${name}`, value, locate);
  const base = assets.read('base') ?? undefined;
  const { trusted = [], ...found } = ownMembers(base === undefined ? {} : folder(assets, 'assets.base', base, locate));
  const scripts: { kernel?: string; witness?: string; device?: string } = {};
  const trustedScripts: ('kernel' | 'witness')[] = [];
  for (const name of ['kernel', 'witness', 'device'] as const) {
    const script = assets.read(name) ?? undefined;
    if (script === undefined) continue;
    scripts[name] = place(name, script);
    if (name !== 'device' && isTrusted(script)) trustedScripts.push(name);
  }
  const modules = new OptionReader(assets.read('wasm') ?? undefined, 'assets.wasm');
  const wasm: Record<string, string | WebAssembly.Module> = {};
  for (const name of MODULES) {
    const module = modules.read(name) ?? undefined;
    if (module !== undefined) wasm[name] = isModule(module) ? module : place(`wasm.${name}`, module);
  }
  modules.expectNoOthers();
  const coordinator = assets.read('coordinator') ?? undefined;
  assets.expectNoOthers();
  return {
    coordinator: isTrusted(coordinator) || coordinator === undefined ? coordinator : place('coordinator', coordinator),
    assets: ownMembers({ ...found, ...scripts, trusted: [...trusted, ...trustedScripts], wasm }),
  };
}

/** The folder that all files lie in which the caller does not name, with a slash at its end. */
function folder(
  options: OptionReader,
  name: string,
  value: unknown,
  locate: Locate,
): Pick<EngineAssets, 'base' | 'trusted'> {
  const url = new URL(absolute(options, name, value, locate));
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  try {
    return { base: new URL('./', url).href, trusted: isTrusted(value) ? ['base'] : [] };
  } catch {
    // A Blob or a data URL has no files beside each other.
    throw options.wrong(name, 'the URL of a folder', value);
  }
}

function absolute(options: OptionReader, name: string, value: unknown, locate: Locate): string {
  if (!isPlace(value)) throw options.wrong(name, 'a string, URL or TrustedScriptURL', value);
  try {
    return locate(String(value));
  } catch {
    throw options.wrong(name, 'a URL', value);
  }
}

/** Whether a value can say where something lies. A Proxy may throw while it is asked. */
function isPlace(value: unknown): value is string | URL | TrustedScriptUrl {
  if (typeof value === 'string') return true;
  try {
    return value instanceof URL || isTrustedScriptUrl(value);
  } catch {
    return false;
  }
}

function isTrusted(value: unknown): value is TrustedScriptUrl {
  return typeof value !== 'string' && isPlace(value) && !(value instanceof URL);
}

function isModule(value: unknown): value is WebAssembly.Module {
  try {
    return value instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}
