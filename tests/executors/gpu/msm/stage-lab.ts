import { CURVES, type CurveId, type GroupId, SCALAR_BYTES } from '../../../../sdk/curves/index.js';
import { msmKernelCode, msmKernelKey } from '../../../../sdk/executors/gpu/msm/compose.js';
import type { MsmPlan } from '../../../../sdk/executors/gpu/msm/plan.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import { productKinds } from '../../../../sdk/executors/gpu/msm/product-forms.js';
import type { MsmBuffer } from '../../../../sdk/executors/gpu/msm/stages/msm-stage.js';
import type { PassChunk } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import type { GpuDevice, Products } from '../../../../sdk/executors/gpu/runtime/device.js';
import { BufferUsage, MapMode } from '../../../../sdk/executors/gpu/runtime/flags.js';
import { Pace } from '../../../../sdk/executors/gpu/runtime/pace.js';
import type { StagePipeline } from '../../../../sdk/executors/gpu/runtime/pipelines.js';
import { Scratch } from '../../../../sdk/executors/gpu/runtime/scratch.js';
import { layOut } from '../../../../sdk/executors/gpu/runtime/scratch-layout.js';
import type { Dispatch, GpuKernel } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { Submitter } from '../../../../sdk/executors/gpu/runtime/submitter.js';
import { isTestedOnGpu } from '../../../support/combinations.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import { CURVES_ON_GPU } from '../../../support/registry.js';
import { sharedDevice } from '../test-device.js';

/**
 * Each curve on the GPU with each kind of product in the addition of bases. A software adapter takes several seconds to
 * compile an addition by bytes or unrolled, and the tests of fields run these products for all curves. So additions by
 * bytes, whose elements have another form, are tested on one curve of each shape; unrolled ones, by Karatsuba's method
 * and by words, which differ in the product alone, on one curve.
 */
export const VARIANTS = CURVES_ON_GPU.filter(
  ({ id, coordinateBytes }) => coordinateBytes < 96 || isTestedOnGpu(id, 'g1'),
).flatMap(({ id: curve, fq }): { readonly curve: CurveId; readonly products: Products }[] =>
  productKinds(fq.bits, 'g1')
    .filter((products) => {
      if (products === 'limbs') return true;
      return products === 'bytes' ? isTestedOnGpu(curve, 'g1') : EVERY_COMBINATION || curve === CURVES_ON_GPU[0]!.id;
    })
    .map((products) => ({ curve, products })),
);

/**
 * The variants whose MSMs are tested. The group law is tested on all. Above it two curves of the same form, with
 * coordinates of as many words, differ in constants alone: one of them is tested.
 */
export const VARIANTS_OF_SUMS = VARIANTS.filter(
  (variant, i) => EVERY_COMBINATION || VARIANTS.findIndex((other) => kindOf(other) === kindOf(variant)) === i,
);

function kindOf({ curve, products }: (typeof VARIANTS)[number]): string {
  const { edwards, fq } = CURVES[curve];
  return `${edwards === undefined} ${Math.ceil(fq.bits / 32)} ${products}`;
}

/** Runs single stages on the GPU between buffers that the test fills and reads. */
export class StageLab {
  private readonly scratch: Scratch<MsmBuffer>;
  private readonly extra: GPUBuffer[] = [];

  constructor(
    readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
    private readonly products: Products,
  ) {
    this.scratch = new Scratch(gpu);
  }

  /** Buffers of the given words, filled with them; of a number of words, filled with zeros. */
  async fill(contents: Partial<Record<MsmBuffer, Uint32Array | number>>): Promise<void> {
    const words = new Map(
      (Object.entries(contents) as [MsmBuffer, Uint32Array | number][]).map(([buffer, content]) => [
        buffer,
        typeof content === 'number' ? new Uint32Array(content) : content,
      ]),
    );
    const sizes = Object.fromEntries([...words].map(([buffer, { byteLength }]) => [buffer, byteLength]));
    // All are needed at once.
    const lifetimes = new Map([...words.keys()].map((buffer) => [buffer, { from: 0, to: 0 }]));
    await this.scratch.prepare(layOut(sizes, lifetimes), Number.POSITIVE_INFINITY);
    for (const [buffer, content] of words) this.gpu.device.queue.writeBuffer(this.scratch.get(buffer), 0, content);
  }

  /** A buffer of bases. */
  bases(words: Uint32Array): GPUBuffer {
    const { device } = this.gpu;
    const buffer = device.createBuffer({ size: words.byteLength, usage: BufferUsage.STORAGE | BufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, words);
    this.extra.push(buffer);
    return buffer;
  }

  async run(dispatches: readonly Dispatch<MsmBuffer>[]): Promise<void> {
    const compiled = new Map<GpuKernel, StagePipeline>();
    for (const { kernel } of dispatches) compiled.set(kernel, await this.compile(kernel));
    const submitter = new Submitter(this.gpu, {
      pipeline: (kernel) => compiled.get(kernel)!,
      scratch: this.scratch,
      limbs: pointLayout(this.curve, this.group).limbs,
      pace: new Pace(true),
    });
    await submitter.submit(dispatches.map((dispatch) => ({ kind: 'dispatch', dispatch })));
    await submitter.finish();
    submitter.close();
  }

  async read(buffer: MsmBuffer): Promise<Uint32Array> {
    const { device } = this.gpu;
    const size = this.scratch.bytesOf(buffer);
    const target = device.createBuffer({ size, usage: BufferUsage.MAP_READ | BufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.scratch.get(buffer), 0, target, 0, size);
    device.queue.submit([encoder.finish()]);
    await target.mapAsync(MapMode.READ);
    const words = new Uint32Array(target.getMappedRange()).slice();
    target.destroy();
    return words;
  }

  destroy(): void {
    this.scratch.destroy();
    for (const buffer of this.extra) buffer.destroy();
  }

  private async compile(kernel: GpuKernel): Promise<StagePipeline> {
    const { curve, group, products } = this;
    const code = await msmKernelCode(curve, group, kernel, products);
    return this.gpu.pipelines.get(msmKernelKey(curve, group, kernel, products), kernel, code);
  }
}

export async function openLab(
  curve: CurveId = 'bn254',
  products: Products = 'limbs',
  group: GroupId = 'g1',
): Promise<StageLab> {
  return new StageLab(await sharedDevice(products), curve, group, products);
}

/** A plan with the given cuts, for stages that are tested by themselves; a row a window unless told otherwise. */
export function shape(plan: Partial<MsmPlan> & Pick<MsmPlan, 'windowBits' | 'windows'>): MsmPlan {
  return {
    multiples: 1,
    rows: plan.windows,
    bucketsPerRow: 1 << (plan.windowBits - 1),
    reduction: 'merged',
    rowsPerPass: plan.rows ?? plan.windows,
    chunkPoints: 1,
    points: 1,
    batch: 1,
    batchPerPass: 1,
    digitsFrom: 'scalars',
    scalarBytes: SCALAR_BYTES,
    pieceLength: 16,
    fullLength: plan.pieceLength ?? 16,
    sumBytes: 0,
    additionCost: 1,
    ...plan,
  };
}

/** All rows of one multiplication over all points of a plan. */
export function wholeChunk(plan: MsmPlan, changes: Partial<PassChunk> = {}): PassChunk {
  return {
    plan,
    firstRow: 0,
    rows: plan.rowsPerPass,
    points: plan.chunkPoints,
    firstPoint: 0,
    batch: plan.batchPerPass,
    firstOfBatch: 0,
    bases: undefined as never,
    firstBase: 0,
    multipleStride: plan.chunkPoints,
    continued: false,
    ...changes,
  };
}
