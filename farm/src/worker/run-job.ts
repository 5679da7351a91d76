import type { Redis } from 'ioredis';
import type { AnyProveResult, PippinErrorCode } from 'pippin-prover';
import { throwIfAborted, untilAborted } from '../../../sdk/base/abort.js';
import type { WorkerRecord } from '../queue/farm-status.js';
import { jobErrorFrom, OVERDUE, WORKERS_DIED } from '../queue/job.js';
import type { Names } from '../queue/names.js';
import type { JobError } from '../queue/types.js';
import type { RedisClock } from '../redis/clock.js';
import type { KeyPair } from '../sealing/key-pair.js';
import { openInput } from '../sealing/sealed-input.js';
import { type Engine, LoadFailure } from './engine.js';
import { type EndReason, type HeldJob, ProgressOfJob } from './held-job.js';
import type { WorkerEvent } from './worker-options.js';

/** The context of jobs. */
export interface JobContext {
  readonly worker: string;
  readonly client: Redis;
  readonly clock: RedisClock;
  readonly names: Names;
  readonly keyPairs: readonly KeyPair[];
  readonly engine: Engine;
  readonly record: WorkerRecord;
  /** Called when a circuit's files could not be loaded here. */
  readonly onLoadFailure: (circuit: string) => void;
  readonly emit: (event: WorkerEvent) => void;
}

/** The outcome of an attempt. */
type JobEnd = 'proved' | 'failed' | 'left';

/** The errors of jobs that were ended from outside. */
const ENDED: Readonly<Record<'cancelled' | 'deadline', JobError>> = {
  cancelled: { code: 'ABORTED', message: 'the job was cancelled' },
  deadline: OVERDUE,
};

/** Proves and finishes a job. Never rejects. */
export async function runJob(job: HeldJob, context: JobContext): Promise<JobEnd> {
  const { worker, emit } = context;
  const { circuit } = job.taken;
  emit({ kind: 'taken', worker, job: job.id, attempt: job.taken.job.attemptsStarted });
  try {
    const began = context.clock.now();
    const { result, loadMs } = await proof(job, context);
    const { proof: points, publicSignals, report } = result;
    if (!(await job.complete({ proof: points, publicSignals }))) return left(job, 'lost', context);
    const waited = began - job.taken.job.timestamp;
    context.record.proved(circuit, secondsOf(report.ms, waited, loadMs));
    emit({ kind: 'proved', worker, job: job.id, ms: Math.round(report.ms.total ?? 0) });
    forgetInput(job, context);
    return 'proved';
  } catch (error) {
    return failed(job, error, context);
  }
}

/** The job's proof, and how long its key was loaded for it; undefined if it was there. */
async function proof(
  job: HeldJob,
  context: JobContext,
): Promise<{ result: AnyProveResult; loadMs: number | undefined }> {
  const { circuit } = job.taken;
  const sealed = await sealedInput(job, context);
  const input = await openInput(sealed ?? new Uint8Array(), { circuit, job: job.id }, context.keyPairs);
  const progress = new ProgressOfJob(job.reached, (moved) => job.reportProgress(moved));
  let loadMs: number | undefined;
  const proving = context.engine.prove({
    circuit,
    input,
    signal: job.signal,
    onLoad: () => progress.onLoad(),
    onLoadProgress: (event) => progress.onLoadProgress(event),
    onLoaded: (ms) => {
      loadMs = ms;
      context.emit({ kind: 'key-loaded', worker: context.worker, circuit, ms: Math.round(ms) });
    },
    onProveProgress: (event) => progress.onProveProgress(event),
  });
  try {
    // A key continues to load for the next job if this one is ended.
    return { result: await untilAborted(proving, job.signal), loadMs };
  } finally {
    if ('witness' in input) proving.catch(() => undefined).finally(() => input.witness.fill(0));
  }
}

/** The input of a job. A cancelled or overdue job ends here, and a job that BullMQ failed because its workers died. */
async function sealedInput(job: HeldJob, { client, clock, names }: JobContext): Promise<Uint8Array | null> {
  const { deferredFailure, data } = job.taken.job;
  if (deferredFailure) throw new GivenUp();
  const [isCancelled, sealed] = await Promise.all([
    client.exists(names.cancelled(job.id)),
    client.getBuffer(names.input(data.input)),
  ]);
  if (isCancelled > 0) job.end('cancelled');
  if (data.deadline <= clock.now()) job.end('deadline');
  throwIfAborted(job.signal);
  return sealed;
}

/** BullMQ has failed the job. */
class GivenUp extends Error {}

async function failed(job: HeldJob, thrown: unknown, context: JobContext): Promise<JobEnd> {
  const { worker, engine, record, emit } = context;
  const reason = job.ended;
  if (reason === 'lost' || reason === 'draining') return left(job, reason, context);
  const error = errorOf(thrown, reason);
  const isLoading = thrown instanceof LoadFailure && reason === undefined;
  const again = reason === undefined && (isLoading || isMachineFault(error)) && !(thrown instanceof GivenUp);
  if (isLoading) context.onLoadFailure(job.taken.circuit);
  if (error.code === 'RESULT_INVALID' && engine.gpu === 'trusted') engine.distrust(error.message);
  if (isFaultOfProver(error) && !(thrown instanceof GivenUp)) engine.replaceProver();
  if (!(await job.fail(shownError(error, isLoading), !again))) return left(job, 'lost', context);
  const isOver = job.taken.job.finishedOn !== undefined;
  record.failed(job.taken.circuit, error.code);
  emit({ kind: 'failed', worker, job: job.id, ...error, again: !isOver });
  if (isOver) forgetInput(job, context);
  return 'failed';
}

function errorOf(thrown: unknown, reason: 'cancelled' | 'deadline' | undefined): JobError {
  if (reason !== undefined) return ENDED[reason];
  if (thrown instanceof GivenUp) return WORKERS_DIED;
  return jobErrorFrom(thrown instanceof LoadFailure ? thrown.reason : thrown);
}

async function left(
  job: HeldJob,
  reason: Extract<EndReason, 'lost' | 'draining'>,
  context: JobContext,
): Promise<JobEnd> {
  if (reason === 'draining') await job.giveBack();
  job.forget();
  context.emit({ kind: 'left', worker: context.worker, job: job.id, reason });
  return 'left';
}

/** A finished job no longer needs its input. */
function forgetInput(job: HeldJob, { client, names, emit, worker }: JobContext): void {
  client.del(names.input(job.taken.job.data.input)).catch((error: Error) => {
    emit({ kind: 'fault', worker, message: error.message });
  });
}

/** The seconds of each phase of a proof, and of the phases before it. */
function secondsOf(
  { total = 0, ...phases }: Readonly<Record<string, number>>,
  waited: number,
  loadMs: number | undefined,
): Record<string, number> {
  const ms = { ...phases, prove: total, wait: Math.max(0, waited), ...(loadMs !== undefined && { load: loadMs }) };
  return Object.fromEntries(Object.entries(ms).map(([phase, value]) => [phase, value / 1000]));
}

/** Errors of the machine: another attempt, here or elsewhere, may succeed. All others are due to the input. */
const MACHINE_FAULTS: ReadonlySet<PippinErrorCode> = new Set([
  'DEVICE_LOST',
  'DISPOSED',
  'INTERNAL',
  'INTERRUPTED',
  'IO_FAILED',
  'OUT_OF_MEMORY',
  'QUEUE_UNAVAILABLE',
  'RESULT_INVALID',
  'UNSUPPORTED_ENVIRONMENT',
  'WEBGPU_UNAVAILABLE',
  'WORKER_FAILED',
]);

/** Errors after which the prover is replaced. */
const FAULTS_OF_PROVERS: ReadonlySet<PippinErrorCode> = new Set([
  'DEVICE_LOST',
  'DISPOSED',
  'INTERNAL',
  // WebAssembly memory never shrinks: only a new prover releases it.
  'OUT_OF_MEMORY',
  'WEBGPU_UNAVAILABLE',
  'WORKER_FAILED',
]);

/** Whether a job is retried after this error. */
function isMachineFault({ code }: JobError): boolean {
  return MACHINE_FAULTS.has(code);
}

/**
 * The error for callers that wait for the job. If the machine or the circuit's files failed, the message may contain
 * data of the operator, such as paths and URLs; it goes only to the worker's events.
 */
function shownError(error: JobError, isLoading: boolean): JobError {
  if (isLoading) {
    return {
      code: 'IO_FAILED',
      message: "expected a worker to load the circuit's files, got an error",
      hint: "the operator finds the reason in the workers' log; then submit the job again",
    };
  }
  if (!isMachineFault(error) || error === WORKERS_DIED) return error;
  return {
    code: error.code,
    message: 'expected a proof, got a fault of the worker',
    hint: "submit the job again; if it fails again, the operator finds the reason in the workers' log",
  };
}

/** Whether the prover is unusable after this error. */
function isFaultOfProver({ code }: JobError): boolean {
  return FAULTS_OF_PROVERS.has(code);
}
