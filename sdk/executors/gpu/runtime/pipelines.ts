import { asPippinError } from '../../../base/errors.js';
import { ShaderStage } from './flags.js';
import { COMPILE_MS, type GuardedDevice } from './guarded-device.js';
import type { GpuKernel } from './stage.js';
import { PARAMS_BYTES } from './submit-params.js';

/** A compiled kernel. */
export interface StagePipeline {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
}

/** The compiled kernels of one device, by key. */
export class Pipelines {
  private readonly compiled = new Map<string, Promise<StagePipeline>>();

  constructor(private readonly gpu: GuardedDevice) {}

  /** The pipeline of a kernel; `code` is its complete WGSL, identified by `key`. Compiled once, asynchronously. */
  get(key: string, kernel: GpuKernel, code: string): Promise<StagePipeline> {
    let pipeline = this.compiled.get(key);
    if (pipeline === undefined) {
      pipeline = this.compile(key, kernel, code);
      this.compiled.set(key, pipeline);
      // A failure rejects the caller's await, and the next call retries.
      pipeline.catch(() => this.compiled.delete(key));
    }
    return pipeline;
  }

  private async compile(key: string, kernel: GpuKernel, code: string): Promise<StagePipeline> {
    const { device } = this.gpu;
    const { value, done } = this.gpu.checked(() => {
      const layout = device.createBindGroupLayout({
        label: key,
        entries: [
          {
            binding: 0,
            visibility: ShaderStage.COMPUTE,
            buffer: { type: 'uniform', hasDynamicOffset: true, minBindingSize: PARAMS_BYTES },
          },
          ...Object.values(kernel.bindings).map(({ access }, i) => ({
            binding: i + 1,
            visibility: ShaderStage.COMPUTE,
            buffer: { type: access === 'read' ? ('read-only-storage' as const) : ('storage' as const) },
          })),
        ],
      });
      const pipeline = device.createComputePipelineAsync({
        label: key,
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module: device.createShaderModule({ label: key, code }), entryPoint: 'main' },
      });
      return { layout, pipeline: this.gpu.whileAlive(pipeline, COMPILE_MS) };
    });
    try {
      const [pipeline] = await Promise.all([value.pipeline, done]);
      return { layout: value.layout, pipeline };
    } catch (error) {
      throw asPippinError(error, 'INTERNAL', `expected the kernel ${key} to compile`);
    }
  }
}

/** Cached bind groups: enough for a few computations of different sizes. A PLONK proof takes some 300. */
const MAX_GROUPS = 1024;

/**
 * A cache of bind groups, by layout and buffers: many dispatches of a computation share one, and the next computation
 * reuses it.
 */
export class BindGroups {
  private readonly groups = new Map<string, GPUBindGroup>();
  private readonly numbers = new WeakMap<object, number>();
  private count = 0;

  constructor(private readonly device: GPUDevice) {}

  /** A bind group with `paramsBytes` of `params` at a dynamic offset as binding 0, and the buffers as the others. */
  get(
    { layout }: StagePipeline,
    params: GPUBuffer,
    paramsBytes: number,
    buffers: readonly GPUBuffer[],
    label: string,
  ): GPUBindGroup {
    const key = [layout, params, ...buffers].map((object) => this.numberOf(object)).join();
    let group = this.groups.get(key);
    if (group === undefined) {
      if (this.groups.size >= MAX_GROUPS) this.groups.clear();
      group = this.device.createBindGroup({
        label,
        layout,
        entries: [
          { binding: 0, resource: { buffer: params, size: paramsBytes } },
          ...buffers.map((buffer, i) => ({ binding: i + 1, resource: { buffer } })),
        ],
      });
      this.groups.set(key, group);
    }
    return group;
  }

  private numberOf(object: object): number {
    let number = this.numbers.get(object);
    if (number === undefined) {
      number = this.count++;
      this.numbers.set(object, number);
    }
    return number;
  }
}
