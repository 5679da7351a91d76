import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { PippinError } from 'pippin-prover';
import { withTimeout } from '../../../sdk/base/abort.js';
import { RedisClock } from '../redis/clock.js';
import { connectRedis, fromRedis } from '../redis/connection.js';
import { sealInput } from '../sealing/sealed-input.js';
import { readFarmStatus } from './farm-status.js';
import { type CircuitQueue, type JobData, readJobStatus } from './job.js';
import { circuitOfJob, inputLifeMs, Names, wakeWorkers } from './names.js';
import { type CheckedQueueOptions, checkedQueueOptions, type ProofQueueOptions } from './queue-options.js';
import { readRequest } from './read-request.js';
import {
  type CircuitInfo,
  type FarmStatus,
  FINAL_STATES,
  type JobStatus,
  type ProofRequest,
  type ProofResult,
  type SubmittedJob,
} from './types.js';
import { JobEvents, unknownJob, watchJob } from './watch-job.js';

/** The retries of a command to Redis before a call is rejected: about three seconds. */
const RETRIES = 6;

/** The back-off before a job is retried; it doubles each time. */
const FIRST_PAUSE_MS = 1000;

/** The interval of setting the clock and deleting expired jobs: BullMQ does the latter only when another job ends. */
const TIDY_EVERY_MS = 60_000;

/**
 * The queue of a prover farm: submits jobs and watches them. It holds no secret except inputs before they are sealed,
 * and proves nothing itself. Several processes may open the same queue. Every method can reject with the errors below.
 *
 * @throws {PippinError} QUEUE_UNAVAILABLE when Redis cannot be reached for some seconds.
 * @throws {PippinError} DISPOSED when the queue is closed.
 */
export class ProofQueue {
  private readonly queues = new Map<string, CircuitQueue>();
  private readonly events: JobEvents;
  private readonly tidying: ReturnType<typeof setInterval>;
  private known: ReadonlyMap<string, CircuitInfo> = new Map();
  /** Ends each pending call. */
  private readonly pending = new Set<(error: PippinError) => void>();
  private isClosed = false;

  private constructor(
    private readonly client: Redis,
    private readonly names: Names,
    private readonly clock: RedisClock,
    private readonly options: CheckedQueueOptions,
  ) {
    this.events = new JobEvents(client, names.prefix, options.onError);
    this.tidying = setInterval(() => void this.tidy().catch(options.onError), TIDY_EVERY_MS);
    this.tidying.unref();
  }

  /**
   * Connects to Redis.
   *
   * @param options the address of Redis, the circuits, and the workers' public key.
   * @returns the queue, which `close` ends.
   * @throws {PippinError} QUEUE_UNAVAILABLE when Redis cannot be reached.
   * @throws {PippinError} INVALID_ARGUMENT for options out of range.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * console.log(queue.circuits());
   * await queue.close();
   * ```
   */
  static async open(options: ProofQueueOptions): Promise<ProofQueue> {
    const checked = checkedQueueOptions(options);
    const names = new Names(checked.prefix);
    const client = await connectRedis(checked.connection, { retries: RETRIES, onError: checked.onError });
    const clock = await RedisClock.open(client).catch((error: unknown) => {
      client.disconnect();
      throw error;
    });
    const queue = new ProofQueue(client, names, clock, checked);
    try {
      await queue.readCircuits();
      return queue;
    } catch (error) {
      await queue.close();
      throw error;
    }
  }

  /**
   * Adds a job to the queue of its circuit. When this resolves, the job is in Redis, sealed. Idempotent with an id:
   * after any failure it may be called again, and the job is made and proved once. Only the worker checks whether
   * values fit the circuit.
   *
   * @param request the circuit, its inputs or witness, deadline and priority.
   * @returns the job's id, and whether it is new.
   * @throws {PippinError} INVALID_ARGUMENT for a request out of range or an unknown circuit.
   * @throws {PippinError} DEADLINE_PASSED for a deadline that is over.
   * @throws {PippinError} INVALID_INPUT for inputs that are not numbers of the field.
   * @throws {PippinError} INVALID_LENGTH for an input of more than `maxInputBytes`, or a witness of wrong length.
   * @throws {PippinError} MALFORMED_FILE for a witness that contradicts itself or ends early.
   * @throws {PippinError} UNSUPPORTED_FORMAT for a file that is not a witness.
   * @throws {PippinError} CURVE_MISMATCH for a witness over another field.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * const { id } = await queue.submit({ circuit: 'note', inputs, id: 'transfer-17' });
   * const { proof, publicSignals } = await queue.result(id);
   * ```
   */
  async submit(request: ProofRequest): Promise<SubmittedJob> {
    if (typeof request?.circuit === 'string') await this.isKnown(request.circuit);
    const read = await readRequest(request, (name) => this.known.get(name), this.clock.now());
    const { id, circuit, input, priority, deadline, owner } = read;
    const sealed = await sealInput(input, { circuit: circuit.id, job: id }, this.options.publicKey);
    if (sealed.length > this.options.maxInputBytes) {
      const message = `expected an input of at most ${this.options.maxInputBytes} bytes, got ${sealed.length}`;
      throw new PippinError('INVALID_LENGTH', message, { hint: 'the limit is maxInputBytes of the queue' });
    }
    // Not a copy: it may be large.
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
    const data = { input: randomUUID(), deadline, priority, ...(owner !== undefined && { owner }) };
    return this.ask(async () => {
      const [wasCancelled] = await Promise.all([
        this.client.exists(this.names.cancelled(id)),
        this.client.set(this.names.input(data.input), bytes, 'PX', inputLifeMs(deadline, this.clock.now())),
      ]);
      const created = wasCancelled === 0 && (await this.add(circuit.id, id, data));
      if (!created) await this.client.del(this.names.input(data.input));
      return { id, created };
    });
  }

  /**
   * The status of a job.
   *
   * @param id the id from `submit`.
   * @returns the status; undefined for a job that was never submitted or has expired, and for an unknown circuit.
   * @throws {PippinError} QUEUE_UNAVAILABLE when Redis cannot be reached for some seconds.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * const status = await queue.status('note.transfer-17');
   * console.log(status?.state, status?.progress);
   * ```
   */
  async status(id: string): Promise<JobStatus | undefined> {
    const circuit = circuitOfJob(id);
    // An opened queue stays: in this process, and as a name in Redis.
    if (circuit === undefined || !(await this.isKnown(circuit))) return undefined;
    return this.ask(async () => {
      const now = this.clock.now();
      const queue = this.queueOf(circuit);
      const status = (await readJobStatus(this.client, queue, id, now)) ?? (await this.cancelledStatus(id));
      const isKept = status?.finished === undefined || status.finished >= now - 1000 * this.options.keepResults;
      return isKept ? status : undefined;
    });
  }

  /**
   * Cancels a job. A waiting job is removed from the queue; a job that is being proved is aborted at its worker: its
   * status is `cancelled` when the worker has answered, or another final one if the worker was faster.
   *
   * @param id the id from `submit`.
   * @returns the job's status; undefined for an unknown job.
   * @throws {PippinError} QUEUE_UNAVAILABLE when Redis cannot be reached for some seconds.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * const status = await queue.cancel('note.transfer-17');
   * console.log(status?.state);
   * ```
   */
  async cancel(id: string): Promise<JobStatus | undefined> {
    const before = await this.status(id);
    if (before === undefined || FINAL_STATES.includes(before.state)) return before;
    const error = { code: 'ABORTED', message: 'the job was cancelled' } as const;
    const { position: _, phase: __, ...kept } = before;
    const cancelled: JobStatus = { ...kept, state: 'cancelled', finished: this.clock.now(), error };
    return this.ask(async () => {
      // From now on no worker starts it.
      await this.client.set(this.names.cancelled(id), JSON.stringify(cancelled), 'EX', this.options.keepResults);
      const queue = this.queueOf(before.circuit);
      const job = await queue.getJob(id);
      const state = await queue.getJobState(id);
      if (state === 'active' || job === undefined) {
        await this.client.publish(this.names.cancelChannel, id);
      } else if (state !== 'completed' && state !== 'failed') {
        await job.remove().catch(() => this.client.publish(this.names.cancelChannel, id));
        await this.client.del(this.names.input(job.data.input));
      }
      return this.status(id);
    });
  }

  /**
   * The status of a job now and after each change, up to the final one. It tolerates an outage of Redis of less than a
   * minute.
   *
   * @param id the id from `submit`.
   * @param options a signal that stops watching.
   * @returns the statuses, to be iterated with `for await`.
   * @throws {PippinError} INVALID_ARGUMENT when there is no such job.
   * @throws {PippinError} ABORTED when the signal fires.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * for await (const { state, progress } of queue.watch('note.transfer-17')) console.log(state, progress);
   * ```
   */
  watch(id: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncIterable<JobStatus> {
    const onChange = (listener: () => void) => this.events.watch(circuitOfJob(id)!, id, listener);
    return watchJob({ status: () => this.status(id), onChange, now: () => this.clock.now() }, signal);
  }

  /**
   * Waits for a job's proof. It rejects with the job's own error if that failed.
   *
   * @param id the id from `submit`.
   * @param options a signal that ends the wait.
   * @returns the proof and the public signals in snarkjs' form.
   * @throws {PippinError} INVALID_ARGUMENT when there is no such job.
   * @throws {PippinError} ABORTED when the signal fires, or the job was cancelled.
   * @throws {PippinError} DEADLINE_PASSED when it was not proved in time.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * const { proof, publicSignals } = await queue.result('note.transfer-17');
   * ```
   */
  async result(id: string, options: { readonly signal?: AbortSignal } = {}): Promise<ProofResult> {
    for await (const { result, error } of this.watch(id, options)) {
      if (result !== undefined) return result;
      if (error !== undefined) throw new PippinError(error.code, error.message, { hint: error.hint });
    }
    throw unknownJob();
  }

  /**
   * The available circuits. Throws nothing.
   *
   * @returns the description of each.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * console.log(queue.circuits().map(({ id, curve }) => `${id} over ${curve}`));
   * ```
   */
  circuits(): readonly CircuitInfo[] {
    return [...this.known.values()];
  }

  /**
   * The jobs in the queues, the workers, and their counters.
   *
   * @returns the counts, the heartbeats of the last 20 seconds, and the counters.
   * @throws {PippinError} QUEUE_UNAVAILABLE when Redis cannot be reached for some seconds.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * const { queues, workers } = await queue.farm();
   * console.log(queues, workers.length);
   * ```
   */
  farm(): Promise<FarmStatus> {
    return this.ask(async () => {
      if (this.options.circuits === 'from redis') await this.readCircuits();
      return readFarmStatus(
        this.client,
        this.names,
        [...this.known.keys()].map((id) => this.queueOf(id)),
        this.clock.now(),
      );
    });
  }

  /**
   * Whether Redis answers within two seconds. Never rejects.
   *
   * @returns true if it does.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * console.log((await queue.redisReady()) ? 'ready' : 'no answer');
   * ```
   */
  async redisReady(): Promise<boolean> {
    const answered = await withTimeout(2000, 'Redis', () => this.client.ping()).catch(() => undefined);
    return answered === 'PONG';
  }

  /**
   * The queues as BullMQ objects (`Queue`), for tools such as bull-board. Throws nothing.
   *
   * @returns one for each circuit.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * console.log(queue.bullmqQueues().length);
   * ```
   */
  bullmqQueues(): readonly object[] {
    return [...this.known.keys()].map((id) => this.queueOf(id));
  }

  /**
   * Disconnects, and rejects pending calls with `DISPOSED`. Jobs and workers continue. Never rejects; idempotent.
   *
   * @returns when it is disconnected.
   * @example
   * ```js
   * import { ProofQueue } from 'pippin-farm';
   *
   * const publicKey = new Uint8Array(32); // The workers' public key.
   * const queue = await ProofQueue.open({ connection: 'redis://localhost', circuits: 'from redis', publicKey });
   * await queue.close();
   * ```
   */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const reject of this.pending) reject(closed());
    clearInterval(this.tidying);
    await this.events.close();
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
    this.client.disconnect();
  }

  /** The answer of Redis. While disconnected, its client leaves calls unanswered. */
  private ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.isClosed) return Promise.reject(closed());
    return fromRedis(
      () =>
        new Promise<T>((resolve, reject) => {
          this.pending.add(reject);
          work()
            .then(resolve, reject)
            .finally(() => this.pending.delete(reject));
        }),
    );
  }

  /** Whether the circuit exists. Workers may have registered it since the last check. */
  private async isKnown(circuit: string): Promise<boolean> {
    if (!this.known.has(circuit)) await this.readCircuits();
    return this.known.has(circuit);
  }

  private async readCircuits(): Promise<void> {
    const { circuits } = this.options;
    const list: readonly CircuitInfo[] =
      circuits === 'from redis'
        ? await this.ask(async () =>
            Object.values(await this.client.hgetall(this.names.circuits)).map((text) => JSON.parse(text)),
          )
        : circuits;
    this.known = new Map(list.map((circuit) => [circuit.id, circuit]));
  }

  /**
   * Whether this request made the job. BullMQ leaves an existing job alone; the input that it names identifies the
   * request that made it.
   */
  private async add(circuit: string, id: string, data: JobData): Promise<boolean> {
    const queue = this.queueOf(circuit);
    await queue.add('prove', data, this.jobOptions(id, data.priority));
    const [job] = await Promise.all([queue.getJob(id), wakeWorkers(this.client, this.names, circuit)]);
    // A job of ours that is gone was proved and its result has expired: otherwise it would have been found.
    return job === undefined || job.data.input === data.input;
  }

  private async cancelledStatus(id: string): Promise<JobStatus | undefined> {
    const text = await this.client.get(this.names.cancelled(id));
    return text === null ? undefined : JSON.parse(text);
  }

  private queueOf(circuit: string): CircuitQueue {
    const there = this.queues.get(circuit);
    if (there !== undefined) return there;
    const queue: CircuitQueue = new Queue(circuit, { connection: this.client, prefix: this.names.prefix });
    queue.on('error', this.options.onError);
    this.queues.set(circuit, queue);
    return queue;
  }

  private jobOptions(jobId: string, priority: number) {
    const age = this.options.keepResults;
    return {
      jobId,
      timestamp: this.clock.now(),
      // BullMQ's priority 0 means none at all.
      priority: priority + 1,
      attempts: this.options.attempts,
      backoff: { type: 'exponential', delay: FIRST_PAUSE_MS, jitter: 0.5 },
      removeOnComplete: { age },
      removeOnFail: { age },
      stackTraceLimit: 0,
    };
  }

  private async tidy(): Promise<void> {
    await this.clock.set();
    const ms = 1000 * this.options.keepResults;
    for (const queue of this.queues.values()) {
      await queue.clean(ms, 1000, 'completed');
      await queue.clean(ms, 1000, 'failed');
    }
  }
}

function closed(): PippinError {
  return new PippinError('DISPOSED', 'the queue was closed', { hint: 'open it again' });
}
