import { availableParallelism } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { DeviceProcess } from 'pippin-prover';
import { messageOf } from '../../../sdk/base/describe.js';
import { OptionReader } from '../../../sdk/base/option-reader.js';
import { WorkerRecord } from '../queue/farm-status.js';
import { Names } from '../queue/names.js';
import { connectRedis } from '../redis/connection.js';
import { checkedWorkerOptions, type WorkerEvent, type WorkerOptions } from '../worker/worker-options.js';
import { gpuProcesses } from './gpu-processes.js';
import { WorkerProcess } from './worker-process.js';

/** Options of `Farm.start`: of each worker, and the number of workers. */
export interface FarmOptions extends Omit<WorkerOptions, 'id'> {
  /**
   * The number of workers that share this machine's cores, 1 to 256. Each proves with the same number of threads,
   * unless `prover.threads` is given. Left out with `devices`.
   *
   * @defaultValue 1
   */
  readonly workers?: number;
  /**
   * One worker for each of these processes; `gpus`: one for each GPU of this machine (`gpuProcesses`), which it
   * requires (`backend: 'webgpu'`).
   *
   * @defaultValue none
   */
  readonly devices?: 'gpus' | readonly DeviceProcess[];
  /**
   * The script of a worker process.
   *
   * @defaultValue `worker.js` of this package
   */
  readonly script?: URL;
}

/**
 * The back-off before a process that ended unexpectedly is replaced. It doubles up to the longest one for processes
 * that die early.
 */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const LIVED_MS = 5000;

/** The time after the drain timeout at which a process is killed. */
const GRACE_MS = 10_000;

/** The worker processes of one machine: started, replaced when they die, and drained at the end. */
export class Farm {
  private readonly places: WorkerProcess[] = [];
  private readonly keeping: Promise<void>[] = [];
  /** Aborted when the farm must end. */
  private readonly ending = new AbortController();

  private constructor(
    private readonly starts: readonly (() => WorkerProcess)[],
    private readonly client: Redis,
    private readonly record: WorkerRecord,
    private readonly emit: (event: WorkerEvent) => void,
  ) {}

  /**
   * Starts the workers, and resolves when all take jobs. It rejects with the error of the first that does not start, as
   * in `ProofWorker.start`.
   *
   * @param options of each worker, and the number of workers.
   * @returns the farm, which `drain` ends.
   * @throws {PippinError} INVALID_ARGUMENT for options out of range.
   * @throws {PippinError} QUEUE_UNAVAILABLE when Redis cannot be reached.
   * @throws {PippinError} WORKER_FAILED when the process of a worker ends.
   * @throws {PippinError} UNSUPPORTED_ENVIRONMENT where the GPUs cannot have a process each.
   * @example
   * ```js
   * import { Farm, makeKeyPair, readCircuits } from 'pippin-farm';
   *
   * const circuits = await readCircuits('circuits.json');
   * const keyPairs = [await makeKeyPair()];
   * const farm = await Farm.start({ connection: 'redis://localhost', circuits, keyPairs, workers: 2 });
   * await farm.drainOnSignal();
   * ```
   */
  static async start(options: FarmOptions): Promise<Farm> {
    const { places, script, emit } = checkedFarm(options);
    const names = new Names(options.prefix);
    const onError = (error: Error) => emit({ kind: 'fault', worker: 'farm', message: messageOf(error) });
    const client = await connectRedis(options.connection, { retries: 'forever', onError });
    const starts = places.map(
      ({ device, worker }) =>
        () =>
          new WorkerProcess({ script, device, options: worker, onEvent: emit }),
    );
    const farm = new Farm(starts, client, new WorkerRecord(client, names, onError), emit);
    try {
      await farm.startAll();
      return farm;
    } catch (error) {
      await farm.drain(0);
      throw error;
    }
  }

  /** The ids of the living worker processes. */
  get pids(): readonly number[] {
    return this.places.flatMap(({ pid, isAlive }) => (isAlive && pid !== undefined ? pid : []));
  }

  /**
   * Lets all workers finish their jobs, then ends the farm. Never rejects; idempotent.
   *
   * @param ms milliseconds after which unfinished jobs return to the queue; 60 000 if left out.
   * @returns when all processes have ended.
   * @example
   * ```js
   * import { Farm, makeKeyPair, readCircuits } from 'pippin-farm';
   *
   * const circuits = await readCircuits('circuits.json');
   * const keyPairs = [await makeKeyPair()];
   * const farm = await Farm.start({ connection: 'redis://localhost', circuits, keyPairs, workers: 2 });
   * await farm.drain(30_000);
   * ```
   */
  async drain(ms = 60_000): Promise<void> {
    this.ending.abort();
    for (const place of this.places) place.drain(ms);
    const late = setTimeout(() => this.kill(), ms + GRACE_MS);
    await Promise.all(this.places.map(({ ended }) => ended));
    await Promise.all(this.keeping);
    clearTimeout(late);
    this.client.disconnect();
  }

  /**
   * Waits for SIGTERM or SIGINT, and drains. A second signal ends all at once. Never rejects.
   *
   * @param ms as in `drain`.
   * @returns when all processes have ended.
   * @example
   * ```js
   * import { Farm, makeKeyPair, readCircuits } from 'pippin-farm';
   *
   * const circuits = await readCircuits('circuits.json');
   * const keyPairs = [await makeKeyPair()];
   * const farm = await Farm.start({ connection: 'redis://localhost', circuits, keyPairs, workers: 2 });
   * await farm.drainOnSignal(30_000);
   * ```
   */
  async drainOnSignal(ms?: number): Promise<void> {
    await new Promise<void>((resolve) => {
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    });
    process.once('SIGTERM', () => this.kill());
    process.once('SIGINT', () => this.kill());
    await this.drain(ms);
  }

  private kill(): void {
    for (const place of this.places) place.kill();
  }

  private async startAll(): Promise<void> {
    for (const start of this.starts) this.places.push(start());
    await Promise.all(this.places.map(({ started }) => started));
    for (const place of this.starts.keys()) this.keeping.push(this.keep(place));
  }

  /** Replaces the process of a place whenever it ends unexpectedly. */
  private async keep(place: number): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!this.ending.signal.aborted) {
      const began = Date.now();
      const how = await this.places[place]!.ended;
      if (this.ending.signal.aborted) return;
      const message = `the process of a worker ended with ${how}, and another one takes its place`;
      this.record.alarm('worker-died', `place ${place}`, message);
      this.emit({ kind: 'fault', worker: 'farm', message });
      if (Date.now() - began > LIVED_MS) pause = FIRST_PAUSE_MS;
      await delay(pause, undefined, { signal: this.ending.signal }).catch(() => undefined);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      if (!this.ending.signal.aborted) this.places[place] = this.starts[place]!();
    }
  }
}

interface CheckedFarm {
  readonly places: readonly { readonly device: DeviceProcess; readonly worker: Omit<WorkerOptions, 'onEvent'> }[];
  readonly script: URL;
  readonly emit: (event: WorkerEvent) => void;
}

function checkedFarm({ workers, devices, script, onEvent, ...worker }: FarmOptions): CheckedFarm {
  // The workers check theirs again; here errors are found before a process is started.
  const { emit } = checkedWorkerOptions({ ...worker, ...(onEvent !== undefined && { onEvent }) });
  const reader = new OptionReader({ workers }, 'the options of Farm.start');
  const count = reader.integer('workers', 1, 256) ?? 1;
  const processes = devices === 'gpus' ? gpuProcesses() : (devices ?? Array.from({ length: count }, () => ({})));
  const threads = Math.max(1, Math.min(16, Math.floor(availableParallelism() / processes.length)));
  const gpu = devices === 'gpus' ? { backend: 'webgpu' as const } : {};
  const prover = { threads, ...gpu, ...worker.prover };
  return {
    places: processes.map((device) => ({ device, worker: { ...worker, prover } })),
    script: script ?? new URL('./worker.js', import.meta.url),
    emit,
  };
}
