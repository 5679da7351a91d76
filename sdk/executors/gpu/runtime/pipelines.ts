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
