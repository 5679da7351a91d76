import type { EngineAssets } from '../engine/engine-api.js';
import { workerScript } from '../transport/trusted-scripts.js';

/** A script of the package as a Worker takes it, in the folder that the caller gave; undefined if none was given. */
export function scriptInFolder(name: string, { base, trusted = [] }: EngineAssets): string | undefined {
  return base === undefined ? undefined : workerScript(new URL(name, base).href, trusted.includes('base'));
}
