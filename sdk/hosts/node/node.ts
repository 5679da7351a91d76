import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { Prover, ProverOptions } from '../../api/index.js';
import { nodeWorkerChannel } from '../../transport/node-worker.js';
import { assetUrl } from '../page/asset-url.js';
import type { CallerPlatform } from '../prover/caller-platform.js';
import { createProverOn } from '../prover/prover.js';
import { describePathOrUrl } from './node-location.js';

/**
 * Starts a prover in Node: the same engine on worker threads, with WebGPU from the optional peer dependency `webgpu` and the cache in a
 * folder.
 *
 * Rejects with `INVALID_ARGUMENT` for options out of range, `WEBGPU_UNAVAILABLE` when `backend` is `webgpu` and there is no usable adapter,
 * and `WORKER_FAILED` when a worker's script cannot be loaded.
 */
export function createProver(options: ProverOptions = {}): Promise<Prover> {
  return createProverOn(nodeCallerPlatform, options);
}

/** Begins a URL, and no path: a drive of Windows has one letter. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]+:/i;

export const nodeCallerPlatform: CallerPlatform = {
  spawnCoordinator: ({ coordinator }, { assets: { base } }) =>
    nodeWorkerChannel(assetUrl(coordinator?.toString(), 'coordinator-node.js', base)),
  startEngineHere: async () => (await import('./node-here.js')).nodeEngine(),
  locate: (location) => (HAS_SCHEME.test(location) ? new URL(location) : pathToFileURL(resolve(location))).href,
  describeLocation: describePathOrUrl,
  // Dawn aborts the process if its thread is ended during a compilation, which takes a software adapter minutes on a busy machine.
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
