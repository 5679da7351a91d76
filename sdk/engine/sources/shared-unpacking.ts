import { joinBytes } from '../../base/bytes.js';
import { laterPart } from '../../base/load-part.js';
import { type CurveId, type GroupId, pointBytes } from '../../curves/index.js';
import type { GpuRoots } from '../../executors/gpu/roots/gpu-roots.js';
import type { GpuDevice } from '../../executors/gpu/runtime/device.js';
import type { UnpackingKernels } from '../../files/packed/packed-key.js';

const loadGpuRoots = laterPart('square roots on the GPU', () => import('../../executors/gpu/roots/gpu-roots.js'));

/** How much longer a point of G2 takes than one of G1. */
const COST = { g1: 1, g2: 3 } as const;
/** Milliseconds of a worker for a point of G1, until they are measured by a job of so many points. */
const FIRST_WORKER_MS = 0.03;
const MEASURED_POINTS = 2 ** 10;
/** Milliseconds of the GPU for a batch, so that the last one ends soon. */
const BATCH_MS = 25;
/** Batches on the GPU at a time: one is computed while the points of the other are fetched. */
const MOST_BATCHES = 2;

/** A device's square roots, by curve and group. What was measured serves later keys, too. */
export class RootsOnDevice {
  private readonly groups = new Map<string, { roots?: GpuRoots }>();
  /** Points of G1 a millisecond; undefined until they are measured. */
  rate: number | undefined;
  /** Cleared when the workers found points where the device found none. */
  isTrusted = true;

  constructor(private readonly device: GpuDevice) {}

  /** The roots of a group, when its kernel is compiled; the first call begins to. */
  of(curve: CurveId, group: GroupId): GpuRoots | undefined {
    if (!this.isTrusted) return undefined;
    const key = `${curve} ${group}`;
    const known = this.groups.get(key);
    if (known !== undefined) return known.roots;
    const opening: { roots?: GpuRoots } = {};
    this.groups.set(key, opening);
    const open = async (): Promise<void> => {
      const { GpuRoots } = await loadGpuRoots();
      const roots = new GpuRoots(this.device, curve, group);
      await roots.ready;
      opening.roots = roots;
    };
    // The workers do without.
    open().catch(() => undefined);
    return undefined;
  }

  /** Frees the memory on the device until there are points again. */
  release(): void {
    for (const { roots } of this.groups.values()) roots?.release();
  }
}

/** Points to compute, and who waits for them. */
interface Job {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly what: string;
  readonly first: number;
  /** In points of G1. */
  readonly cost: number;
  resolve(points: Uint8Array): void;
  reject(error: unknown): void;
}

/**
 * Computes points of a packed key on the workers and on a GPU: both take what has arrived from one queue. When it is
 * free, the GPU takes as much as it can compute in `BATCH_MS`; a worker takes the next job unless the GPU would have
 * done the whole queue sooner. The workers compute again what the GPU finds no point for, and everything from the first
 * failure of the device on. What the GPU found is not checked to be on the curve here.
 */
export class SharedUnpacking implements UnpackingKernels {
  /** Whether points are from the GPU. */
  hasUsedGpu = false;
  private gpu: RootsOnDevice | undefined;
  private isStopped = false;
  private queue: Job[] = [];
  private isHandingOut = false;
  private onWorkers = 0;
  private batches = 0;
  /** The cost of the batches, and when the last one ended. */
  private onGpu = 0;
  private lastEnd = 0;
  private workerMs = FIRST_WORKER_MS;

  /**
   * @param width how many jobs the workers are given at a time.
   * @param opening the GPU, which may still be opened; undefined if there is none that is faster than the workers.
   */
  constructor(
    private readonly workers: UnpackingKernels,
    private readonly width: number,
    opening: Promise<RootsOnDevice | undefined>,
  ) {
    opening.then(
      (gpu) => {
        if (!this.isStopped) this.gpu = gpu;
      },
      () => undefined,
    );
  }

  /** Leaves later points to the workers, and frees the memory on the GPU. */
  stopGpu(): void {
    this.gpu?.release();
    this.gpu = undefined;
    this.isStopped = true;
  }

  decompress(
    curve: CurveId,
    group: GroupId,
    compressed: Uint8Array<ArrayBuffer>,
    what: string,
    first: number,
  ): Promise<Uint8Array> {
    // The GPU takes as many as it can of all points that are asked for in one turn.
    if (!this.isHandingOut) queueMicrotask(() => this.handOut());
    this.isHandingOut = true;
    return new Promise((resolve, reject) => {
      const cost = (COST[group] * 2 * compressed.length) / pointBytes(curve, group);
      this.queue.push({ curve, group, compressed, what, first, cost, resolve, reject });
    });
  }

  transform(curve: CurveId, values: Uint8Array, direction: 'forward' | 'inverse'): Promise<Uint8Array> {
    return this.workers.transform(curve, values, direction);
  }

  private handOut(): void {
    this.isHandingOut = false;
    while (this.toGpu());
    while (this.onWorkers < this.width && this.queue.length > 0 && !this.isGpuSooner()) {
      void this.onWorker(this.queue.shift()!);
    }
  }

  /** Whether the GPU will have done all that waits before a worker would have done the next job. */
  private isGpuSooner(): boolean {
    const { gpu, queue } = this;
    const [next] = queue;
    if (gpu?.rate === undefined || next === undefined || gpu.of(next.curve, next.group) === undefined) return false;
    const waiting = queue.reduce((sum, { cost }) => sum + cost, this.onGpu);
    return waiting / gpu.rate < next.cost * this.workerMs;
  }

  /** Gives the GPU a batch; false if it takes none now. */
  private toGpu(): boolean {
    const { gpu } = this;
    if (gpu === undefined || this.batches >= (gpu.rate === undefined ? 1 : MOST_BATCHES)) return false;
    const first = this.queue.find(({ curve, group }) => gpu.of(curve, group) !== undefined);
    if (first === undefined) return false;
    const roots = gpu.of(first.curve, first.group)!;
    const most = Math.min((gpu.rate ?? 0) * BATCH_MS, roots.mostPoints * COST[first.group]);
    const batch: Job[] = [];
    const rest: Job[] = [];
    let cost = 0;
    for (const job of this.queue) {
      const isOfGroup = job.curve === first.curve && job.group === first.group;
      if (isOfGroup && (batch.length === 0 || cost + job.cost <= most)) {
        batch.push(job);
        cost += job.cost;
      } else rest.push(job);
    }
    this.queue = rest;
    void this.byGpu(gpu, roots, batch, { cost, most });
    return true;
  }

  /** @param most the cost of a full batch. */
  private async byGpu(
    gpu: RootsOnDevice,
    roots: GpuRoots,
    batch: readonly Job[],
    { cost, most }: { readonly cost: number; readonly most: number },
  ): Promise<void> {
    const since = Math.max(performance.now(), this.lastEnd);
    this.batches++;
    this.onGpu += cost;
    try {
      const { points, missing } = await roots.decompress(joinBytes(batch.map(({ compressed }) => compressed)));
      this.lastEnd = performance.now();
      const rate = cost / Math.max(0.1, this.lastEnd - since);
      // The time of a batch that is far from full is mostly overhead.
      if (gpu.rate === undefined || rate > gpu.rate || cost > most / 2) gpu.rate = rate;
      this.hasUsedGpu = true;
      let at = 0;
      for (const job of batch) {
        const end = at + 2 * job.compressed.length;
        const size = pointBytes(job.curve, job.group);
        if (missing.some((point) => point * size >= at && point * size < end)) void this.onWorker(job, gpu);
        else job.resolve(points.subarray(at, end));
        at = end;
      }
    } catch {
      if (this.gpu === gpu) this.gpu = undefined;
      this.queue.unshift(...batch);
    }
    this.batches--;
    this.onGpu -= cost;
    this.handOut();
  }

  /** @param doubted the GPU that found no points for the job. */
  private async onWorker(job: Job, doubted?: RootsOnDevice): Promise<void> {
    const { curve, group, compressed, what, first, cost, resolve, reject } = job;
    const since = performance.now();
    this.onWorkers++;
    try {
      resolve(await this.workers.decompress(curve, group, compressed, what, first));
      if (cost >= MEASURED_POINTS) this.workerMs = (performance.now() - since) / cost;
      if (doubted !== undefined) doubted.isTrusted = false;
    } catch (error) {
      reject(error);
    }
    this.onWorkers--;
    this.handOut();
  }
}
