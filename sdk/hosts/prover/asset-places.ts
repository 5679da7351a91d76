import type { ProverOptions, TrustedScriptUrl } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import { ownMembers } from '../../base/records.js';
import { CURVES } from '../../curves/index.js';
import type { EngineAssets } from '../../engine/engine-api.js';
import type { WorkerName } from '../../transport/coordinator-workers.js';
import { isTrustedScriptUrl } from '../../transport/trusted-scripts.js';

/** The names of `WasmModuleName`. */
export const MODULES = Object.values(CURVES).flatMap(({ id, transforms, pairing }) => [
  ...[id, `${id}-fma`, `${id}-simd`, `${id}-wide`, `${id}-scalars`],
  ...(transforms?.inLanes ? [`${id}-scalars-fma`] : []),
  ...(transforms === undefined ? [] : [`${id}-elements`]),
  ...(pairing === undefined
    ? []
    : [`${id}-roots`, `${id}-roots-fma`, `${id}-rows`, `${id}-rows-fma`, `${id}-rows-simd`]),
]);

/** The scripts that the engine starts itself in Node. */
const ENGINE_SCRIPTS = ['kernel', 'witness', 'device'] as const;
type EngineScript = (typeof ENGINE_SCRIPTS)[number];

/** The absolute URL of a place that the caller names, which may be relative. Throws for what is no place. */
export type Locate = (location: string) => string;

/**
 * The scripts of workers that the caller names: absolute URLs, or what a page with Trusted Types gave. The others are
 * among the other files.
 */
export interface WorkerScripts extends Partial<Readonly<Record<WorkerName, string | TrustedScriptUrl>>> {
  /** Whether the folder of the other files was given as a TrustedScriptURL. */
  readonly isFolderTrusted: boolean;
}

/** Where the caller says that the package's files lie. */
export interface AssetPlaces {
  /** What the caller's thread starts. */
  readonly scripts: WorkerScripts;
  /** What the engine loads. */
  readonly assets: EngineAssets;
}

/**
 * Reads `assets` of `ProverOptions`: a folder, or places of single files. Relative places become absolute here, because
 * a worker would take them as relative to its own script.
 *
 * @param standard what counts where the caller gives none.
 */
export function assetPlaces(options: OptionReader, locate: Locate, standard?: ProverOptions['assets']): AssetPlaces {
  const given = options.read('assets') ?? standard;
  if (isPlace(given)) {
    return {
      scripts: ownMembers({ isFolderTrusted: isTrusted(given) }),
      assets: ownMembers({ base: folder(options, 'assets', given, locate), wasm: {} }),
    };
  }
  const assets = new OptionReader(given, 'assets');
  const place = (name: string, value: unknown): string => absolute(assets, `assets.${name}`, value, locate);
  const base = assets.read('base') ?? undefined;
  const scripts: Partial<Record<WorkerName, string | TrustedScriptUrl>> = {};
  const engineScripts: Partial<Record<EngineScript, string>> = {};
  for (const name of ['coordinator', ...ENGINE_SCRIPTS] as const) {
    const script = assets.read(name) ?? undefined;
    if (script === undefined) continue;
    if (name !== 'device') scripts[name] = isTrusted(script) ? script : place(name, script);
    if (name !== 'coordinator') engineScripts[name] = place(name, script);
  }
  const modules = new OptionReader(assets.read('wasm') ?? undefined, 'assets.wasm');
  const wasm: Record<string, string | WebAssembly.Module> = {};
  for (const name of MODULES) {
    const module = modules.read(name) ?? undefined;
    if (module !== undefined) wasm[name] = isModule(module) ? module : place(`wasm.${name}`, module);
  }
  modules.expectNoOthers();
  assets.expectNoOthers();
  return {
    scripts: ownMembers({ ...scripts, isFolderTrusted: isTrusted(base) }),
    assets: ownMembers({
      ...(base !== undefined && { base: folder(assets, 'assets.base', base, locate) }),
      ...engineScripts,
      wasm,
    }),
  };
}

/** The folder that all files lie in which the caller does not name, with a slash at its end. */
function folder(options: OptionReader, name: string, value: unknown, locate: Locate): string {
  const url = new URL(absolute(options, name, value, locate));
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  try {
    return new URL('./', url).href;
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
