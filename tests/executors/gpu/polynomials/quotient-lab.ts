import { bytesToBigint } from '../../../../sdk/base/bytes.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../../sdk/curves/index.js';
import { wgslLimbs } from '../../../../sdk/curves/limbs.js';
import { polynomialKernelCode, polynomialKernelKey } from '../../../../sdk/executors/gpu/polynomials/compose.js';
import type { QuotientBuffer } from '../../../../sdk/executors/gpu/polynomials/quotient-stages.js';
import { elementBytes } from '../../../../sdk/executors/gpu/polynomials/scalar-field.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { BufferUsage, MapMode } from '../../../../sdk/executors/gpu/runtime/flags.js';
import { Pace } from '../../../../sdk/executors/gpu/runtime/pace.js';
import type { StagePipeline } from '../../../../sdk/executors/gpu/runtime/pipelines.js';
import { Scratch } from '../../../../sdk/executors/gpu/runtime/scratch.js';
import { layOut } from '../../../../sdk/executors/gpu/runtime/scratch-layout.js';
import type { GpuKernel } from '../../../../sdk/executors/gpu/runtime/stage.js';
import type { Step } from '../../../../sdk/executors/gpu/runtime/steps.js';
import { Submitter } from '../../../../sdk/executors/gpu/runtime/submitter.js';

/** The curves with transforms. */
export const TRANSFORM_CURVES = Object.values(CURVES).filter(({ transforms }) => transforms !== undefined);

/** Runs steps of a quotient between buffers that the test fills and reads. */
export class QuotientLab {
  private readonly scratch: Scratch<QuotientBuffer>;
  private readonly extra: GPUBuffer[] = [];

  constructor(
    readonly gpu: GpuDevice,
    readonly curve: CurveId,
  ) {
    this.scratch = new Scratch(gpu);
  }

  /** Buffers with the given elements; with so many zeros, where a number is given. */
  async fill(contents: Partial<Record<QuotientBuffer, readonly bigint[] | number>>): Promise<void> {
    const bytes = (Object.entries(contents) as [QuotientBuffer, readonly bigint[] | number][]).map(
      ([buffer, elements]) =>
        [
          buffer,
          typeof elements === 'number' ? new Uint8Array(elements * SCALAR_BYTES) : elementBytes(this.curve, elements),
        ] as const,
    );
    const sizes = Object.fromEntries(bytes.map(([buffer, { length }]) => [buffer, length]));
    const lifetimes = new Map(bytes.map(([buffer]) => [buffer, { from: 0, to: 0 }]));
    await this.scratch.prepare(layOut(sizes, lifetimes), Number.POSITIVE_INFINITY);
    for (const [buffer, content] of bytes) this.gpu.device.queue.writeBuffer(this.scratch.get(buffer), 0, content);
  }

  /** A buffer that is no scratch. */
  buffer(contents: Uint8Array | Uint32Array | number): GPUBuffer {
    const { device } = this.gpu;
    const size = typeof contents === 'number' ? contents : contents.byteLength;
    const usage = BufferUsage.STORAGE | BufferUsage.COPY_DST | BufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ size, usage });
    if (typeof contents !== 'number') device.queue.writeBuffer(buffer, 0, contents as Uint8Array<ArrayBuffer>);
    this.extra.push(buffer);
    return buffer;
  }

  async run(steps: Iterable<Step<QuotientBuffer>>): Promise<void> {
    const all = [...steps];
    const compiled = new Map<GpuKernel, StagePipeline>();
    for (const step of all) {
      if (step.kind !== 'dispatch') continue;
      const { kernel } = step.dispatch;
      const code = await polynomialKernelCode(this.curve, kernel);
      compiled.set(kernel, await this.gpu.pipelines.get(polynomialKernelKey(this.curve, kernel), kernel, code));
    }
    const submitter = new Submitter(this.gpu, {
      pipeline: (kernel) => compiled.get(kernel)!,
      scratch: this.scratch,
      limbs: wgslLimbs(CURVES[this.curve].fr.bits),
      pace: new Pace(true),
    });
    await submitter.submit(all);
    await submitter.finish();
    submitter.close();
  }

  /** The elements of a buffer as integers, which may exceed the modulus. */
  async read(buffer: QuotientBuffer | GPUBuffer): Promise<bigint[]> {
    const source = typeof buffer === 'string' ? this.scratch.get(buffer) : buffer;
    const size = typeof buffer === 'string' ? this.scratch.bytesOf(buffer) : buffer.size;
    return elementsOf(await readBuffer(this.gpu, source, size));
  }

  destroy(): void {
    this.scratch.destroy();
    for (const buffer of this.extra) buffer.destroy();
  }
}

export function elementsOf(bytes: Uint8Array): bigint[] {
  return Array.from({ length: bytes.length / SCALAR_BYTES }, (_, i) =>
    bytesToBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES),
  );
}

/** The first bytes of a buffer. */
export async function readBuffer(
  { device }: Pick<GpuDevice, 'device'>,
  source: GPUBuffer,
  size = source.size,
): Promise<Uint8Array> {
  const target = device.createBuffer({ size, usage: BufferUsage.MAP_READ | BufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, 0, target, 0, size);
  device.queue.submit([encoder.finish()]);
  await target.mapAsync(MapMode.READ);
  const bytes = new Uint8Array(target.getMappedRange()).slice();
  target.destroy();
  return bytes;
}
