import { disguisedGpu } from './disguised-gpu.js';

/**
 * The disguised GPU of this machine, and the devices that it has given. `spoil` gets each device and its index, and may
 * replace parts of it.
 */
export async function watchedGpu(
  spoil: (device: GPUDevice, index: number) => void = () => undefined,
): Promise<{ gpu: GPU; devices: GPUDevice[] }> {
  const real = (await disguisedGpu())!;
  const devices: GPUDevice[] = [];
  const gpu = {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await real.requestAdapter(options);
      const request = adapter?.requestDevice.bind(adapter);
      if (adapter !== null && request !== undefined) {
        adapter.requestDevice = async (descriptor) => {
          const device = await request(descriptor);
          spoil(device, devices.length);
          devices.push(device);
          return device;
        };
      }
      return adapter;
    },
  } as GPU;
  return { gpu, devices };
}

/**
 * Makes the device's kernels do nothing, so that they compile at once. Sums are then whatever is in memory, and no
 * error is reported.
 */
export function emptyKernels(device: GPUDevice): void {
  const create = device.createShaderModule.bind(device);
  device.createShaderModule = ({ label }) =>
    create({ label: label ?? '', code: '@compute @workgroup_size(1) fn main() {}' });
}
