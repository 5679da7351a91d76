import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import type { DeviceProcess } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import type { EngineAssets } from '../../engine/engine-api.js';
import type { EnginePlatform } from '../../engine/platform.js';
import { openRemoteGpus } from '../../engine/remote-gpus.js';
import type { RemoteDevice } from '../../executors/remote/remote-gpu.js';
import { wasmModulesOf } from '../../executors/workers/kernel/wasm-module.js';
import { folderStore } from '../../files/cache/folder-store.js';
import { MemoryFile } from '../../transport/memory-file.js';
import { nodeProcessChannel } from '../../transport/node-process.js';
import { nodeWorkerChannel } from '../../transport/node-worker.js';
import { openPathOrBlob } from '../../transport/served-blob.js';
import { assetUrl } from '../page/asset-url.js';
import { compileBytes } from '../page/compile-wasm.js';
import { pacePolling } from './paced-polling.js';
import { hasVulkanLoader } from './vulkan-loader.js';

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
  gpu: dawn,
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
 * Dawn, if the peer dependency `webgpu` is installed. Its instance must stay referenced, because the process crashes
 * when it is garbage-collected.
 */
async function dawn(): Promise<GPU | undefined> {
  if (instance !== undefined) return instance;
  let module: typeof import('webgpu');
  try {
    module = await import('webgpu');
  } catch (error) {
    throw new PippinError('WEBGPU_UNAVAILABLE', "expected the package 'webgpu', which gives Node its WebGPU", {
      cause: error,
      hint: 'npm install webgpu',
    });
  }
  Object.assign(globalThis, module.globals);
  pacePolling(globalThis);
  instance = module.create([]);
  return instance;
}

let instance: GPU | undefined;

/** Without the Vulkan loader there is no adapter, whatever GPU and driver the machine has. */
export function explainOnLinux(error: unknown, hasLoader: boolean): PippinError | undefined {
  if (hasLoader) return undefined;
  return new PippinError('WEBGPU_UNAVAILABLE', 'expected the Vulkan loader (libvulkan.so.1), got a system without it', {
    cause: error,
    hint: 'install it: libvulkan1 on Debian and Ubuntu, vulkan-loader on Fedora and Alpine, vulkan-icd-loader on Arch',
  });
}
