import type { BackendChoice, DeviceProcess, ProverOptions } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import type { EngineConfig } from '../../engine/engine-api.js';
import { plainCopy } from '../../files/plain-copy.js';
import { assetPlaces, type Locate, type WorkerScripts } from './asset-places.js';

const BACKENDS: readonly BackendChoice[] = ['auto', 'webgpu', 'wasm'];

/**
 * Checks the options of createProver and makes plain data of them. `INVALID_ARGUMENT` names the option that is not what it must be.
 *
 * @param standardAssets what counts as `assets` where the caller gives none.
 */
export function engineConfig(
  options: OptionReader,
  locate: Locate,
  standardAssets?: ProverOptions['assets'],
): { config: EngineConfig; scripts: WorkerScripts } {
  const backend = (options.read('backend') ?? 'auto') as BackendChoice;
  if (!BACKENDS.includes(backend)) throw options.wrong('backend', BACKENDS.join(', '), backend);
  const { scripts, assets } = assetPlaces(options, locate, standardAssets);
  const config = {
    backend,
    threads: options.integer('threads', 0, 64),
    cache: cacheOption(options),
    storageBudget: options.number('storageBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes'),
    memoryBudget: options.number('memoryBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes'),
    performanceMap: performanceMapOption(options),
    split: splitOption(options),
    devices: devicesOption(options, backend),
    assets,
  };
  return { config, scripts };
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
