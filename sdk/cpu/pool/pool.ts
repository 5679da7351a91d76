import * as Comlink from 'comlink';
import { abortError, onAbort, throwIfAborted } from '../../abort.js';
import type { CurveId } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import type { WorkerChannel } from '../../transport/channel.js';
import { type Remote, remote } from '../../transport/remote.js';
import type { KernelArguments, KernelEvent, KernelHost, KernelMethod, KernelResult } from '../kernel/kernel-host.js';
import { redone } from './redo.js';

export interface PoolCallOptions {
  /** The worker to run on; any idle one when left out. */
  readonly worker?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** The byte arrays among the arguments, each in a buffer of its own, are moved instead of copied; such a call cannot be done again. */
  readonly moved?: boolean | undefined;
  /** Others wait for the result: starts before the calls that are not urgent. */
  readonly urgent?: boolean | undefined;
}

interface Job {
  readonly id: number;
  readonly worker: number | undefined;
  readonly urgent: boolean;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** Sends the work; settles when the worker has answered. */
  readonly send: (host: Remote<KernelHost>) => Promise<void>;
  readonly reject: (error: PippinError) => void;
}

/** One kernel worker: a job at a time, because a kernel's memory serves one computation. */
interface PoolWorker {
  channel: WorkerChannel;
  host: Remote<KernelHost>;
  /** Counts the workers that have stood in this place; what was loaded into an earlier one is gone. */
  generation: number;
  current: Job | undefined;
  /** Why the place stands empty, once its workers have died too often. */
  failure: PippinError | undefined;
}

/**
 * The kernel workers. Jobs start in the order in which they were called, urgent ones first: one that names its worker
 * waits for that worker, any other takes the first that is idle and not reserved. A worker that dies is replaced, and its job is
 * done again, once, unless the dead worker had something that only the caller can give to another: then it fails with
 * `WORKER_FAILED`.
 */
export class KernelPool {
  private readonly workers: PoolWorker[] = [];
  private readonly modules = new Map<CurveId, WebAssembly.Module>();
  private waiting: Job[] = [];
  /** For each reservation the number of workers that it keeps for urgent jobs. */
  private readonly reservations = new Set<{ readonly workers: number }>();
  private nextJob = 1;
  private disposed = false;

  constructor(
    private readonly spawn: () => WorkerChannel,
    size: number,
  ) {
    for (let index = 0; index < size; index++) this.workers.push(this.startWorker(index, 0));
  }

  get size(): number {
    return this.workers.length;
  }

  /** Changes whenever a worker is replaced. */
  generation(worker: number): number {
    return this.workers[worker]!.generation;
  }

  /** Makes a curve's kernel ready on every worker. `WORKER_FAILED` when one cannot start, or none is left. */
  async open(curve: CurveId, module: WebAssembly.Module): Promise<void> {
    const living = this.workers.filter(({ failure }) => failure === undefined);
    if (living.length === 0) throw this.workers[0]!.failure;
    if (this.modules.has(curve)) return;
    this.modules.set(curve, module);
    await Promise.all(
      living.map(({ host, channel }) =>
        Promise.race([host.open(curve, module), new Promise<never>((_, reject) => channel.onFailure(reject))]),
      ),
    );
  }

  call<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    options: PoolCallOptions = {},
  ): Promise<KernelResult<M>> {
    const start = (): Promise<KernelResult<M>> => this.callOnce(curve, method, args, options);
    return options.worker === undefined && !options.moved ? redone(start) : start();
  }

  private callOnce<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    options: PoolCallOptions,
  ): Promise<KernelResult<M>> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      throwIfAborted(signal);
      if (this.disposed) throw new PippinError('DISPOSED', 'expected a running prover, got one that was disposed');
      const id = this.nextJob++;
      const settle = onAbort(signal, () => {
        this.abandon(id);
        reject(abortError(signal));
      });
      this.enqueue({
        id,
        worker: options.worker,
        urgent: options.urgent ?? false,
        onProgress: options.onProgress,
        send: async (host) => {
          try {
            const { sent, buffers } = ownBytes(args, options.moved ?? false);
            resolve(await host.run(curve, method, Comlink.transfer(sent, buffers), id));
          } catch (error) {
            reject(error);
          } finally {
            settle();
          }
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.dispatch();
    });
  }

  /**
   * Keeps the first `workers` workers for urgent jobs, so that these need not wait for long ones to end, until the function that it
   * gives is called.
   */
  reserve(workers: number): () => void {
    const reservation = { workers };
    this.reservations.add(reservation);
    return () => {
      this.reservations.delete(reservation);
      this.dispatch();
    };
  }

  dispose(): void {
    this.disposed = true;
    const error = new PippinError('DISPOSED', 'the prover was disposed');
    for (const job of this.waiting) job.reject(error);
    this.waiting = [];
    for (const worker of this.workers) {
      worker.current?.reject(error);
      worker.channel.terminate();
    }
  }

  /** Takes a waiting job out, or asks the worker that runs it to stop at its next step. */
  private abandon(id: number): void {
    this.waiting = this.waiting.filter((job) => job.id !== id);
    for (const worker of this.workers) {
      if (worker.current?.id === id) void worker.host.cancel(id);
    }
  }

  private enqueue(job: Job): void {
    const at = job.urgent ? this.waiting.findIndex((other) => !other.urgent) : -1;
    this.waiting.splice(at < 0 ? this.waiting.length : at, 0, job);
    this.rejectHopeless();
  }

  private dispatch(): void {
    const reserved = Math.max(0, ...[...this.reservations].map(({ workers }) => workers));
    for (const [index, worker] of this.workers.entries()) {
      if (worker.current !== undefined || worker.failure !== undefined) continue;
      const isFor = (job: Job): boolean =>
        (job.worker === undefined || job.worker === index) && (job.urgent || index >= reserved);
      const at = this.waiting.findIndex(isFor);
      if (at < 0) continue;
      const [job] = this.waiting.splice(at, 1);
      this.start(worker, job!);
    }
  }

  private start(worker: PoolWorker, job: Job): void {
    worker.current = job;
    void job.send(worker.host).then(() => {
      if (worker.current !== job) return;
      worker.current = undefined;
      this.dispatch();
    });
  }

  private startWorker(index: number, generation: number): PoolWorker {
    const channel = this.spawn();
    const worker: PoolWorker = {
      channel,
      host: remote<KernelHost>(channel.endpoint),
      generation,
      current: undefined,
      failure: undefined,
    };
    channel.onEvent((event) => {
      const { task, fraction } = event as KernelEvent;
      if (worker.current?.id === task) worker.current.onProgress?.(fraction);
    });
    channel.onFailure((error) => this.replace(index, error));
    return worker;
  }

  /**
   * Puts a fresh worker in the place of a dead one, unless that place has seen too many: then its script cannot run here,
   * and the jobs that need the place are told so.
   */
  private replace(index: number, error: PippinError): void {
    if (this.disposed) return;
    const dead = this.workers[index]!;
    const job = dead.current;
    dead.current = undefined;
    dead.channel.terminate();
    job?.reject(error);
    if (dead.generation >= MAX_REPLACEMENTS) {
      dead.failure = error;
      this.rejectHopeless();
      return;
    }
    const fresh = this.startWorker(index, dead.generation + 1);
    this.workers[index] = fresh;
    // A failure to open shows when the first job asks for the kernel.
    for (const [curve, module] of this.modules) fresh.host.open(curve, module).catch(() => undefined);
    // Those that wait for this worker want what was loaded into the dead one.
    const bereft = this.waiting.filter((waiting) => waiting.worker === index);
    this.waiting = this.waiting.filter((waiting) => waiting.worker !== index);
    for (const waiting of bereft) waiting.reject(error);
    this.dispatch();
  }

  /** Rejects the waiting jobs that no living worker may take. */
  private rejectHopeless(): void {
    const living = (job: Job): PoolWorker | undefined =>
      this.workers.find((worker, index) => worker.failure === undefined && (job.worker ?? index) === index);
    const hopeless = this.waiting.filter((job) => living(job) === undefined);
    this.waiting = this.waiting.filter((job) => !hopeless.includes(job));
    for (const job of hopeless) {
      // Every worker that might take the job has failed, so this one has.
      job.reject(this.workers[job.worker ?? 0]!.failure!);
    }
  }
}

/** Deaths of one worker after which its place is no longer filled. */
const MAX_REPLACEMENTS = 8;

/**
 * Arguments whose byte arrays fill buffers that may be moved to a worker. They are copied here and then moved: a view sent as it is would
 * take its whole buffer along, and any buffer would be copied twice. Those that are `moved` are taken as they are.
 */
function ownBytes<Arguments extends object>(
  args: Arguments,
  moved: boolean,
): { readonly sent: Arguments; readonly buffers: ArrayBuffer[] } {
  const sent: Record<string, unknown> = { ...(args as Record<string, unknown>) };
  const buffers: ArrayBuffer[] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (!(value instanceof Uint8Array)) continue;
    const own = moved ? value : new Uint8Array(value);
    sent[name] = own;
    buffers.push(own.buffer as ArrayBuffer);
  }
  return { sent: sent as Arguments, buffers };
}
