import type { CircuitInputs, Groth16Proof, PippinErrorCode } from 'pippin-prover';

/**
 * Where a job stands. `waiting`: for a worker. `delayed`: for another try after the fault of a machine. `proving`: a
 * worker has it. The others are final: `proved`, `failed`, and `cancelled`.
 */
export type JobState = 'waiting' | 'delayed' | 'proving' | 'proved' | 'failed' | 'cancelled';

/** The states after which a job does not change any more. */
export const FINAL_STATES: readonly JobState[] = ['proved', 'failed', 'cancelled'];

/** What `ProofQueue.submit` is asked for. */
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
   * The caller's own name for the job, 1 to 64 of the characters A-Z a-z 0-9 _ and -. A second job of the same circuit
   * and name is not made: the first one stands, whatever the second request holds.
   *
   * @defaultValue a random UUID
   */
  readonly id?: string;
  /**
   * An integer from 0 (first) to 1000. Among jobs of the same priority the older one comes first.
   *
   * @defaultValue 500
   */
  readonly priority?: number;
  /**
   * When the proof is no longer wanted, in milliseconds since 1970 by the clock of Redis; by default 24 hours from now,
   * and at most 30 days. A job that was not proved until then fails with `DEADLINE_PASSED`, also while it is being
   * proved.
   *
   * @defaultValue 24 hours from now
   */
  readonly deadline?: number;
  /**
   * Whom the job belongs to, at most 200 characters; `JobStatus.owner` repeats it. The queue itself asks nobody who
   * they are.
   *
   * @defaultValue none
   */
  readonly owner?: string;
}

/** What `ProofQueue.submit` gives. */
export interface SubmittedJob {
  /** The job's id, `CIRCUIT.NAME`. */
  readonly id: string;
  /** False if there was a job with this id already. */
  readonly created: boolean;
}

/** A proof that a worker has made and verified. */
export interface ProofResult {
  /** The proof in snarkjs' JSON form. */
  readonly proof: Groth16Proof;
  /** The public signals as decimal strings. */
  readonly publicSignals: readonly string[];
}

/** Why a job failed. Neither a message nor a hint holds a value of an input or a witness. */
export interface JobError {
  /** What has failed. Codes are stable. */
  readonly code: PippinErrorCode;
  /** What was expected, and what came. */
  readonly message: string;
  /** What the caller can do about it. */
  readonly hint?: string;
}

/** What is known of a job. Times are milliseconds since 1970. */
export interface JobStatus {
  /** The job's id, `CIRCUIT.NAME`. */
  readonly id: string;
  /** The id of its circuit. */
  readonly circuit: string;
  /** Where it stands. */
  readonly state: JobState;
  /** As `ProofRequest.owner` named it. */
  readonly owner?: string;
  /** From 0 (first) to 1000. */
  readonly priority: number;
  /** When the proof is no longer wanted. */
  readonly deadline: number;
  /**
   * From 0 to 1, over loading the key, where it is loaded for this job, and proving. It never falls: a further try
   * moves it when it has come further.
   */
  readonly progress: number;
  /** While it is `proving`, what the worker does: `load` (the key), or a phase of the proof as in `ProgressEvent`. */
  readonly phase?: string;
  /** While it waits: how many jobs of its circuit are before it. */
  readonly position?: number;
  /** When it was submitted. */
  readonly submitted: number;
  /** When a worker took it last. */
  readonly started?: number;
  /** When it came to its final state. */
  readonly finished?: number;
  /** How often a worker has taken it. */
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
  /** The number of values of a witness; undefined where the key's server did not tell it when the circuit was read. */
  readonly variables?: number;
  /**
   * Whether jobs may hold inputs. Otherwise they hold a witness, because the workers do not have the circuit's WASM.
   */
  readonly takesInputs: boolean;
}

/** How many jobs of a circuit there are in each state. */
export interface QueueCounts {
  /** The id of the circuit. */
  readonly circuit: string;
  /** Jobs that wait for a worker. */
  readonly waiting: number;
  /** Jobs that wait for another try. */
  readonly delayed: number;
  /** Jobs that a worker has. */
  readonly proving: number;
  /** Those that are still kept. */
  readonly proved: number;
  /** Those that are still kept, jobs cancelled while they were proved among them. */
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
  /** `starting`, `ready`, or `draining`: it ends after what it is proving. */
  readonly state: 'starting' | 'ready' | 'draining';
  /** The GPU's name, or how many threads it proves with. */
  readonly device: string;
  /** What it computes with at present. */
  readonly backend: 'webgpu' | 'wasm';
  /** Whether it has a GPU, and whether that GPU has computed wrong. */
  readonly gpu: 'trusted' | 'distrusted' | 'none';
  /** When it started, in milliseconds since 1970. */
  readonly since: number;
  /** The time of this heartbeat, in milliseconds since 1970. */
  readonly seen: number;
  /** Proofs since it started. */
  readonly proofs: number;
  /** Failed tries since it started. */
  readonly failures: number;
  /** The ids of the jobs that it has at the moment. */
  readonly jobs: readonly string[];
  /** The circuits whose keys it holds, the one used last first. */
  readonly keys: readonly string[];
  /** Bytes of memory of its process (resident set). */
  readonly memory: number;
}

/** How long something took in all proofs of a circuit, as a histogram that only grows. */
export interface PhaseSeconds {
  /** The id of the circuit. */
  readonly circuit: string;
  /** `wait` (in the queue), `load` (a key), `prove` (the whole call), or a phase of the proof as in `ProgressEvent`. */
  readonly phase: string;
  /** How many there were. */
  readonly count: number;
  /** Seconds of all together. */
  readonly sum: number;
  /** How many took at most so many seconds (`atMost`), in ascending order; longer ones are in `count` alone. */
  readonly buckets: readonly { readonly atMost: number; readonly count: number }[];
}

/** Counters of all workers together. They live in Redis and only grow. */
export interface FarmCounters {
  /** Proofs of each circuit. */
  readonly proofs: readonly { readonly circuit: string; readonly count: number }[];
  /** Failed tries by the code of their error, those that were tried again among them. */
  readonly failures: readonly { readonly circuit: string; readonly code: string; readonly count: number }[];
  /** How long phases took. */
  readonly seconds: readonly PhaseSeconds[];
  /**
   * `gpu-distrusted`: a GPU has computed wrong, and its worker went on without it. `worker-died`: a process ended by
   * itself and was replaced.
   */
  readonly alarms: readonly { readonly kind: string; readonly count: number }[];
}

/** What `ProofQueue.farm` gives. */
export interface FarmStatus {
  /** The jobs of each circuit. */
  readonly queues: readonly QueueCounts[];
  /** Those with a heartbeat in the last 20 seconds. */
  readonly workers: readonly WorkerStatus[];
  /** What has been counted. */
  readonly counters: FarmCounters;
}
