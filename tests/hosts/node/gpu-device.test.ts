import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectGpuDevice } from '../../../sdk/hosts/node/node-gpu.js';

let devices: string;
beforeEach(async () => {
  devices = await mkdtemp(join(tmpdir(), 'pippin-dev-'));
});
afterEach(() => rm(devices, { recursive: true }));

describe('expectGpuDevice', () => {
  it.each(['dri/renderD128', 'nvidia0', 'dxg', 'kgsl-3d0', 'mali0'])('finds a GPU by /dev/%s', async (name) => {
    await mkdir(join(devices, 'dri'));
    await writeFile(join(devices, name), '');
    await expect(expectGpuDevice(devices, {})).resolves.toBeUndefined();
  });

  it('rejects where other devices are, such as a display without a GPU', async () => {
    await mkdir(join(devices, 'dri'));
    for (const name of ['dri/card0', 'nvidiactl', 'nvidia-uvm', 'null', 'fb0'])
      await writeFile(join(devices, name), '');
    await expect(expectGpuDevice(devices, {})).rejects.toMatchObject({
      code: 'WEBGPU_UNAVAILABLE',
      hint: expect.stringContaining('container'),
    });
  });

  it('rejects where there is no folder of devices', async () => {
    await expect(expectGpuDevice(join(devices, 'none'), {})).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
  });

  it.each(['VK_DRIVER_FILES', 'VK_ICD_FILENAMES', 'VK_ADD_DRIVER_FILES'])('looks no further than %s', async (name) => {
    await expect(expectGpuDevice(devices, { [name]: '/opt/driver.json' })).resolves.toBeUndefined();
    await expect(expectGpuDevice(devices, { [name]: '' })).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
  });
});
