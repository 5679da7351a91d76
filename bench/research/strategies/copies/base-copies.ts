import { PippinError } from '../../../../sdk/base/errors.js';
import { pointForm } from '../../../../sdk/bases/prepared.js';
import type { CurveId } from '../../../../sdk/curves/index.js';
import { msmKernelCode, msmKernelKey } from '../../../../sdk/executors/gpu/msm/compose.js';
import { FULL_ADDITION_COST } from '../../../../sdk/executors/gpu/msm/cost.js';
import { pointLayout } from '../../../../sdk/executors/gpu/msm/point-layout.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { BufferUsage } from '../../../../sdk/executors/gpu/runtime/flags.js';
import { Pace } from '../../../../sdk/executors/gpu/runtime/pace.js';
import { Scratch } from '../../../../sdk/executors/gpu/runtime/scratch.js';
import { given } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { submitSteps } from '../../../../sdk/executors/gpu/runtime/submitter.js';
import { uploadInto } from '../../../../sdk/executors/gpu/runtime/upload-buffer.js';
import { fieldInverse, INVERSION_PARAMS, inversionParams } from '../lib/field-inverse.js';
import { storeBase } from '../lib/store-base.js';
import { type Copies, defineStrategyStage, run, type StrategyBuffer } from '../strategy.js';
import shader from './double-bases.wgsl';
import toEdwards from './to-base-edwards.wgsl';
import toWeierstrass from './to-base-weierstrass.wgsl';

/** Bringing a point to affine form costs about so many additions. */
const NORMALISING_COST = 10;

/** Bases in a buffer of the device, and behind them their multiples by powers of 2, which the device computes. */
export class BaseCopies {
  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
  ) {}

  /** Brings `count` prepared points to the device and computes their copies. The caller destroys the buffer. */
  async make(points: Uint8Array, count: number, copies: Copies): Promise<GPUBuffer> {
    const { gpu } = this;
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
    const size = points.byteLength * copies.count;
    const most = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    if (size > most) {
      throw new PippinError('OUT_OF_MEMORY', `expected at most ${most} bytes of bases with their copies, got ${size}`);
    }
    const usage = BufferUsage.STORAGE | BufferUsage.COPY_DST;
    const { value: buffer, done } = gpu.checked(() => gpu.device.createBuffer({ label: 'bases', size, usage }));
    try {
      await done;
      await uploadInto(gpu, buffer, points, {});
      if (copies.count > 1) await this.fill(buffer, count, copies);
    } catch (error) {
      buffer.destroy();
      throw error;
    }
    return buffer;
  }

  private async fill(buffer: GPUBuffer, count: number, copies: Copies): Promise<void> {
    const { gpu, curve } = this;
    const stage = doubleBasesStage(curve);
    const code = await msmKernelCode(curve, 'g1', stage, gpu.products);
    const pipeline = await gpu.pipelines.get(msmKernelKey(curve, 'g1', stage, gpu.products), stage, code);
    const steps = Array.from({ length: copies.count - 1 }, (_, j) => [
      ...run(stage.dispatches({ buffer, count, copy: j + 1, doublings: copies.doublings })),
    ]).flat();
    const scratch = new Scratch<StrategyBuffer>(gpu);
    await scratch.prepare({ allocations: [], buffers: new Map() }, Number.POSITIVE_INFINITY);
    try {
      const { finished } = await submitSteps(gpu, steps, {
        pipelines: new Map([[stage, pipeline]]),
        scratch,
        limbs: pointLayout(curve, 'g1').limbs,
        pace: new Pace(gpu.info.isSoftware),
        stageTimer: undefined,
        isSecret: false,
        signal: undefined,
        onProgress: undefined,
      });
      await finished;
    } finally {
      scratch.destroy();
    }
  }
}

interface Doubling {
  readonly buffer: GPUBuffer;
  /** Points of a copy. */
  readonly count: number;
  /** The number of the copy that is made. */
  readonly copy: number;
  readonly doublings: number;
}

function doubleBasesStage(curve: CurveId) {
  const toBase = pointForm(curve, 'g1') === 'edwards' ? toEdwards : toWeierstrass;
  return defineStrategyStage({
    name: 'double-bases',
    entry: 'threads',
    workgroupSize: 64,
    arithmetic: 'points',
    bindings: { bases: given('read_write') },
    params: ['count', 'doublings', ...INVERSION_PARAMS],
    libraries: [fieldInverse(curve), toBase, storeBase(curve, 'base', 'bases')],
    shader,
    dispatches: ({ buffer, count, copy, doublings }: Doubling) => [
      {
        first: copy * count,
        end: (copy + 1) * count,
        params: { count, doublings, ...inversionParams(curve) },
        buffers: { bases: buffer },
        cost: doublings * FULL_ADDITION_COST + NORMALISING_COST,
      },
    ],
  });
}
