import type { CurveId, GroupId } from '../../../curves/index.js';
import type { GpuDevice, Products } from '../runtime/device.js';
import type { StagePipeline } from '../runtime/pipelines.js';
import type { GpuKernel } from '../runtime/stage.js';
import { msmKernelCode, msmKernelKey } from './compose.js';
import { type KernelChoice, kernelsFor } from './msm-steps.js';

/** The kernels of a multiplication, and how they multiply where they leave the choice. */
export interface CompiledKernels extends KernelChoice {
  readonly products: Products;
}

/** The compiled kernels of multiplications over one group. */
export class GroupKernels {
  private readonly pipelines = new Map<string, Promise<ReadonlyMap<GpuKernel, StagePipeline>>>();

  constructor(
    private readonly gpu: GpuDevice,
    private readonly curve: CurveId,
    private readonly group: GroupId,
  ) {}

  /** The kernels, compiled when they are first asked for. A failure shows in the multiplication that needs them. */
  pipelinesFor(choice: CompiledKernels): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
    const key = `${choice.digitsFrom} ${choice.reduction} ${choice.products}`;
    let compiled = this.pipelines.get(key);
    if (compiled === undefined) {
      compiled = this.compile(choice);
      compiled.catch(() => undefined);
      this.pipelines.set(key, compiled);
    }
    return compiled;
  }

  private async compile({ products, ...choice }: CompiledKernels): Promise<ReadonlyMap<GpuKernel, StagePipeline>> {
    const { curve, group } = this;
    const { pipelines } = this.gpu;
    const compiled = kernelsFor(choice).map(async (kernel): Promise<[GpuKernel, StagePipeline]> => {
      const code = await msmKernelCode(curve, group, kernel, products);
      return [kernel, await pipelines.get(msmKernelKey(curve, group, kernel, products), kernel, code)];
    });
    return new Map(await Promise.all(compiled));
  }
}
