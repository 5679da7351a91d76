import * as Comlink from 'comlink';
import { abortError, onAbort, throwIfAborted, untilAborted, withTimeout } from '../../../base/abort.js';
import { PippinError } from '../../../base/errors.js';
import { ownMembers } from '../../../base/records.js';
import type { CurveId } from '../../../curves/index.js';
import { retryOnDeadWorker } from '../../../recovery/attempt.js';
import type { WorkerChannel } from '../../../transport/channel.js';
import { Heartbeat } from '../../../transport/heartbeat.js';
import { remote } from '../../../transport/remote.js';
import type { KernelArguments, KernelEvent, KernelHost, KernelMethod, KernelResult } from '../kernel/kernel-host.js';
import { type ArgumentPart, type CompilePart, OpenKernels } from './open-kernels.js';
import { ownBytes, wipeBytesOf } from './own-bytes.js';
import { type Job, type PoolWorker, RANKS, START_MS } from './pool-worker.js';
import { WorkersMemory } from './workers-memory.js';

export interface PoolCallOptions {
  /** The worker to run on; any idle one when left out. */
  readonly worker?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /**
   * Moves the byte arrays among the arguments instead of copying them. Each must fill its buffer. Such a call cannot be
   * repeated.
   */
  readonly moved?: boolean | undefined;
  /** Whether the call starts before calls that are not urgent, because other work waits for its result. */
  readonly urgent?: boolean | undefined;
  /** Whether the call starts only when nothing else waits for the worker, because nothing waits for its result. */
  readonly background?: boolean | undefined;
}

/**
 * The kernel workers. Jobs start in the order of the calls, urgent ones first and those in the background last. A job
 * that names its worker waits for that worker; any other takes the first worker that is idle and not reserved. A worker
 * that dies, or misses its heartbeat for too long, is replaced, and its job is retried once, unless the job needs data
 * that only the caller can provide again (a call with `worker`, or with `moved` bytes). Such a job fails with
 * `WORKER_FAILED`, and the caller repeats it.
 */
export class KernelPool {
  /** What the workers keep. */
  readonly memory: WorkersMemory;
  private readonly workers: PoolWorker[] = [];
  private readonly kernels = new OpenKernels(() => this.livingWorkers());
  private waiting: Job[] = [];
  /** Each reservation has the number of workers that it keeps for urgent jobs. */
  private readonly reservations = new Set<{ readonly workers: number }>();
  private nextJob = 1;
  private disposed = false;
  /** Rejects when the pool is disposed. */
  private readonly disposal: Promise<never>;
  private tellDisposal: (error: PippinError) => void = () => undefined;

  /**
   * @param onReplaced called with the reason when a worker that had run was replaced.
   * @param memoryBudget bytes that all that the workers keep may take together; no limit if it is left out.
   */
  constructor(
    private readonly spawn: () => WorkerChannel,
    size: number,
    private readonly onReplaced: (error: PippinError) => void = () => undefined,
    memoryBudget?: number,
  ) {
    this.memory = new WorkersMemory(memoryBudget);
    this.disposal = new Promise((_, reject) => {
      this.tellDisposal = reject;
    });
    this.disposal.catch(() => undefined);
    try {
      for (let index = 0; index < size; index++) this.workers.push(this.startWorker(index, 0, 0));
    } catch (error) {
      void this.dispose();
      throw error;
    }
  }

  get size(): number {
    return this.workers.length;
  }

  /** Changes whenever a worker is replaced. */
  generation(worker: number): number {
    return this.workers[worker]!.generation;
  }

  /**
   * Makes a curve's kernel ready on every worker, for its points. `WORKER_FAILED` when one cannot start, or none is
   * left. `DISPOSED` after `dispose`.
   */
  async open(curve: CurveId, compile: CompilePart): Promise<void> {
    this.throwIfDisposed();
    this.endRests();
    await this.kernels.open(curve, compile);
  }

  /**
   * Makes the kernel ready for scalars, too, after `open` was called; calls that need it do this themselves. Fails as
   * `open` does.
   */
  async openScalars(curve: CurveId): Promise<void> {
    await Promise.race([this.kernels.openScalars(curve), this.disposal]);
  }

  /**
   * A curve's compiled module that methods take as an argument, after `open` was called; see `OpenKernels.module`.
   *
   * @throws what compiling it threw; `DISPOSED` after `dispose`.
   */
  async module(curve: CurveId, part: ArgumentPart): Promise<WebAssembly.Module> {
    return Promise.race([this.kernels.module(curve, part), this.disposal]);
  }

  /** The workers whose places do not rest. `WORKER_FAILED` if there are none, `DISPOSED` after `dispose`. */
  private livingWorkers(): PoolWorker[] {
    this.throwIfDisposed();
    const living = this.workers.filter(({ rest }) => rest === undefined);
    if (living.length === 0) throw this.workers[0]!.rest!.failure;
    return living;
  }

  call<M extends KernelMethod>(
    curve: CurveId,
    method: M,
    args: KernelArguments<M>,
    given: PoolCallOptions = {},
  ): Promise<KernelResult<M>> {
    const options = ownMembers(given);
    const { worker, moved, signal } = options;
    const start = (): Promise<KernelResult<M>> => this.callOnce(curve, method, args, options);
    const startWhenOpen = (): Promise<KernelResult<M>> =>
      this.kernels.isOpenFor(curve, method) ? start() : untilAborted(this.openScalars(curve), signal).then(start);
    return worker === undefined && !moved ? retryOnDeadWorker(startWhenOpen) : startWhenOpen();
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
      this.throwIfDisposed();
      this.endRests();
      const id = this.nextJob++;
      let isAwaited = true;
      const stopListening = onAbort(signal, () => {
        isAwaited = false;
        this.abandon(id);
        reject(abortError(signal));
      });
      this.enqueue({
        id,
        worker: options.worker,
        rank: options.urgent ? RANKS.urgent : options.background ? RANKS.background : RANKS.usual,
        onProgress: options.onProgress,
        send: async ({ host, heartbeat }) => {
          try {
            const { sent, buffers } = ownBytes(args, options.moved ?? false);
            const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
            const answer = host.run(curve, method, Comlink.transfer(sent, buffers), id);
            const result = await heartbeat.until(answer, bytes);
            if (isAwaited) resolve(result);
            else wipeBytesOf(result);
          } catch (error) {
            reject(error);
          } finally {
            stopListening();
          }
        },
        reject: (error) => {
          isAwaited = false;
          stopListening();
          reject(error);
        },
      });
      this.dispatch();
    });
  }

  /**
   * Keeps the first `workers` workers for urgent jobs, so that these need not wait for long ones to end. The returned
   * function ends the reservation.
   */
  reserve(workers: number): () => void {
    // Where memory is limited, what waits for a worker may hold the room that an urgent job waits for.
    const reservation = { workers: this.memory.budget.isLimited ? 0 : workers };
    this.reservations.add(reservation);
    return () => {
      this.reservations.delete(reservation);
      this.dispatch();
    };
  }

  /**
   * Rejects all calls at once. A worker ends when its job has stopped, at its next step, since only then it has
   * overwritten what is secret; one that does not stop in time is ended as it is.
   */
  async dispose(): Promise<void> {
    this.disposed = true;
    const error = new PippinError('DISPOSED', 'the prover was disposed');
    this.tellDisposal(error);
    for (const job of this.waiting) job.reject(error);
    this.waiting = [];
    await Promise.all(
      this.workers.map(async ({ channel, host, current, answered, heartbeat, tellDeath }) => {
        if (current !== undefined) {
          current.reject(error);
          host.cancel(current.id).catch(() => undefined);
          await withTimeout(LAST_STEP_MS, 'a worker', () => answered).catch(() => undefined);
        }
        heartbeat.end();
        tellDeath(error);
        await channel.terminate();
      }),
    );
  }

  private throwIfDisposed(): void {
    if (this.disposed) throw new PippinError('DISPOSED', 'expected a running prover, got one that was disposed');
  }

  /** Removes a job from the queue, or asks the worker that runs it to stop at its next step. */
  private abandon(id: number): void {
    this.waiting = this.waiting.filter((job) => job.id !== id);
    for (const worker of this.workers) {
      if (worker.current?.id === id) void worker.host.cancel(id);
    }
  }

  private enqueue(job: Job): void {
    const at = this.waiting.findIndex(({ rank }) => rank > job.rank);
    this.waiting.splice(at < 0 ? this.waiting.length : at, 0, job);
    this.rejectUnservable();
  }

  private dispatch(): void {
    const reserved = Math.max(0, ...[...this.reservations].map(({ workers }) => workers));
    for (const [index, worker] of this.workers.entries()) {
      if (worker.current !== undefined || worker.rest !== undefined) continue;
      const isFor = (job: Job): boolean =>
        (job.worker === undefined || job.worker === index) && (job.rank === RANKS.urgent || index >= reserved);
      const at = this.waiting.findIndex(isFor);
      if (at < 0) continue;
      const [job] = this.waiting.splice(at, 1);
      this.start(worker, job!);
    }
  }

  private start(worker: PoolWorker, job: Job): void {
    worker.current = job;
    worker.answered = job.send(worker).then(() => {
      if (worker.current !== job) return;
      worker.current = undefined;
      worker.deaths = 0;
      this.dispatch();
    });
  }

  private startWorker(index: number, generation: number, deaths: number): PoolWorker {
    const channel = this.spawn();
    const onSilent = (ms: number): void => this.replace(index, silentError(ms));
    const heartbeat = new Heartbeat({ patienceMs: PATIENCE_MS, startMs: START_MS, onSilent });
    let tellDeath: PoolWorker['tellDeath'] = () => undefined;
    const death = new Promise<never>((_, reject) => {
      tellDeath = reject;
    });
    death.catch(() => undefined);
    const worker: PoolWorker = {
      channel,
      host: remote<KernelHost>(channel.endpoint),
      generation,
      current: undefined,
      answered: Promise.resolve(),
      heartbeat,
      death,
      tellDeath,
      replace: (error) => {
        if (this.workers[index] === worker) this.replace(index, error);
      },
      deaths,
      rest: undefined,
    };
    channel.onEvent((event) => {
      const { task, fraction } = event as KernelEvent;
      heartbeat.heard();
      if (worker.current?.id === task) worker.current.onProgress?.(fraction);
    });
    channel.onFailure((error) => this.replace(index, error));
    return worker;
  }

  /**
   * Starts a new worker in the place of a dead one. After too many deaths one after another the place rests, since the
   * worker's script cannot run here now, and the jobs that need the place are rejected.
   */
  private replace(index: number, error: PippinError): void {
    if (this.disposed) return;
    const dead = this.workers[index]!;
    const job = dead.current;
    dead.current = undefined;
    dead.heartbeat.end();
    dead.channel.terminate();
    dead.tellDeath(error);
    job?.reject(error);
    if (dead.heartbeat.hasSpoken) this.onReplaced(error);
    dead.deaths++;
    const isWorn = dead.deaths > MOST_DEATHS;
    if (isWorn || !this.renew(index)) {
      dead.rest = { failure: error, until: performance.now() + (isWorn ? REST_MS : 0) };
      this.rejectUnservable();
      return;
    }
    // Jobs that wait for this worker need data that was loaded into the dead one.
    const orphaned = this.waiting.filter((waiting) => waiting.worker === index);
    this.waiting = this.waiting.filter((waiting) => waiting.worker !== index);
    for (const waiting of orphaned) waiting.reject(error);
    this.dispatch();
  }

  /** Starts another worker in a place; false if none can be started now. */
  private renew(index: number): boolean {
    const { generation, deaths } = this.workers[index]!;
    let fresh: PoolWorker;
    try {
      fresh = this.startWorker(index, generation + 1, deaths);
    } catch {
      return false;
    }
    this.workers[index] = fresh;
    // A kernel that cannot be opened rejects the jobs that need it.
    this.kernels.openOnFresh(fresh);
    return true;
  }

  /** Tries another worker in each place that has rested for long enough. One more death, and it rests again. */
  private endRests(): void {
    for (const [index, { rest }] of this.workers.entries()) {
      if (rest !== undefined && performance.now() >= rest.until) this.renew(index);
    }
  }

  /** Rejects the waiting jobs that no running worker can take. */
  private rejectUnservable(): void {
    const canRun = (job: Job): boolean =>
      this.workers.some((worker, index) => worker.rest === undefined && (job.worker ?? index) === index);
    const unservable = this.waiting.filter((job) => !canRun(job));
    this.waiting = this.waiting.filter(canRun);
    for (const job of unservable) {
      // Every place that could take the job rests, so this one does.
      job.reject(this.workers[job.worker ?? 0]!.rest!.failure);
    }
  }
}

/**
 * Milliseconds that a worker whose job was cancelled gets for the step that it is in: many times what a step takes on a
 * slow phone.
 */
const LAST_STEP_MS = 500;

/** So many workers in one place may die one after another, without an answer between them, before the place rests. */
const MOST_DEATHS = 8;

/** Milliseconds for which a place rests before another worker is tried in it. */
const REST_MS = 10_000;

/**
 * Heartbeat timeout in milliseconds: how long a worker that owes an answer may be silent. A live kernel reports its
 * progress every 20 ms or so.
 */
const PATIENCE_MS = 30_000;

function silentError(ms: number): PippinError {
  const waited = `${Math.round(ms / 1000)} s`;
  return new PippinError(
    'WORKER_FAILED',
    `expected a kernel worker to answer or to tell its progress, got nothing for ${waited}`,
  );
}
