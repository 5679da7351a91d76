import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SourceDescription } from '../engine/engine-api.js';
import type { CallerPlatform } from '../prover.js';
import { nodeWorkerChannel } from '../transport/node-worker.js';
import { assetUrl } from './asset-url.js';

/** Begins a URL, and no path: a drive of Windows has one letter. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]+:/i;

export const nodeCallerPlatform: CallerPlatform = {
  spawnCoordinator: (script, { base = import.meta.url }) =>
    nodeWorkerChannel(assetUrl(script?.toString(), './coordinator-node.js', base)),
  startEngineHere: async () => (await import('./node-here.js')).engineHere(),
  locate: (location) => (HAS_SCHEME.test(location) ? new URL(location) : pathToFileURL(resolve(location))).href,
  describeLocation(location): SourceDescription {
    if (location instanceof URL || /^(https?|file|data):/.test(location)) {
      const url = new URL(location);
      return url.protocol === 'file:' ? { kind: 'path', path: fileURLToPath(url) } : { kind: 'url', url: url.href };
    }
    return { kind: 'path', path: resolve(location) };
  },
  // Dawn aborts the process if its thread is ended during a compilation, which takes a software adapter minutes on a busy machine.
  disposeTimeoutMs: 5 * 60_000,
};
