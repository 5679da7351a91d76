import type { MsmExecutor } from '../../msm/backend.js';

/** The fewest proofs of the GPU that count: in the first ones bases are uploaded, and a GPU that idled has lowered its clock. */
const FEWEST_ON_GPU = 4;

/** The workers are to be clearly faster, since they prepare the key once more to take over: they take at most this part of the GPU's time. */
const CLEARLY_FASTER = 0.75;

/** The times of a key's proofs on the GPU and on the workers, which tell what proves it faster on this machine. */
export class ProofTimes {
  private readonly fastest = new Map<MsmExecutor, number>();
  private onGpu = 0;

  /** Notes that a proof took `ms` to compute. One that several executors shared tells nothing. */
  add(executors: ReadonlySet<MsmExecutor>, ms: number): void {
    const [executor, ...others] = executors;
    if (executor === undefined || others.length > 0) return;
    this.fastest.set(executor, Math.min(ms, this.fastest.get(executor) ?? ms));
    if (executor === 'webgpu') this.onGpu++;
  }

  /** Whether the workers are known to be clearly faster than the GPU. */
  get favoursWorkers(): boolean {
    const [gpu, workers] = [this.fastest.get('webgpu'), this.fastest.get('wasm')];
    if (gpu === undefined || workers === undefined || this.onGpu < FEWEST_ON_GPU) return false;
    return workers <= CLEARLY_FASTER * gpu;
  }
}
