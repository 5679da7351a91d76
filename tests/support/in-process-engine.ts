import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { WasmModuleName } from '../../sdk/api/index.js';
import { Engine } from '../../sdk/engine/engine.js';
import type { EngineConfig, EngineEvent } from '../../sdk/engine/engine-api.js';
import type { EnginePlatform } from '../../sdk/engine/platform.js';
import { nodeEnginePlatform } from '../../sdk/hosts/node/node-engine.js';
import { ALL_CURVES } from './registry.js';
import { root } from './root.js';

/** The URL of a file of the built package. Throws if there is no such file. */
export function built(name: string): string {
  const path = `${root}/dist/${name}`;
  if (!existsSync(path)) throw new Error(`expected ${path}; run: npm run build`);
  return pathToFileURL(path).href;
}

/** The URLs of each curve's built modules that run on every machine. */
export function builtModules(): Partial<Record<WasmModuleName, string>> {
  const names = ALL_CURVES.flatMap(({ id, transforms, pairing }) => [
    id,
    `${id}-scalars` as const,
    ...(transforms === undefined ? [] : [`${id}-elements` as 'bn254-elements']),
    ...(pairing === undefined
      ? []
      : (['roots', 'roots-fma', 'rows', 'rows-fma', 'rows-simd'] as const).map(
          (part) => `${id}-${part}` as 'bn254-roots',
        )),
  ]);
  return Object.fromEntries(names.map((name) => [name, built(`${name}.wasm`)]));
}

/**
 * An engine on this thread with kernel workers from the built package, and the events that it has emitted. `platform`
 * replaces parts of Node's platform, so that a test can make them fail.
 */
export function inProcessEngine(platform: Partial<EnginePlatform> = {}): { engine: Engine; events: EngineEvent[] } {
  const events: EngineEvent[] = [];
  return {
    engine: new Engine({ ...nodeEnginePlatform, gpuDelayMs: 0, ...platform }, (event) => events.push(event)),
    events,
  };
}

export function testConfig(config: Partial<EngineConfig> = {}): EngineConfig {
  return {
    backend: 'wasm',
    threads: 2,
    cache: false,
    memoryBudget: undefined,
    performanceMap: undefined,
    storageBudget: undefined,
    assets: {
      kernel: built('kernel-node.js'),
      witness: built('witness-node.js'),
      wasm: builtModules(),
    },
    ...config,
  };
}
