import type { CurveId } from '../../../sdk/curves/index.js';
import type { GpuDevice } from '../../../sdk/executors/gpu/runtime/device.js';
import { backendContender, type Contender, strategyContender } from './contender.js';
import type { Strategy } from './strategy.js';

/** The contenders of a curve on one device, which is opened again if it was lost. */
export class Contenders {
  private gpu: GpuDevice | undefined;
  private readonly made = new Map<Strategy | undefined, Contender>();

  constructor(
    private readonly curve: CurveId,
    private readonly open: () => Promise<GpuDevice>,
  ) {}

  /** A strategy with its kernels compiled; the whole backend where none is given. */
  async get(strategy: Strategy | undefined): Promise<Contender> {
    const gpu = await this.device();
    const found = this.made.get(strategy);
    if (found !== undefined) return found;
    const making =
      strategy === undefined ? backendContender(gpu, this.curve) : strategyContender(gpu, this.curve, strategy);
    const contender = await making;
    this.made.set(strategy, contender);
    return contender;
  }

  /** Gives back the memory of a contender that waits for the next size. */
  rest(strategy: Strategy | undefined): void {
    this.made.get(strategy)?.rest();
  }

  async close(): Promise<void> {
    await this.gpu?.destroy();
  }

  private async device(): Promise<GpuDevice> {
    try {
      this.gpu?.throwIfLost();
    } catch {
      this.gpu = undefined;
      this.made.clear();
    }
    this.gpu ??= await this.open();
    return this.gpu;
  }
}
