import { setImmediate as messagesHandled } from 'node:timers/promises';
import type { Prover, ProverOptions } from '../../../sdk/api.js';
import {
  type KernelArguments,
  KernelHost,
  type KernelMethod,
  type KernelResult,
} from '../../../sdk/cpu/kernel/kernel-host.js';
import type { CurveId } from '../../../sdk/curves/index.js';
import { FakeWorker } from '../../support/fake-worker.js';
import { inPlaceProver } from '../../support/in-place-prover.js';
import { type VirtualDevice, type VirtualGpuOptions, virtualGpu } from '../virtual-gpu.js';

/** A prover that is made from the sources, on a virtual GPU, and the devices that it has opened. */
export async function proverOnGpu(
  options: ProverOptions,
  { onMethod, ...watch }: VirtualGpuOptions & { readonly onMethod?: (method: KernelMethod) => void } = {},
): Promise<{ prover: Prover; devices: readonly VirtualDevice[] }> {
  const { gpu, devices } = await virtualGpu(watch);
  class WatchedHost extends KernelHost {
    override run<M extends KernelMethod>(
      curve: CurveId,
      method: M,
      args: KernelArguments<M>,
      task: number,
    ): Promise<KernelResult<M>> {
      onMethod?.(method);
      return super.run(curve, method, args, task);
    }
  }
  const spawnKernel = () => new FakeWorker((emit) => new WatchedHost(emit, messagesHandled));
  const prover = await inPlaceProver({ threads: 1, ...options }, { gpu: async () => gpu, spawnKernel });
  return { prover, devices };
}
