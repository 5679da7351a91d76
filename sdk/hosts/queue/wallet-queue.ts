import type { Proof, Prover, ProvingKey } from '../../api/index.js';
import type { ProgressListener } from '../../api/progress.js';
import { abortError, CallerSignal, untilAborted } from '../../base/abort.js';
import { describeType } from '../../base/describe.js';
import { asPippinError, PippinError } from '../../base/errors.js';
import type { Listener } from '../../base/listener.js';
import { OptionReader } from '../../base/option-reader.js';
import { PendingWork } from '../../base/pending-work.js';
import { fileIdentity } from '../session/file-identity.js';
import { type JobOwner, JobQueue, type JobState } from '../session/job-queue.js';
import type { Journal } from '../session/journal.js';
import { KeptKeys } from '../session/kept-keys.js';
import { proveWith } from '../session/proof-system-of.js';
import type { PauseReason, ProofOutcome, ProofQueue, QueuedProof, QueueRequest } from './api.js';
import type { QueuePauses } from './queue-pauses.js';
import type { TabLocks } from './tab-locks.js';

/** What is kept of a proof. */
export type KeptOutcome = Pick<ProofOutcome<Proof>, 'id' | 'proof' | 'publicSignals'>;

/** What a queue is made of. */
export interface QueueParts {
  readonly parallel: number;
  readonly maxKeys: number;
  readonly maxKeyBytes: number;
  readonly journal: Journal<KeptOutcome>;
  readonly locks: TabLocks;
  readonly pauses: QueuePauses;
  readonly onChange: Listener<QueuedProof> | undefined;
}

/** A proof that is waited for. */
interface Job {
  readonly request: QueueRequest;
  readonly id: string;
  readonly priority: number;
  /** Its key, by file and options. */
  readonly keyId: string;
  /** Fulfilled when no other page has its id. */
  claimed: Promise<void>;
  state: JobState;
  progress: number;
  phase: QueuedProof['phase'];
  readonly outcome: Promise<ProofOutcome<Proof>>;
  readonly resolve: (outcome: ProofOutcome<Proof>) => void;
  readonly reject: (error: PippinError) => void;
}

const LONGEST_ID = 200;
/** Bytes of one point, for the estimate of a key's memory. Coordinates over the largest curve have 48 bytes. */
const POINT_BYTES = 96;

/** See `ProofQueue`. */
export class WalletQueue implements ProofQueue, JobOwner<Job> {
  private readonly jobs = new Map<string, Job>();
  private readonly queue: JobQueue<Job>;
  private readonly keys: KeptKeys;
  /** Bytes of each key that was loaded. */
  private readonly keySizes = new Map<string, number>();
  private readonly work = new PendingWork();
  private hasEnded = false;

  constructor(
    private readonly prover: Prover,
    private readonly parts: QueueParts,
  ) {
    this.queue = new JobQueue(parts.parallel, this);
    this.keys = new KeptKeys(parts);
    void parts.journal.open();
  }

  get pausedBy(): readonly PauseReason[] {
    return this.parts.pauses.reasons;
  }

  async add<Made extends Proof>(given: QueueRequest): Promise<ProofOutcome<Made>> {
    if (this.hasEnded) throw disposed();
    const { request, signal } = readRequest(given);
    signal.throwIfAborted();
    const job = newJob(request);
    const { id } = job;
    if (this.jobs.has(id)) throw inUse();
    this.jobs.set(id, job);
    job.claimed = this.claim(job);
    const stopListening = signal.onAbort((error) => this.end(job, error));
    this.queue.add(job, job.priority);
    return job.outcome.finally(stopListening) as Promise<ProofOutcome<Made>>;
  }

  async result<Made extends Proof>(
    id: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<ProofOutcome<Made>> {
    const { journal, locks } = this.parts;
    const { signal } = options;
    new CallerSignal(signal).throwIfAborted();
    const job = this.jobs.get(id);
    if (job !== undefined) return untilAborted(job.outcome as Promise<ProofOutcome<Made>>, signal);
    await journal.open();
    if (journal.result(id) === undefined) {
      // A page that makes this proof holds the lock until its result is written.
      await locks.untilFree(`id/${id}`, signal);
      await journal.open();
    }
    const kept = journal.result(id);
    if (kept !== undefined) return { ...kept, proof: kept.proof as Made, report: undefined };
    if (journal.wasInterrupted(id)) {
      const hint = 'add the proof again: its inputs are never kept';
      throw new PippinError('INTERRUPTED', 'the page was closed or loaded again while the proof was made', { hint });
    }
    throw new PippinError('INVALID_HANDLE', 'expected the id of a proof that is pending or kept, got another', {
      hint: 'a proof that has failed or was forgotten is not known any more, and results are kept for keepResultsMs',
    });
  }

  list(): readonly QueuedProof[] {
    const kept = this.parts.journal
      .results()
      .map(({ id }) => ({ id, state: 'proved', priority: 0, progress: 1 }) as const);
    return [...this.queue.jobs.map(shown), ...kept];
  }

  cancel(id: string): boolean {
    const job = this.jobs.get(id);
    if (job !== undefined) this.end(job, abortError());
    return job !== undefined;
  }

  forget(id: string): void {
    if (!this.jobs.has(id)) this.parts.journal.forget(id);
  }

  pause(): void {
    this.parts.pauses.set('asked', true);
  }

  resume(): void {
    this.parts.pauses.set('asked', false);
  }

  async dispose(): Promise<void> {
    this.hasEnded = true;
    this.parts.pauses.end();
    for (const job of [...this.jobs.values()]) this.end(job, disposed());
    await this.work.ended();
    await this.keys.clear();
  }

  /** Lets no proof begin, or lets them go on. What waits for its turn among the pages has not begun. */
  hold(isHeld: boolean): void {
    if (isHeld) this.queue.hold((job) => job.state !== 'running');
    else this.queue.release();
  }

  /** Does a job, for the queue. */
  async run(job: Job, signal: AbortSignal): Promise<void> {
    await this.work.note(
      (async () => {
        await untilAborted(job.claimed, signal);
        await this.parts.locks.inPlace('place', this.parts.parallel, signal, () => this.prove(job, signal));
      })(),
    );
  }

  /** For the queue. */
  failed(job: Job, error: unknown): boolean {
    this.end(job, asPippinError(error));
    return false;
  }

  /** For the queue. It reports `running` when it has a place among the pages. */
  onState(job: Job, state: JobState): void {
    if (state !== 'running') this.show(job, { state });
  }

  /**
   * For the queue: whether the key of a job has room beside the keys in use. One whose size is not known is loaded
   * alone.
   */
  mayBegin(job: Job, running: readonly Job[]): boolean {
    const inUse = new Set(running.map(({ keyId }) => keyId));
    if (inUse.size === 0 || inUse.has(job.keyId) || this.parts.maxKeyBytes === Number.POSITIVE_INFINITY) return true;
    const sizes = [job.keyId, ...inUse].map((id) => this.keySizes.get(id) ?? Number.POSITIVE_INFINITY);
    return sizes.reduce((sum, bytes) => sum + bytes, 0) <= this.parts.maxKeyBytes;
  }

  private async prove(job: Job, signal: AbortSignal): Promise<void> {
    const { request, id, keyId } = job;
    const { circuit, inputs, proveOptions } = request;
    this.show(job, { state: 'running' });
    const onProgress: ProgressListener = (event) => {
      if (signal.aborted) return;
      if (event.kind === 'progress') this.show(job, { progress: event.done / event.total, phase: event.phase });
      request.onProgress?.(event);
    };
    const sizeOf = (key: ProvingKey): number => {
      const bytes = POINT_BYTES * (5 * key.variables + key.domainSize);
      this.keySizes.set(keyId, bytes);
      return bytes;
    };
    const load = (loadSignal: AbortSignal, listener: ProgressListener) => this.loadKey(request, loadSignal, listener);
    const { proof, publicSignals, report } = await this.keys.use(
      { id: keyId, load, sizeOf, bytes: this.keySizes.get(keyId) ?? 0 },
      { signal, onProgress },
      (key, proving) =>
        proveWith(this.prover, key, { inputs, circuit }, { ...proveOptions, signal, onProgress: proving }),
    );
    if (this.jobs.get(id) !== job) return;
    this.jobs.delete(id);
    this.parts.journal.finish({ id, proof, publicSignals });
    this.parts.onChange?.tell({ ...shown(job), state: 'proved', progress: 1 });
    job.resolve({ id, proof, publicSignals, report });
  }

  /** Loads a key while no other page of the queue loads one. The next page begins when the cache has it. */
  private loadKey(
    { zkey, keyOptions }: QueueRequest,
    signal: AbortSignal,
    onProgress: ProgressListener,
  ): Promise<ProvingKey> {
    return new Promise((resolve, reject) => {
      const load = async (): Promise<void> => {
        resolve(await this.prover.loadKey(zkey, { ...keyOptions, signal, onProgress }));
        await this.prover.cacheWritten();
      };
      this.parts.locks.exclusive('load', signal, load).catch(reject);
    });
  }

  /** Makes sure that no other page has the id, and keeps it until the proof has ended and its result is written. */
  private claim(job: Job): Promise<void> {
    const { journal, locks } = this.parts;
    return new Promise((resolve) => {
      const hold = async (): Promise<true> => {
        await journal.open();
        if (this.jobs.get(job.id) !== job) return true;
        if (journal.result(job.id) !== undefined) throw inUse();
        journal.begin(job.id);
        // If this page ends while it proves, others find that the proof was interrupted.
        await journal.written();
        resolve();
        await job.outcome.catch(() => undefined);
        await journal.written();
        return true;
      };
      locks.ifFree(`id/${job.id}`, hold).then(
        (wasFree) => wasFree ?? this.end(job, inUse(), false),
        (error: unknown) => this.end(job, asPippinError(error), false),
      );
    });
  }

  /** Ends a job without a proof. @param isOwn whether what is kept under its id is of this job */
  private end(job: Job, error: PippinError, isOwn = true): void {
    if (this.jobs.get(job.id) !== job) return;
    this.jobs.delete(job.id);
    this.queue.remove(job);
    if (isOwn) this.parts.journal.forget(job.id);
    this.parts.onChange?.tell({ ...shown(job), state: 'failed' });
    job.reject(error);
  }

  private show(job: Job, change: Partial<Pick<Job, 'state' | 'progress' | 'phase'>>): void {
    Object.assign(job, change);
    if (this.jobs.get(job.id) === job) this.parts.onChange?.tell(shown(job));
  }
}

function shown({ id, state, priority, progress, phase }: Job): QueuedProof {
  return { id, state, priority, progress, ...(phase === undefined ? {} : { phase }) };
}

function newJob(request: QueueRequest): Job {
  const { id = crypto.randomUUID(), priority = 0, zkey, keyOptions } = request;
  let resolve: Job['resolve'] = () => undefined;
  let reject: Job['reject'] = () => undefined;
  const outcome = new Promise<ProofOutcome<Proof>>((onProof, onError) => {
    resolve = onProof;
    reject = onError;
  });
  const keyId = fileIdentity(zkey, keyOptions);
  const claimed = Promise.resolve();
  return {
    request,
    id,
    priority,
    keyId,
    claimed,
    state: 'queued',
    progress: 0,
    phase: undefined,
    outcome,
    resolve,
    reject,
  };
}

function readRequest(given: QueueRequest): { readonly request: QueueRequest; readonly signal: CallerSignal } {
  const reader = new OptionReader(given, 'the proof that is added');
  const id = reader.read('id');
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > LONGEST_ID)) {
    throw reader.wrong('id', `a text of 1 to ${LONGEST_ID} characters`, describeType(id));
  }
  const priority = reader.number('priority', -Number.MAX_VALUE, Number.MAX_VALUE, 'priority');
  const [zkey, circuit, inputs] = ['zkey', 'circuit', 'inputs'].map((name) => {
    const value = reader.read(name);
    if (value === undefined || value === null) throw reader.wrong(name, 'given', value);
    return value;
  });
  const signal = new CallerSignal(reader.read('signal'));
  const listener = reader.listener<Parameters<ProgressListener>[0]>('onProgress');
  const [keyOptions, proveOptions] = ['keyOptions', 'proveOptions'].map((name) => reader.read(name));
  reader.expectNoOthers();
  const request = {
    zkey,
    circuit,
    inputs,
    ...(id === undefined ? {} : { id }),
    ...(priority === undefined ? {} : { priority }),
    ...(keyOptions === undefined ? {} : { keyOptions }),
    ...(proveOptions === undefined ? {} : { proveOptions }),
    ...(listener === undefined ? {} : { onProgress: (event) => listener.tell(event) }),
  } as QueueRequest;
  return { request, signal };
}

function inUse(): PippinError {
  return new PippinError('INVALID_ARGUMENT', 'expected an id that no proof has, got one that is pending or kept', {
    hint: 'wait for that proof with result(id), or forget(id) it first',
  });
}

function disposed(): PippinError {
  return new PippinError('DISPOSED', 'the queue was disposed of');
}
