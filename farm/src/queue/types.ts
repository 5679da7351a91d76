import type { CircuitInputs, PippinErrorCode, Proof } from 'pippin-prover';

/**
 * The state of a job. `waiting`: for a worker. `delayed`: for a retry after a fault of a machine. `proving`: a worker
 * holds it. The others are final: `proved`, `failed`, and `cancelled`.
 */
export type JobState = 'waiting' | 'delayed' | 'proving' | 'proved' | 'failed' | 'cancelled';

/** The final states. */
export const FINAL_STATES: readonly JobState[] = ['proved', 'failed', 'cancelled'];

/** The request of `ProofQueue.submit`. */
export interface ProofRequest {
  /** The id of a registered circuit. */
  readonly circuit: string;
  /**
   * The values of the circuit's input signals, as `fullProve` takes them. Either these or `witness`.
   *
   * @defaultValue none: then there is a `witness`
   */
  readonly inputs?: CircuitInputs;
  /**
   * A witness in snarkjs' .wtns form.
   *
   * @defaultValue none: then there are `inputs`
   */
  readonly witness?: Uint8Array;
  /**
   * The caller's name for the job, 1 to 64 of the characters A-Z a-z 0-9 _ and -. Idempotent: a second request with the
   * same circuit and name makes no second job, whatever it holds.
   *
   * @defaultValue a random UUID
   */
  readonly id?: string;
  /**
   * An integer from 0 (first) to 1000. Among equals the older job comes first.
   *
   * @defaultValue 500
   */
  readonly priority?: number;
  /**
   * The deadline in milliseconds since 1970 by the clock of Redis, at most 30 days from now. A job that is not proved
   * by then fails with `DEADLINE_PASSED`, also while it is being proved.
   *
   * @defaultValue 24 hours from now
   */
  readonly deadline?: number;
  /**
   * The owner of the job, at most 200 characters, repeated in `JobStatus.owner`. The queue does not authenticate it.
   *
   * @defaultValue none
   */
  readonly owner?: string;
}

/** The result of `ProofQueue.submit`. */
export interface SubmittedJob {
  /** The job's id, `CIRCUIT.NAME`. */
  readonly id: string;
  /** False if a job with this id existed already. */
  readonly created: boolean;
}

/** A proof that a worker has made and verified. */
export interface ProofResult {
  /** The proof in snarkjs' JSON form. */
  readonly proof: Proof;
  /** The public signals as decimal strings. */
  readonly publicSignals: readonly string[];
}

/** Why a job failed. Neither a message nor a hint holds a value of an input or a witness. */
export interface JobError {
  /** The kind of failure. Codes are stable. */
  readonly code: PippinErrorCode;
  /** What was expected, and what came. */
  readonly message: string;
  /** What the caller can do about it. */
  readonly hint?: string;
}

/** The status of a job. Times are milliseconds since 1970. */
export interface JobStatus {
  /** The job's id, `CIRCUIT.NAME`. */
  readonly id: string;
  /** The id of its circuit. */
  readonly circuit: string;
  /** Its state. */
  readonly state: JobState;
  /** The owner from `ProofRequest.owner`. */
  readonly owner?: string;
  /** From 0 (first) to 1000. */
  readonly priority: number;
  /** Its deadline. */
  readonly deadline: number;
  /**
   * From 0 to 1, over loading the key, where it is loaded for this job, and proving. It never decreases: a retry moves
   * it only beyond its maximum.
   */
  readonly progress: number;
  /**
   * While it is `proving`, the phase of the worker: `load` (the key), or a phase of the proof as in `ProgressEvent`.
   */
  readonly phase?: string;
  /** While it waits, the number of jobs of its circuit before it. */
  readonly position?: number;
  /** When it was submitted. */
  readonly submitted: number;
  /** When a worker took it last. */
  readonly started?: number;
  /** When it reached its final state. */
  readonly finished?: number;
  /** How often a worker took it. */
  readonly attempts: number;
  /** The id of the worker that took it last. */
  readonly worker?: string;
  /** If it is `proved`. */
  readonly result?: ProofResult;
  /** If it is `failed` or `cancelled`. */
  readonly error?: JobError;
}

/** A circuit that workers prove. */
export interface CircuitInfo {
  /** The id that it was registered with. */
  readonly id: string;
  /** SHA-256 of the proving key's file, 64 hexadecimal digits. */
  readonly keySha256: string;
  /** The curve, by its name in snarkjs: `bn128` for BN254. */
  readonly curve: string;
  /** The number of public signals. */
  readonly publicSignals: number;
  /** The number of values of a witness; undefined if the key's server did not report it when the circuit was read. */
  readonly variables?: number;
  /**
   * Whether jobs may hold inputs. Otherwise they hold a witness, because the workers do not have the circuit's WASM.
   */
  readonly takesInputs: boolean;
}

/** The numbers of jobs of a circuit by state. */
export interface QueueCounts {
  /** The id of the circuit. */
  readonly circuit: string;
  /** Jobs that wait for a worker. */
  readonly waiting: number;
  /** Jobs that wait for a retry. */
  readonly delayed: number;
  /** Jobs that a worker holds. */
  readonly proving: number;
  /** Proved jobs that have not expired. */
  readonly proved: number;
  /** Failed jobs that have not expired, including jobs cancelled while they were proved. */
  readonly failed: number;
}

/** The heartbeat that a worker writes every few seconds. */
export interface WorkerStatus {
  /** The worker's name. */
  readonly id: string;
  /** The name of its machine. */
  readonly host: string;
  /** The id of its process. */
  readonly pid: number;
  /** `starting`, `ready`, or `draining`: it ends after its present jobs. */
  readonly state: 'starting' | 'ready' | 'draining';
  /** The GPU's name, or the number of threads. */
  readonly device: string;
  /** The executor in use. */
  readonly backend: 'webgpu' | 'wasm';
  /** Whether it has a GPU, and whether that has computed wrong. */
  readonly gpu: 'trusted' | 'distrusted' | 'none';
  /** When it started, in milliseconds since 1970. */
  readonly since: number;
  /** The time of this heartbeat, in milliseconds since 1970. */
  readonly seen: number;
  /** Proofs since it started. */
  readonly proofs: number;
  /** Failed attempts since it started. */
  readonly failures: number;
  /** The ids of its present jobs. */
  readonly jobs: readonly string[];
  /** The circuits whose keys are loaded, most recently used first. */
  readonly keys: readonly string[];
  /** Bytes of memory of its process (resident set). */
  readonly memory: number;
}

/** The durations of a phase in all proofs of a circuit, as a histogram that only grows. */
export interface PhaseSeconds {
  /** The id of the circuit. */
  readonly circuit: string;
  /** `wait` (in the queue), `load` (a key), `prove` (the whole call), or a phase of the proof as in `ProgressEvent`. */
  readonly phase: string;
  /** The number of observations. */
  readonly count: number;
  /** The sum in seconds. */
  readonly sum: number;
  /** The numbers that took at most so many seconds (`atMost`), in ascending order; longer ones are in `count` alone. */
  readonly buckets: readonly { readonly atMost: number; readonly count: number }[];
}

/** The counters of all workers together. They live in Redis and only grow. */
export interface FarmCounters {
  /** Proofs of each circuit. */
  readonly proofs: readonly { readonly circuit: string; readonly count: number }[];
  /** Failed attempts by the code of their error, including retried ones. */
  readonly failures: readonly { readonly circuit: string; readonly code: string; readonly count: number }[];
  /** The durations of phases. */
  readonly seconds: readonly PhaseSeconds[];
  /**
   * `gpu-distrusted`: a GPU has computed wrong, and its worker continued without it. `worker-died`: a process ended
   * unexpectedly and was replaced.
   */
  readonly alarms: readonly { readonly kind: string; readonly count: number }[];
}

/** The result of `ProofQueue.farm`. */
export interface FarmStatus {
  /** The jobs of each circuit. */
  readonly queues: readonly QueueCounts[];
  /** Workers with a heartbeat in the last 20 seconds. */
  readonly workers: readonly WorkerStatus[];
  /** The counters. */
  readonly counters: FarmCounters;
}
