import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createProver, PippinError, type Prover, type ProverOptions } from 'pippin-prover';
import { messageOf } from '../../../sdk/base/describe.js';
import { WorkerRecord } from '../queue/farm-status.js';
import { Names } from '../queue/names.js';
import type { WorkerStatus } from '../queue/types.js';
import { RedisClock } from '../redis/clock.js';
import { connectRedis, fromRedis } from '../redis/connection.js';
import { Engine } from './engine.js';
import { HeldJob } from './held-job.js';
import { JobTaker, type TakenJob } from './job-taker.js';
import { type JobContext, runJob } from './run-job.js';
import { type CheckedWorkerOptions, checkedWorkerOptions, type WorkerOptions } from './worker-options.js';

/** The interval of a worker's heartbeats. */
const HEARTBEAT_MS = 3000;

/** The pause after a failed start of a prover; it doubles up to the longest one. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * BullMQ records the times of attempts and results by the clock of the worker; with a larger difference, results would
 * be deleted early.
 */
const LARGEST_DIFFERENCE_MS = 5 * 60_000;

/** Takes jobs from the queues and proves them, with one prover. Each process of a farm has one. */
export class ProofWorker {
  private readonly jobs = new Map<string, HeldJob>();
  private readonly running = new Set<Promise<void>>();
  private readonly since: number;
  private readonly heartbeat: ReturnType<typeof setInterval>;
  private readonly loop: Promise<void>;
  private state: WorkerStatus['state'] = 'ready';
  private proofs = 0;
  private failures = 0;
  private ending: Promise<void> | undefined;

  private constructor(
    private readonly options: CheckedWorkerOptions,
    private readonly client: Redis,
    private readonly cancels: Redis,
    private readonly taker: JobTaker,
    private readonly context: JobContext,
  ) {
    this.since = context.clock.now();
    this.heartbeat = setInterval(() => void this.sendHeartbeat(), HEARTBEAT_MS);
    this.loop = this.work();
    cancels.on('message', (_, id) => this.jobs.get(id)?.end('cancelled'));
    void this.sendHeartbeat();
    options.emit({ kind: 'ready', worker: options.id, device: context.engine.device });
  }

  /**
   * Opens the prover, connects, and begins to take jobs. It rejects with the errors of `createProver` as well.
   *
   * @param options the address of Redis, the circuits, the keys, and options of the prover.
   * @param openProver creates the prover; for tests.
   * @returns the worker, which `drain` ends.
   * @throws {PippinError} INVALID_ARGUMENT for options out of range.
   * @throws {PippinError} QUEUE_UNAVAILABLE when Redis cannot be reached.
   * @throws {PippinError} UNSUPPORTED_ENVIRONMENT when a package is missing, or the clocks of this machine and of Redis
   * differ by more than 5 minutes.
   * @example
   * ```js
   * import { makeKeyPair, ProofWorker, readCircuits } from 'pippin-farm';
   *
   * const circuits = await readCircuits('circuits.json');
   * const keyPairs = [await makeKeyPair()];
   * const worker = await ProofWorker.start({ connection: 'redis://localhost', circuits, keyPairs });
   * console.log(worker.id, 'takes jobs');
   * ```
   */
  static async start(
    options: WorkerOptions,
    openProver: (options: ProverOptions) => Promise<Prover> = createProver,
  ): Promise<ProofWorker> {
    const checked = checkedWorkerOptions(options);
    const { id: worker, emit, keyPairs } = checked;
    const names = new Names(checked.prefix);
    const onError = (error: Error) => emit({ kind: 'fault', worker, message: messageOf(error) });
    const client = await connectRedis(checked.connection, { retries: 'forever', onError });
    const record = new WorkerRecord(client, names, onError);
    const circuits = new Map(checked.circuits.map((circuit) => [circuit.info.id, circuit]));
    const engine = new Engine({
      createProver: openProver,
      prover: checked.prover,
      circuits,
      keyMemory: checked.keyMemory,
      onDistrust(message) {
        record.alarm('gpu-distrusted', worker, message);
        emit({ kind: 'gpu-distrusted', worker, message });
      },
    });
    try {
      const clock = await RedisClock.open(client);
      expectClock(clock);
      await engine.ready();
      const cancels = client.duplicate();
      cancels.on('error', onError);
      await fromRedis(async () => {
        await cancels.subscribe(names.cancelChannel);
        const infos = checked.circuits.map(({ info }) => [info.id, JSON.stringify(info)] as const);
        await client.hset(names.circuits, Object.fromEntries(infos));
      });
      const { lockMs, deaths, patienceMs } = checked;
      const taker = await JobTaker.open({
        worker,
        client,
        names,
        circuits: [...circuits.keys()],
        lockMs,
        deaths,
        patienceMs,
        onError,
      });
      const onLoadFailure = (circuit: string) => taker.rest(circuit);
      const context = { worker, client, clock, names, keyPairs, engine, record, onLoadFailure, emit };
      return new ProofWorker(checked, client, cancels, taker, context);
    } catch (error) {
      client.disconnect();
      await engine.close();
      throw error;
    }
  }

  /** The name of the worker, in events and in `JobStatus.worker`. */
  get id(): string {
    return this.options.id;
  }

  /**
   * Takes no further jobs, finishes its present ones, and closes everything. A second call awaits the same end. Never
   * rejects; idempotent.
   *
   * @param ms milliseconds after which unfinished jobs return to the queue; 60 000 if left out.
   * @returns when everything is closed.
   * @example
   * ```js
   * import { makeKeyPair, ProofWorker, readCircuits } from 'pippin-farm';
   *
   * const circuits = await readCircuits('circuits.json');
   * const keyPairs = [await makeKeyPair()];
   * const worker = await ProofWorker.start({ connection: 'redis://localhost', circuits, keyPairs });
   * process.once('SIGTERM', () => worker.drain(30_000));
   * ```
   */
  drain(ms = 60_000): Promise<void> {
    this.ending ??= this.end(ms);
    return this.ending;
  }

  private async end(ms: number): Promise<void> {
    this.state = 'draining';
    this.options.emit({ kind: 'draining', worker: this.id });
    void this.sendHeartbeat();
    const late = setTimeout(() => {
      for (const job of this.jobs.values()) job.end('draining');
    }, ms);
    this.taker.stop();
    await this.loop;
    await Promise.all(this.running);
    clearTimeout(late);
    clearInterval(this.heartbeat);
    await this.context.record.gone(this.id);
    await this.taker.close();
    this.cancels.disconnect();
    await this.context.engine.close();
    this.client.disconnect();
    this.options.emit({ kind: 'ended', worker: this.id });
  }

  private async work(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!this.isEnding()) {
      try {
        // Before taking a job: a worker that cannot prove must not take jobs of others.
        await this.context.engine.ready();
        await this.takeOne();
        pause = FIRST_PAUSE_MS;
      } catch (error) {
        if (this.isEnding()) return;
        this.options.emit({ kind: 'fault', worker: this.id, message: messageOf(error) });
        await delay(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }

  private isEnding(): boolean {
    return this.state !== 'ready';
  }

  private async takeOne(): Promise<void> {
    if (this.running.size >= this.options.together) await Promise.race(this.running);
    if (this.running.size >= this.options.together || this.isEnding()) return;
    const taken = await this.taker.next(this.context.engine.keys);
    if (taken === undefined) return;
    const run = this.run(taken);
    this.running.add(run);
    run.finally(() => this.running.delete(run));
  }

  private async run(taken: TakenJob): Promise<void> {
    const onError = (error: Error) => this.options.emit({ kind: 'fault', worker: this.id, message: messageOf(error) });
    const job = new HeldJob(taken, this.options.lockMs, this.context.clock, onError);
    this.jobs.set(job.id, job);
    try {
      const end = await runJob(job, this.context);
      if (end === 'proved') this.proofs++;
      if (end === 'failed') this.failures++;
    } finally {
      this.jobs.delete(job.id);
    }
  }

  private async sendHeartbeat(): Promise<void> {
    const { clock, engine, record } = this.context;
    // Later heartbeats use the time that is read now. Without Redis there is none.
    void clock.set().catch(() => undefined);
    const { device, backend, gpu, keys } = engine;
    await record.status({
      id: this.id,
      host: hostname(),
      pid: process.pid,
      state: this.state,
      device,
      backend,
      gpu,
      keys,
      since: this.since,
      seen: clock.now(),
      proofs: this.proofs,
      failures: this.failures,
      jobs: [...this.jobs.keys()],
      memory: process.memoryUsage.rss(),
    });
  }
}

function expectClock(clock: RedisClock): void {
  const ahead = Date.now() - clock.now();
  if (Math.abs(ahead) <= LARGEST_DIFFERENCE_MS) return;
  const got = `one that is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead' : 'behind'}`;
  throw new PippinError(
    'UNSUPPORTED_ENVIRONMENT',
    `expected a clock within 5 minutes of the clock of Redis, got ${got}`,
    {
      hint: 'let a time service (NTP) set the clocks of both machines',
    },
  );
}
