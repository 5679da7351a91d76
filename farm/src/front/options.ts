import type { FastifyServerOptions } from 'fastify';
import { PippinError, type Prover, type VerificationKeyJson } from 'pippin-prover';
import { LAST_PRIORITY, USUAL_PRIORITY } from '../queue/read-request.js';
import type { CircuitInfo, FarmStatus, JobStatus, ProofRequest, SubmittedJob } from '../queue/types.js';
import type { RedisAddress } from '../redis/connection.js';
import type { ApiKey } from './api-keys.js';

/** The options of `createFront`. */
export interface FrontOptions {
  /** The queue of the jobs: a `ProofQueue`. The front does not close it. */
  readonly queue: FrontQueue;
  /** The API keys of the clients. */
  readonly apiKeys: readonly ApiKey[];
  /**
   * The Redis that counts requests and open jobs for all fronts together. Without it each front counts its own, and
   * starts from zero.
   *
   * @defaultValue none
   */
  readonly redis?: RedisAddress;
  /**
   * The prefix of these counts in Redis.
   *
   * @defaultValue `pippin`
   */
  readonly prefix?: string;
  /**
   * The maximum of bytes of a body with inputs.
   *
   * @defaultValue 2^20 (1 MiB)
   */
  readonly inputsLimit?: number;
  /**
   * The maximum of bytes of a witness: 32 for each variable of the circuit, and a header. The default suffices for 2^20
   * constraints.
   *
   * @defaultValue 2^26 (64 MiB)
   */
  readonly witnessLimit?: number;
  /**
   * The maximum of bytes of bodies of all API keys that the front may hold at a time, from the announcement of each
   * until its job is in the queue; at least the longest body. While a body is sealed there are further copies of it.
   *
   * @defaultValue four times the longest body: 256 MiB
   */
  readonly bodyBytes?: number;
  /**
   * The timeout in milliseconds for receiving a request, headers and body; it is checked ten times in this time, and at
   * least once a second.
   *
   * @defaultValue 30 000
   */
  readonly requestTimeout?: number;
  /**
   * The timeout of the queue in milliseconds.
   *
   * @defaultValue 5000
   */
  readonly queueTimeout?: number;
  /**
   * Milliseconds for which `close` waits for open connections.
   *
   * @defaultValue 10 000
   */
  readonly closeTimeout?: number;
  /**
   * The proxies trusted to report the address of a client, as in Fastify.
   *
   * @defaultValue none
   */
  readonly trustProxy?: Exclude<FastifyServerOptions['trustProxy'], undefined>;
  /**
   * Structured logs by pino, as in Fastify: `true`, or a level and a stream. Bodies and headers are never logged.
   *
   * @defaultValue none
   */
  readonly logger?: boolean | { readonly level?: string; readonly stream?: { write(line: string): void } };
  /**
   * Verifies proofs for `POST /v1/verify`, on the workers of its prover. Without it there is no such route.
   *
   * @defaultValue none
   */
  readonly verifier?: ProofVerifier;
  /**
   * The path of bull-board, a page that shows the queues to operators, such as `/board`.
   *
   * @defaultValue none
   */
  readonly board?: string;
}

/** The options without defaults. */
type OptionalName = 'redis' | 'board' | 'trustProxy' | 'logger' | 'verifier';

/** The options with defaults. */
export type FrontSettings = Required<Omit<FrontOptions, OptionalName>> & Pick<FrontOptions, OptionalName>;

const MIB = 2 ** 20;

/** The maximum of a limit on one body: the guaranteed size of a buffer. */
const LONGEST_BODY = 2 ** 30;
/** The maximum of a limit on several: more than any machine has. */
const MOST_BYTES = 2 ** 50;
const MOST_MS = 24 * 3600 * 1000;

/** Job ids begin with the name: the queue allows 64 characters, of which clients have 40. */
const OWNER_NAME = /^[a-z0-9-]{1,23}$/;

/** Throws `INVALID_ARGUMENT` for an invalid option. */
export function frontSettings(options: FrontOptions): FrontSettings {
  const { inputsLimit = MIB, witnessLimit = 64 * MIB } = options;
  const longest = longestBody({ inputsLimit, witnessLimit });
  const settings = {
    prefix: 'pippin',
    inputsLimit,
    witnessLimit,
    bodyBytes: 4 * longest,
    requestTimeout: 30_000,
    queueTimeout: 5000,
    closeTimeout: 10_000,
    ...options,
  };
  for (const name of ['inputsLimit', 'witnessLimit'] as const) expectInteger(name, settings[name], 1, LONGEST_BODY);
  expectInteger('bodyBytes', settings.bodyBytes, longest, MOST_BYTES);
  for (const name of ['requestTimeout', 'queueTimeout', 'closeTimeout'] as const) {
    expectInteger(name, settings[name], 1, MOST_MS);
  }
  if (settings.board !== undefined && !/^(\/[A-Za-z0-9_-]+)+$/.test(settings.board)) {
    throw wrong('board', 'a path such as /board', String(settings.board));
  }
  checkApiKeys(settings.apiKeys);
  return settings;
}

function checkApiKeys(apiKeys: readonly ApiKey[]): void {
  const [names, hashes] = [new Set<string>(), new Set<string>()];
  for (const apiKey of apiKeys) {
    const { name, requestsPerMinute = 1, openJobs = 1, openBytes = 1, bodyBytes = 1, waiting = 1 } = apiKey;
    if (typeof name !== 'string' || !OWNER_NAME.test(name) || names.has(name)) {
      throw wrong(
        'the name of an API key',
        'another than those before, 1 to 23 of a-z, 0-9 and -',
        JSON.stringify(name),
      );
    }
    names.add(name);
    const given = [apiKey.sha256].flat();
    for (const hash of given.length > 0 ? given : [undefined]) {
      if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/i.test(hash) || hashes.has(hash.toLowerCase())) {
        throw wrong(
          `the SHA-256 of the API key ${name}`,
          '64 hexadecimal digits that no other key has',
          'something else',
        );
      }
      hashes.add(hash.toLowerCase());
    }
    expectInteger(`requestsPerMinute of ${name}`, requestsPerMinute, 1, 1e9);
    expectInteger(`openJobs of ${name}`, openJobs, 0, 1e6);
    expectInteger(`openBytes of ${name}`, openBytes, 0, MOST_BYTES);
    expectInteger(`bodyBytes of ${name}`, bodyBytes, 0, MOST_BYTES);
    expectInteger(`waiting of ${name}`, waiting, 0, 1e6);
    expectInteger(`highestPriority of ${name}`, apiKey.highestPriority ?? USUAL_PRIORITY, 0, LAST_PRIORITY);
    const { circuits } = apiKey;
    if (circuits !== undefined && !(Array.isArray(circuits) && circuits.every((id) => typeof id === 'string'))) {
      throw wrong(`the circuits of ${name}`, 'a list of ids', String(circuits));
    }
  }
}

/** The bytes of the longest accepted body. */
export function longestBody({
  inputsLimit,
  witnessLimit,
}: Pick<FrontSettings, 'inputsLimit' | 'witnessLimit'>): number {
  return Math.max(inputsLimit, witnessLimit);
}

function expectInteger(name: string, value: unknown, least: number, most: number): void {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return;
  throw wrong(name, `an integer from ${least} to ${most}`, String(value));
}

function wrong(name: string, expected: string, got: string): PippinError {
  return new PippinError('INVALID_ARGUMENT', `expected ${name} as ${expected}; got ${got}`);
}

/** What `POST /v1/verify` needs. */
export interface ProofVerifier {
  /** The front does not dispose it. Verification needs no GPU and no key: `{ backend: 'wasm', cache: false }`. */
  readonly prover: Prover;
  /** The verification keys in snarkjs' JSON form, by the ids of the circuits. */
  readonly verificationKeys: Readonly<Record<string, VerificationKeyJson>>;
}

/** The part of a `ProofQueue` that the front uses. */
export interface FrontQueue {
  /** As `ProofQueue.submit`. */
  submit(request: ProofRequest): Promise<SubmittedJob>;
  /** As `ProofQueue.status`. */
  status(id: string): Promise<JobStatus | undefined>;
  /** As `ProofQueue.cancel`. */
  cancel(id: string): Promise<JobStatus | undefined>;
  /** As `ProofQueue.watch`. */
  watch(id: string, options?: { signal?: AbortSignal }): AsyncIterable<JobStatus>;
  /** As `ProofQueue.circuits`. */
  circuits(): readonly CircuitInfo[];
  /** As `ProofQueue.farm`. */
  farm(): Promise<FarmStatus>;
  /** As `ProofQueue.redisReady`. */
  redisReady(): Promise<boolean>;
  /** For the board. */
  bullmqQueues?(): readonly object[];
}
