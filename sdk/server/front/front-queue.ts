import type { CircuitInfo, FarmStatus, JobStatus, ProofRequest, SubmittedJob } from '../queue/types.js';

/** What the front needs of a queue; a `ProofQueue` is one. */
export interface FrontQueue {
  submit(request: ProofRequest): Promise<SubmittedJob>;
  status(id: string): Promise<JobStatus | undefined>;
  cancel(id: string): Promise<JobStatus | undefined>;
  watch(id: string, options?: { signal?: AbortSignal }): AsyncIterable<JobStatus>;
  circuits(): readonly CircuitInfo[];
  farm(): Promise<FarmStatus>;
  redisReady(): Promise<boolean>;
  /** For the board. */
  bullmqQueues?(): readonly object[];
}
