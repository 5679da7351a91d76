import {
  type DeviceOptions,
  type GpuDevice,
  openDevice,
  type Products,
} from '../../../sdk/executors/gpu/runtime/device.js';
import { pacePolling } from '../../../sdk/hosts/node/node-gpu.js';

/** The instance is kept: Dawn dies when it is collected. */
let instance: Promise<GPU> | undefined;

export function dawn(): Promise<GPU> {
  instance ??= import('webgpu').then(({ create, globals }) => {
    Object.assign(globalThis, globals);
    pacePolling(globalThis);
    return create([]);
  });
  return instance;
}

/** A device of the test's own, on which an error that nobody looks for ends the process: no test may leave one. */
export async function openTestDevice(options?: DeviceOptions): Promise<GpuDevice> {
  const gpu = await openDevice(await dawn(), options);
  gpu.device.addEventListener('uncapturederror', (event) => {
    throw new Error(`uncaptured WebGPU error: ${event.error.message}`);
  });
  return gpu;
}

let shared: Promise<GpuDevice> | undefined;
/** Why the shared device was lost, if it was, since the test file began (`lost-device.ts`). */
export const loss: { info?: GPUDeviceLostInfo } = {};

/**
 * The device that the tests of all files of a process share, with the pipelines that were compiled on it: on a software
 * adapter compiling takes nearly all the time. It has WebGPU's default limits, so that all tests hold on every device.
 * Not to be destroyed.
 */
export async function sharedDevice(products: Products = 'limbs'): Promise<GpuDevice> {
  shared ??= openTestDevice({ limits: 'default' }).then((gpu) => {
    rememberKernels(gpu.device);
    void gpu.device.lost.then((info) => {
      shared = undefined;
      loss.info = info;
    });
    return gpu;
  });
  return Object.create(await shared, { products: { value: products } });
}

/** Lets a device compile each kernel once, however many views of it ask for the kernel (`virtual-gpu.ts`). */
function rememberKernels(device: GPUDevice): void {
  const modules = new Map<string, GPUShaderModule>();
  const createModule = device.createShaderModule.bind(device);
  device.createShaderModule = (descriptor) => {
    const key = `${descriptor.label}\n${descriptor.code}`;
    const module = modules.get(key) ?? createModule(descriptor);
    modules.set(key, module);
    return module;
  };
  const pipelines = new Map<GPUShaderModule, Promise<GPUComputePipeline>>();
  const createPipeline = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = (descriptor) => {
    const { module } = descriptor.compute;
    const pipeline = pipelines.get(module) ?? createPipeline(descriptor);
    pipelines.set(module, pipeline);
    return pipeline;
  };
}
