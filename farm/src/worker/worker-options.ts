import { randomBytes } from 'node:crypto';
import { hostname, totalmem } from 'node:os';
import process from 'node:process';
import { PippinError, type ProverOptions } from 'pippin-prover';
import { OptionReader } from '../../../sdk/base/option-reader.js';
import type { RegisteredCircuit } from '../circuits/circuits.js';
import type { JobError } from '../queue/types.js';
import type { RedisAddress } from '../redis/connection.js';
import type { KeyPair } from '../sealing/key-pair.js';

/** Options of a worker, in any process: plain data except the listener. */
export interface WorkerOptions {
  /** Redis 7 or later. */
  readonly connection: RedisAddress;
  /** The result of `readCircuits`. */
  readonly circuits: readonly RegisteredCircuit[];
  /**
   * The workers' keys. With several, inputs may be sealed to any of them, so that keys can be replaced while jobs wait.
   */
  readonly keyPairs: readonly KeyPair[];
  /**
   * The prefix of the Redis keys, as in `ProofQueue.open`.
   *
   * @defaultValue `pippin`
   */
  readonly prefix?: string;
  /**
   * The worker's name, 1 to 100 characters.
   *
   * @defaultValue host, process and a random number
   */
  readonly id?: string;
  /**
   * Options of the worker's prover: backend, threads, cache and others.
   *
   * @defaultValue the defaults of `createProver`
   */
  readonly prover?: Omit<ProverOptions, 'onNotice'>;
  /**
   * The maximum of bytes of loaded proving keys, by the sizes of their files. The least recently used key is evicted. A
   * larger key is loaded alone.
   *
   * @defaultValue a quarter of the machine's memory
   */
  readonly keyMemory?: number;
  /**
   * The number of concurrent proofs, 1 to 16.
   *
   * @defaultValue 1
   */
  readonly together?: number;
  /**
   * The milliseconds that a job stays with a worker without heartbeats, 1000 to 600 000. A killed worker's job goes to
   * another one after at most five thirds of that time.
   *
   * @defaultValue 10 000
   */
  readonly lockMs?: number;
  /**
   * The number of workers that may die while proving a job before it fails, 1 to 1000.
   *
   * @defaultValue 3
   */
  readonly deaths?: number;
  /**
   * How many milliseconds older a job counts if its key is loaded.
   *
   * @defaultValue 10 000
   */
  readonly patienceMs?: number;
  /**
   * Called with each event. No event holds a secret.
   *
   * @defaultValue none
   */
  readonly onEvent?: (event: WorkerEvent) => void;
}

export interface CheckedWorkerOptions extends Required<Omit<WorkerOptions, 'prefix' | 'onEvent'>> {
  readonly prefix: string | undefined;
  readonly emit: (event: WorkerEvent) => void;
}

/** Checks a worker's options. `INVALID_ARGUMENT` names the invalid one. */
export function checkedWorkerOptions(options: WorkerOptions): CheckedWorkerOptions {
  const reader = new OptionReader(options, 'the options of ProofWorker.start');
  const listener = reader.listener<WorkerEvent>('onEvent');
  const checked: CheckedWorkerOptions = {
    connection: reader.read('connection') as RedisAddress,
    circuits: list(reader, 'circuits', 'a list of what readCircuits gave') as readonly RegisteredCircuit[],
    keyPairs: list(reader, 'keyPairs', 'a list of at least one pair of keys') as readonly KeyPair[],
    prefix: reader.read('prefix') as string | undefined,
    id: workerId(reader),
    prover: (reader.read('prover') ?? {}) as ProverOptions,
    keyMemory: reader.integer('keyMemory', 0, Number.MAX_SAFE_INTEGER) ?? Math.floor(totalmem() / 4),
    together: reader.integer('together', 1, 16) ?? 1,
    lockMs: reader.integer('lockMs', 1000, 600_000) ?? 10_000,
    deaths: reader.integer('deaths', 1, 1000) ?? 3,
    patienceMs: reader.integer('patienceMs', 0, 24 * 3_600_000) ?? 10_000,
    emit: (event) => listener?.tell(event),
  };
  reader.expectNoOthers();
  return checked;
}

function list(reader: OptionReader, name: string, expected: string): readonly unknown[] {
  const value = reader.read(name);
  if (Array.isArray(value) && value.length > 0) return value;
  // The value may be a secret key.
  throw new PippinError('INVALID_ARGUMENT', `expected ${name} as ${expected}, got something else`);
}

function workerId(reader: OptionReader): string {
  const id = reader.read('id') ?? `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  if (typeof id === 'string' && /^[\w.-]{1,100}$/.test(id)) return id;
  throw reader.wrong('id', '1 to 100 of A-Z a-z 0-9 _ . -', id);
}

/** A worker's events, for logs. No event holds an input, a witness or a key. */
export type WorkerEvent =
  | { readonly kind: 'ready'; readonly worker: string; readonly device: string }
  | { readonly kind: 'taken'; readonly worker: string; readonly job: string; readonly attempt: number }
  | { readonly kind: 'proved'; readonly worker: string; readonly job: string; readonly ms: number }
  /**
   * An attempt failed; `again`: whether there is another one. Clients that wait for the job get the same, unless the
   * machine or the circuit's files failed: only this event names them.
   */
  | ({
      readonly kind: 'failed';
      readonly worker: string;
      readonly job: string;
      readonly again: boolean;
    } & JobError)
  /** The job went to another worker, or back to the queue. */
  | {
      readonly kind: 'left';
      readonly worker: string;
      readonly job: string;
      readonly reason: 'lost' | 'draining';
    }
  | { readonly kind: 'key-loaded'; readonly worker: string; readonly circuit: string; readonly ms: number }
  /** A GPU has computed wrong. The worker continues without it; no wrong proof was returned. */
  | { readonly kind: 'gpu-distrusted'; readonly worker: string; readonly message: string }
  /** Redis is gone, a prover cannot be started, or an answer came too late. The worker retries automatically. */
  | { readonly kind: 'fault'; readonly worker: string; readonly message: string }
  | { readonly kind: 'draining'; readonly worker: string }
  | { readonly kind: 'ended'; readonly worker: string };
