import type { DeviceProcess } from '../api/index.js';
import type { NoticeCode } from '../api/progress.js';
import { asPippinError, PippinError } from '../base/errors.js';
import { type RemoteDevice, RemoteGpu } from '../executors/remote/remote-gpu.js';
import type { EngineAssets, EngineConfig } from './engine-api.js';

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
