import type { FrontQueue } from '../../farm/src/front/options.js';
import type {
  CircuitInfo,
  FarmStatus,
  JobStatus,
  ProofRequest,
  ProofResult,
  SubmittedJob,
} from '../../farm/src/queue/types.js';
import { FINAL_STATES } from '../../farm/src/queue/types.js';
import { PippinError } from '../../sdk/base/errors.js';

const circuit = (id: string, takesInputs = true): CircuitInfo => ({
  id,
  keySha256: 'ab'.repeat(32),
  curve: 'bn128',
  publicSignals: 3,
  takesInputs,
});

export const FAKE_RESULT: ProofResult = {
  proof: { pi_a: ['1', '2', '1'], pi_b: [['1', '2']], pi_c: ['3'], protocol: 'groth16', curve: 'bn128' },
  publicSignals: ['7', '8', '9'],
};

/** A queue in memory, whose jobs a test moves on. */
export class FakeProofQueue implements FrontQueue {
  /** What was submitted, by the ids of the jobs. */
  readonly requests = new Map<string, ProofRequest>();
  readonly jobs = new Map<string, JobStatus>();
  /** Set to have every call wait for it first, such as one that never ends. */
  before: () => Promise<void> = async () => {};
  isReady = true;
  workers: FarmStatus['workers'] = [fakeWorker('one')];
  counters: FarmStatus['counters'] = { proofs: [], failures: [], seconds: [], alarms: [] };
  private readonly watchers = new Set<() => void>();

  async submit(request: ProofRequest): Promise<SubmittedJob> {
    await this.before();
    const id = `${request.circuit}.${request.id}`;
    if (this.jobs.has(id)) return { id, created: false };
    this.requests.set(id, request);
    this.jobs.set(id, {
      id,
      circuit: request.circuit,
      state: 'waiting',
      ...(request.owner === undefined ? {} : { owner: request.owner }),
      priority: request.priority ?? 500,
      deadline: request.deadline ?? 2_000_000_000_000,
      progress: 0,
      position: 0,
      submitted: 1_700_000_000_000,
      attempts: 0,
    });
    return { id, created: true };
  }

  async status(id: string): Promise<JobStatus | undefined> {
    await this.before();
    return this.jobs.get(id);
  }

  async cancel(id: string): Promise<JobStatus | undefined> {
    await this.before();
    const job = this.jobs.get(id);
    if (job !== undefined && !FINAL_STATES.includes(job.state)) {
      this.change(id, { state: 'cancelled', error: { code: 'ABORTED', message: 'the job was cancelled' } });
    }
    return this.jobs.get(id);
  }

  async *watch(id: string, { signal }: { signal?: AbortSignal } = {}): AsyncIterable<JobStatus> {
    let wake = (): void => {};
    const told = (): void => wake();
    this.watchers.add(told);
    signal?.addEventListener('abort', told);
    try {
      for (;;) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        if (signal?.aborted) throw new PippinError('ABORTED', 'aborted');
        const job = this.jobs.get(id)!;
        yield job;
        if (FINAL_STATES.includes(job.state)) return;
        await changed;
      }
    } finally {
      this.watchers.delete(told);
    }
  }

  /** How many callers follow jobs at the moment. */
  get watching(): number {
    return this.watchers.size;
  }

  circuits(): readonly CircuitInfo[] {
    return [circuit('note'), circuit('vote'), circuit('witness-only', false)];
  }

  async farm(): Promise<FarmStatus> {
    await this.before();
    const queues = [{ circuit: 'note', waiting: 3, delayed: 1, proving: 2, proved: 5, failed: 4 }];
    return { queues, workers: this.workers, counters: this.counters };
  }

  async redisReady(): Promise<boolean> {
    await this.before();
    return this.isReady;
  }

  /** Changes a job, as a worker would. */
  change(id: string, changes: Partial<JobStatus>): void {
    this.jobs.set(id, { ...this.jobs.get(id)!, ...changes });
    for (const wake of [...this.watchers]) wake();
  }

  prove(id: string): void {
    this.change(id, { state: 'proved', progress: 1, worker: 'one', result: FAKE_RESULT });
  }
}

export function fakeWorker(
  id: string,
  changes: Partial<FarmStatus['workers'][number]> = {},
): FarmStatus['workers'][number] {
  return {
    id,
    host: 'host',
    pid: 1,
    state: 'ready',
    device: '2 threads',
    backend: 'wasm',
    gpu: 'none',
    since: 0,
    seen: 0,
    proofs: 0,
    failures: 0,
    jobs: [],
    keys: ['note'],
    memory: 1e8,
    ...changes,
  };
}
