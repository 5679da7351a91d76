import { emptyKernels, watchedGpu } from '../support/watched-gpu.js';

/** A GPU that counts the devices that it has given and the buffers on them, as far as they were not destroyed. */
export interface CountedGpu {
  readonly gpu: GPU;
  count(): { readonly devices: number; readonly buffers: number };
}

/** The software adapter with kernels that do nothing, so that they compile at once. All that it computes is wrong. */
export async function countedGpu(): Promise<CountedGpu> {
  const living = new Map<GPUDevice, Set<GPUBuffer>>();
  const { gpu, devices } = await watchedGpu((device) => {
    emptyKernels(device);
    const buffers = new Set<GPUBuffer>();
    living.set(device, buffers);
    const create = device.createBuffer.bind(device);
    device.createBuffer = (descriptor) => {
      const buffer = create(descriptor);
      buffers.add(buffer);
      const destroy = buffer.destroy.bind(buffer);
      buffer.destroy = () => {
        buffers.delete(buffer);
        return destroy();
      };
      return buffer;
    };
    const destroyDevice = device.destroy.bind(device);
    device.destroy = () => {
      living.delete(device);
      // The driver's threads end when nobody holds the device.
      devices.splice(devices.indexOf(device), 1);
      return destroyDevice();
    };
  });
  return {
    gpu,
    count: () => ({
      devices: living.size,
      buffers: [...living.values()].reduce((sum, buffers) => sum + buffers.size, 0),
    }),
  };
}
