import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import type { DeviceProcess } from '../../api/index.js';
import type { NoticeCode } from '../../api/progress.js';
import { asPippinError, PippinError } from '../../base/errors.js';
import type { EngineAssets, EngineConfig } from '../../engine/engine-api.js';
import type { EnginePlatform } from '../../engine/platform.js';
import { type RemoteDevice, RemoteGpu } from '../../executors/remote/remote-gpu.js';
import { wasmModulesOf } from '../../executors/workers/kernel/wasm-module.js';
import { folderStore } from '../../files/cache/folder-store.js';
import { MemoryFile } from '../../transport/memory-file.js';
import { nodeProcessChannel } from '../../transport/node-process.js';
import { nodeWorkerChannel } from '../../transport/node-worker.js';
import { openPathOrBlob } from '../../transport/served-blob.js';
import { assetUrl } from '../page/asset-url.js';
import { compileBytes } from '../page/compile-wasm.js';
import { dawn, expectGpuDevice, explainOnLinux, hasVulkanLoader } from './node-gpu.js';

/**
 * Dawn opens a device on the thread that asks for it, which takes a fifth of a second with NVIDIA's driver. Within this
 * time the workers have made the first proof of a circuit of 2^16 constraints.
 */
const GPU_DELAY_MS = 1000;

/** The platform of a coordinator that runs in a Node worker thread. */
export const nodeEnginePlatform: EnginePlatform = {
  cacheKind: 'folder',
  threads: availableParallelism(),
  spawnKernel: ({ kernel, base }) => nodeWorkerChannel(assetUrl(kernel, 'kernel-node.js', base)),
  spawnWitness: ({ witness, base }) => nodeWorkerChannel(assetUrl(witness, 'witness-node.js', base)),
  openRemoteGpus: (config, notice) => openRemoteGpus(spawnDevice, config, notice),
  async compileWasm(curve, part, { wasm, base }) {
    const { fastest: name, plain } = wasmModulesOf(curve, part);
    const given = wasm?.[name] ?? wasm?.[plain];
    if (given instanceof WebAssembly.Module) return given;
    const url = assetUrl(given, `${name}.wasm`, base);
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      // Without a break: a thread that is ended while a file is being opened leaves its descriptor open.
      bytes = new Uint8Array(readFileSync(url));
    } catch (error) {
      throw new PippinError('IO_FAILED', `expected the WASM of ${curve} at ${url}, could not read it`, {
        cause: error,
      });
    }
    return compileBytes(url.href, bytes);
  },
  gpuDelayMs: GPU_DELAY_MS,
  gpu: async (choice) => {
    if (choice === 'auto' && process.platform === 'linux') await expectGpuDevice();
    return dawn();
  },
  gpuEndsAtOnce: false,
  explainNoAdapter: async (error) =>
    process.platform === 'linux' ? explainOnLinux(error, await hasVulkanLoader()) : undefined,
  openStore: async (directory) => folderStore(directory ?? defaultCacheDirectory()),
  makeSha256: async () => createHash('sha256'),
  openFile: openPathOrBlob,
};

function spawnDevice({ command = [], env = {} }: DeviceProcess, { device, base }: EngineAssets): RemoteDevice {
  const window = MemoryFile.open();
  const script = assetUrl(device, 'device-node.js', base);
  try {
    return { channel: nodeProcessChannel({ script, command, env, inherited: window?.descriptor }), window };
  } catch (error) {
    window?.close();
    throw error;
  }
}

/**
 * The folder that the cache's own lies in unless the caller names another: `pippin` in the user's cache directory, by
 * the XDG convention.
 */
export function defaultCacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pippin');
}

/**
 * Starts the processes with further GPUs. For the choice `webgpu` the promise waits for all of them, and rejects with
 * `WEBGPU_UNAVAILABLE` when one cannot be opened; for `auto` a notice reports it.
 *
 * @param spawnDevice starts the process of one.
 */
export async function openRemoteGpus(
  spawnDevice: (device: DeviceProcess, assets: EngineAssets) => RemoteDevice,
  { backend, devices = [], memoryBudget, assets }: EngineConfig,
  notice: (code: NoticeCode, message: string) => void,
): Promise<RemoteGpu[]> {
  const gpus: RemoteGpu[] = [];
  try {
    for (const device of devices)
      gpus.push(new RemoteGpu(`device ${gpus.length + 1}`, spawnDevice(device, assets), memoryBudget));
  } catch (error) {
    for (const gpu of gpus) gpu.dispose();
    throw error;
  }
  const opened = gpus.map(async ({ name, opened: opening }) => {
    try {
      await opening;
    } catch (error) {
      const { message } = asPippinError(error);
      throw new PippinError('WEBGPU_UNAVAILABLE', `expected a GPU in the process of ${name}, got none: ${message}`, {
        cause: error,
      });
    }
  });
  if (backend !== 'webgpu') {
    for (const each of opened) each.catch((error) => notice('WEBGPU_UNAVAILABLE', asPippinError(error).message));
    return gpus;
  }
  try {
    await Promise.all(opened);
    return gpus;
  } catch (error) {
    for (const gpu of gpus) gpu.dispose();
    throw error;
  }
}
