import { OptionReader } from '../../../sdk/base/option-reader.js';
import type { RedisAddress } from '../redis/connection.js';
import type { CircuitInfo } from './types.js';

/** Options of `ProofQueue.open`. */
export interface ProofQueueOptions {
  /** Redis 7 or later. */
  readonly connection: RedisAddress;
  /** The available circuits; `from redis`: the circuits that workers have announced there. */
  readonly circuits: readonly CircuitInfo[] | 'from redis';
  /** The workers' public key, 32 bytes, for sealing inputs. */
  readonly publicKey: Uint8Array;
  /**
   * The prefix of all names in Redis, so that several farms can share one. Workers must use the same.
   *
   * @defaultValue `pippin`
   */
  readonly prefix?: string;
  /**
   * The seconds for which results, errors and cancelled jobs are stored, 1 to 30 days.
   *
   * @defaultValue 3600 (an hour)
   */
  readonly keepResults?: number;
  /**
   * The maximum of attempts of a job when machines fail, 1 to 100. Bad inputs are not retried.
   *
   * @defaultValue 5
   */
  readonly attempts?: number;
  /**
   * The maximum of bytes of a sealed input, up to 512 MB, the largest value in Redis.
   *
   * @defaultValue 2^26 (64 MiB)
   */
  readonly maxInputBytes?: number;
  /**
   * Called when Redis is gone, or an event is lost. Calls that need it reject as well.
   *
   * @defaultValue none
   */
  readonly onError?: (error: Error) => void;
}

/** Checked options, with defaults. */
export type CheckedQueueOptions = Required<Omit<ProofQueueOptions, 'prefix'>> & { readonly prefix: string | undefined };

/** Checks the options. `INVALID_ARGUMENT` names the invalid one. */
export function checkedQueueOptions(options: ProofQueueOptions): CheckedQueueOptions {
  const reader = new OptionReader(options, 'the options of ProofQueue.open');
  const connection = reader.read('connection') as RedisAddress;
  const circuits = reader.read('circuits');
  if (circuits !== 'from redis' && !Array.isArray(circuits)) {
    throw reader.wrong('circuits', "a list of circuits or 'from redis'", circuits);
  }
  const publicKey = reader.read('publicKey');
  if (!(publicKey instanceof Uint8Array) || publicKey.length !== 32) {
    throw reader.wrong('publicKey', 'a Uint8Array of 32 bytes', publicKey);
  }
  const onError = reader.listener<Error>('onError');
  const checked = {
    connection,
    circuits: circuits as CheckedQueueOptions['circuits'],
    publicKey,
    prefix: reader.read('prefix') as string | undefined,
    keepResults: reader.integer('keepResults', 1, 30 * 24 * 3600) ?? 3600,
    attempts: reader.integer('attempts', 1, 100) ?? 5,
    maxInputBytes: reader.integer('maxInputBytes', 1, 2 ** 29) ?? 2 ** 26,
    onError: (error: Error) => onError?.tell(error),
  };
  reader.expectNoOthers();
  return checked;
}
