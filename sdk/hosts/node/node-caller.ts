import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { startEngineHere } from '../../engine/engine-here.js';
import { nodeSameThreadChannel } from '../../transport/node-same-thread.js';
import { nodeWorkerChannel } from '../../transport/node-worker.js';
import { assetUrl } from '../page/asset-url.js';
import type { CallerPlatform } from '../prover/caller-platform.js';
import { nodeEnginePlatform } from './node-engine.js';
import { describePathOrUrl } from './node-files.js';

/** Begins a URL, and no path: a drive of Windows has one letter. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]+:/i;

export const nodeCallerPlatform: CallerPlatform = {
  spawnCoordinator: ({ coordinator }, { assets: { base } }) =>
    nodeWorkerChannel(assetUrl(coordinator?.toString(), 'coordinator-node.js', base)),
  startEngineHere: async () => startEngineHere(nodeEnginePlatform, nodeSameThreadChannel),
  locate: (location) => (HAS_SCHEME.test(location) ? new URL(location) : pathToFileURL(resolve(location))).href,
  describeLocation: describePathOrUrl,
  // Dawn aborts the process if its thread is ended during a compilation, which takes a software adapter minutes on a
  // busy machine.
  disposeTimeoutMs: 5 * 60_000,
  beforeExit,
};

/** What ends the provers that live. */
const endings = new Set<() => void>();

function beforeExit(end: () => void): () => void {
  if (endings.size === 0) process.on('beforeExit', endAll);
  endings.add(end);
  return () => {
    endings.delete(end);
    if (endings.size === 0) process.off('beforeExit', endAll);
  };
}

function endAll(): void {
  for (const end of endings) end();
}
