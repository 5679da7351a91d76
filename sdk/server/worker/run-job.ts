import type { Redis } from 'ioredis';
import type { ProveResult } from '../../api/index.js';
import { throwIfAborted, untilAborted } from '../../base/abort.js';
import { jobErrorFrom, OVERDUE, WORKERS_DIED } from '../queue/job-data.js';
import type { Names } from '../queue/names.js';
import type { JobError } from '../queue/types.js';
import type { RedisClock } from '../redis/clock.js';
import type { KeyPair } from '../sealing/key-pair.js';
import { openInput } from '../sealing/sealed-input.js';
import { type Engine, LoadFailure } from './engine.js';
import { isFaultOfProver, isMachineFault, shownError } from './faults.js';
import type { EndReason, HeldJob } from './held-job.js';
import { ProgressOfJob } from './job-progress.js';
import type { WorkerEvent } from './worker-event.js';
import type { WorkerRecord } from './worker-record.js';

/** What jobs are run with. */
export interface JobSurroundings {
  readonly worker: string;
  readonly client: Redis;
  readonly clock: RedisClock;
  readonly names: Names;
  readonly keyPairs: readonly KeyPair[];
  readonly engine: Engine;
  readonly record: WorkerRecord;
  /** Called when a circuit's files could not be loaded here. */
  readonly onLoadFailure: (circuit: string) => void;
  readonly tell: (event: WorkerEvent) => void;
}

/** How a try ended. */
export type JobEnd = 'proved' | 'failed' | 'left';

/** The errors of jobs that were ended from outside. */
const ENDED: Readonly<Record<'cancelled' | 'deadline', JobError>> = {
  cancelled: { code: 'ABORTED', message: 'the job was cancelled' },
  deadline: OVERDUE,
};

/** Proves a job and ends it. Never rejects. */
export async function runJob(job: HeldJob, around: JobSurroundings): Promise<JobEnd> {
  const { worker, tell } = around;
  const { circuit } = job.taken;
  tell({ kind: 'taken', worker, job: job.id, attempt: job.taken.job.attemptsStarted });
  try {
    const began = around.clock.now();
    const { result, loadMs } = await proof(job, around);
    const { proof: points, publicSignals, report } = result;
    if (!(await job.complete({ proof: points, publicSignals }))) return left(job, 'lost', around);
    const waited = began - job.taken.job.timestamp;
    around.record.proved(circuit, secondsOf(report.ms, waited, loadMs));
    tell({ kind: 'proved', worker, job: job.id, ms: Math.round(report.ms.total ?? 0) });
    forgetInput(job, around);
    return 'proved';
  } catch (error) {
    return failed(job, error, around);
  }
}

/** The job's proof, and how long its key was loaded for it; undefined if it was there. */
async function proof(
  job: HeldJob,
  around: JobSurroundings,
): Promise<{ result: ProveResult; loadMs: number | undefined }> {
  const { circuit } = job.taken;
  const sealed = await sealedInput(job, around);
  const input = await openInput(sealed ?? new Uint8Array(), { circuit, job: job.id }, around.keyPairs);
  const progress = new ProgressOfJob(job.reached, (moved) => job.tell(moved));
  let loadMs: number | undefined;
  const proving = around.engine.prove({
    circuit,
    input,
    signal: job.signal,
    onLoad: () => progress.onLoad(),
    onLoadProgress: (event) => progress.onLoadProgress(event),
    onLoaded: (ms) => {
      loadMs = ms;
      around.tell({ kind: 'key-loaded', worker: around.worker, circuit, ms: Math.round(ms) });
    },
    onProveProgress: (event) => progress.onProveProgress(event),
  });
  try {
    // A key goes on loading for the next job when this one is ended.
    return { result: await untilAborted(proving, job.signal), loadMs };
  } finally {
    if ('witness' in input) proving.catch(() => undefined).finally(() => input.witness.fill(0));
  }
}

/** The input of a job. One that was cancelled or is overdue ends here, and so does one that BullMQ has given up because its workers died. */
async function sealedInput(job: HeldJob, { client, clock, names }: JobSurroundings): Promise<Uint8Array | null> {
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

/** BullMQ has decided that a job fails. */
class GivenUp extends Error {}

async function failed(job: HeldJob, thrown: unknown, around: JobSurroundings): Promise<JobEnd> {
  const { worker, engine, record, tell } = around;
  const reason = job.ended;
  if (reason === 'lost' || reason === 'draining') return left(job, reason, around);
  const error = errorOf(thrown, reason);
  const isLoading = thrown instanceof LoadFailure && reason === undefined;
  const again = reason === undefined && (isLoading || isMachineFault(error)) && !(thrown instanceof GivenUp);
  if (isLoading) around.onLoadFailure(job.taken.circuit);
  if (error.code === 'RESULT_INVALID' && engine.gpu === 'trusted') engine.distrust(error.message);
  if (isFaultOfProver(error) && !(thrown instanceof GivenUp)) engine.wearOut();
  if (!(await job.fail(shownError(error, isLoading), !again))) return left(job, 'lost', around);
  const isOver = job.taken.job.finishedOn !== undefined;
  record.failed(job.taken.circuit, error.code);
  tell({ kind: 'failed', worker, job: job.id, ...error, again: !isOver });
  if (isOver) forgetInput(job, around);
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
  around: JobSurroundings,
): Promise<JobEnd> {
  if (reason === 'draining') await job.giveBack();
  job.forget();
  around.tell({ kind: 'left', worker: around.worker, job: job.id, reason });
  return 'left';
}

/** A job that has ended needs its input no more. */
function forgetInput(job: HeldJob, { client, names, tell, worker }: JobSurroundings): void {
  client.del(names.input(job.taken.job.data.input)).catch((error: Error) => {
    tell({ kind: 'fault', worker, message: error.message });
  });
}

/** The seconds of each phase of a proof, with those before it. */
function secondsOf(
  { total = 0, ...phases }: Readonly<Record<string, number>>,
  waited: number,
  loadMs: number | undefined,
): Record<string, number> {
  const ms = { ...phases, prove: total, wait: Math.max(0, waited), ...(loadMs !== undefined && { load: loadMs }) };
  return Object.fromEntries(Object.entries(ms).map(([phase, value]) => [phase, value / 1000]));
}
