import type { Prover, ProverOptions } from '../../../../sdk/api/index.js';
import type { KernelMethod } from '../../../../sdk/executors/workers/kernel/kernel-host.js';
import { FakeWorker } from '../../../support/fake-worker.js';
import { inPlaceProver } from '../../../support/in-place-prover.js';
import { WatchedHost } from '../../../support/watched-host.js';
import { type VirtualDevice, type VirtualGpuOptions, virtualGpu } from '../virtual-gpu.js';

/** A prover that is made from the sources, on a virtual GPU, and the devices that it has opened. */
export async function proverOnGpu(
  options: ProverOptions,
  { onMethod, ...watch }: VirtualGpuOptions & { readonly onMethod?: (method: KernelMethod) => void } = {},
): Promise<{ prover: Prover; devices: readonly VirtualDevice[] }> {
  const { gpu, devices } = await virtualGpu(watch);
  const spawnKernel = () => new FakeWorker((emit) => new WatchedHost(emit, (method) => onMethod?.(method)));
  const prover = await inPlaceProver({ threads: 1, ...options }, { gpu: async () => gpu, spawnKernel });
  return { prover, devices };
}
