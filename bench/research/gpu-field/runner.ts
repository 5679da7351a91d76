import type { GpuDevice } from '../../../sdk/executors/gpu/runtime/device.js';
import { BufferUsage, MapMode } from '../../../sdk/executors/gpu/runtime/flags.js';
import { median } from '../../lib/measure.js';
import type { Contender } from './contender.js';
import { WORKGROUP } from './wgsl.js';

/** The measurements of a contender. */
export interface Figures {
  /** Milliseconds of a run: GPU time where there is `timestamp-query`, otherwise wall time. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Milliseconds for creating the pipeline, which is in no cache. */
  readonly compile: number;
}

/** Compiles a contender, checks its result, and only then times it. */
export async function measure(gpu: GpuDevice, contender: Contender, runs: number): Promise<Figures> {
  const { device } = gpu;
  const { kept, keptWords, threads, params, scratchWords, outputWords = kept * keptWords + threads } = contender;
  const start = performance.now();
  const pipeline = await gpu.whileAlive(
    device.createComputePipelineAsync({
      layout: 'auto',
      compute: { module: device.createShaderModule({ code: contender.code }), entryPoint: 'main' },
    }),
  );
  const compile = performance.now() - start;

  const { limbs, count, pointMask = 0, steps = 0, turns = 0 } = params;
  const words = new Uint32Array([limbs, count, kept, pointMask, steps, turns, 0, 0]);
  const buffers = [
    filled(device, words, BufferUsage.UNIFORM),
    filled(device, contender.input, BufferUsage.STORAGE),
    device.createBuffer({ size: 4 * outputWords, usage: BufferUsage.STORAGE | BufferUsage.COPY_SRC }),
    ...(scratchWords === undefined
      ? []
      : [device.createBuffer({ size: 4 * scratchWords, usage: BufferUsage.STORAGE })]),
  ];
  const clock = gpu.has('timestamp-query') ? new GpuClock(gpu) : undefined;
  try {
    const bindings = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const run = async (): Promise<number> => {
      const began = performance.now();
      const { done } = gpu.checked(() => {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass(clock === undefined ? {} : { timestampWrites: clock.writes });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindings);
        pass.dispatchWorkgroups(threads / WORKGROUP);
        pass.end();
        clock?.resolve(encoder);
        device.queue.submit([encoder.finish()]);
      });
      await done;
      await gpu.whileAlive(device.queue.onSubmittedWorkDone());
      return clock === undefined ? performance.now() - began : clock.read();
    };
    await run();
    contender.check(await readBack(gpu, buffers[2]!, kept * keptWords));
    const times: number[] = [];
    for (let i = 0; i < runs; i++) times.push(await run());
    return { median: median(times), min: Math.min(...times), max: Math.max(...times), compile };
  } finally {
    for (const buffer of buffers) buffer.destroy();
    clock?.destroy();
  }
}

function filled(device: GPUDevice, data: Uint32Array<ArrayBuffer>, usage: number): GPUBuffer {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | BufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}

async function readBack(gpu: GpuDevice, source: GPUBuffer, words: number): Promise<Uint32Array> {
  const { device } = gpu;
  const staging = device.createBuffer({ size: 4 * words, usage: BufferUsage.MAP_READ | BufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, 0, staging, 0, staging.size);
  device.queue.submit([encoder.finish()]);
  await gpu.whileAlive(staging.mapAsync(MapMode.READ));
  const result = new Uint32Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return result;
}

/** Measures the milliseconds of a compute pass with timestamp queries. */
class GpuClock {
  private readonly queries: GPUQuerySet;
  private readonly resolved: GPUBuffer;

  constructor(private readonly gpu: GpuDevice) {
    this.queries = gpu.device.createQuerySet({ type: 'timestamp', count: 2 });
    this.resolved = gpu.device.createBuffer({ size: 16, usage: BufferUsage.QUERY_RESOLVE | BufferUsage.COPY_SRC });
  }

  get writes(): GPUComputePassTimestampWrites {
    return { querySet: this.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
  }

  resolve(encoder: GPUCommandEncoder): void {
    encoder.resolveQuerySet(this.queries, 0, 2, this.resolved, 0);
  }

  async read(): Promise<number> {
    const [begin, end] = new BigUint64Array((await readBack(this.gpu, this.resolved, 4)).buffer);
    return Number(end! - begin!) / 1e6;
  }

  destroy(): void {
    this.queries.destroy();
    this.resolved.destroy();
  }
}
