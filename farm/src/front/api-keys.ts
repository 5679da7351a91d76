import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** One who may ask for proofs, and how much. Only the hash of the key itself is kept. */
export interface ApiKey {
  /**
   * The name of the key's owner, in logs and in the ids of its jobs: 1 to 23 of the characters a-z, 0-9 and -. Jobs
   * belong to the name, so that a key can be replaced without losing them.
   */
  readonly name: string;
  /** SHA-256 of the key, in hexadecimal, as `newApiKey` gives it; several while one key replaces another. */
  readonly sha256: string | readonly string[];
  /**
   * How many requests of any kind it may send in a minute.
   *
   * @defaultValue 600
   */
  readonly requestsPerMinute?: number;
  /**
   * How many unfinished jobs it may have.
   *
   * @defaultValue 100
   */
  readonly openJobs?: number;
  /**
   * The bytes of inputs and witnesses that its unfinished jobs may have together. Default eight times the longest body
   * of the front: 512 MiB.
   *
   * @defaultValue eight times the longest body of the front: 512 MiB
   */
  readonly openBytes?: number;
  /**
   * The bytes of its bodies that each front may hold at a time, from the announcement of each until its job is in the
   * queue. Default twice the longest body of the front: 128 MiB.
   *
   * @defaultValue twice the longest body of the front: 128 MiB
   */
  readonly bodyBytes?: number;
  /**
   * How many requests may be open at a time that wait for a job, or follow its progress, at each front.
   *
   * @defaultValue 100
   */
  readonly waiting?: number;
  /**
   * The circuits that it may ask proofs of. Default: all.
   *
   * @defaultValue all
   */
  readonly circuits?: readonly string[];
  /**
   * The best priority that its jobs may have, from 0 (proved first) to 1000. Default 500, which jobs have that ask for
   * none.
   *
   * @defaultValue 500
   */
  readonly highestPriority?: number;
  /**
   * Whether it may read metrics and, where there is one, the board of all jobs.
   *
   * @defaultValue false
   */
  readonly operator?: boolean;
}

/** Tells a key of this server from other secrets, for people and for tools that look for secrets in repositories. */
const PREFIX = 'pippin_';
/** As hard to guess as a key of AES-256. A plain hash protects such a key; a password would need a slow one. */
const KEY_BYTES = 32;

/**
 * A new random API key. Throws nothing.
 *
 * @returns the key, which is for its user alone and cannot be recovered, and its hash for `ApiKey.sha256`.
 * @example
 * ```js run
 * import { newApiKey } from 'pippin-farm';
 *
 * const { key, sha256 } = newApiKey();
 * console.log('for the user:', key.length, 'characters; for the front:', sha256);
 * ```
 */
export function newApiKey(): { key: string; sha256: string } {
  const key = PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  return { key, sha256: digestOf(key).toString('hex') };
}

export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The API keys of a front. */
export class KeyRing {
  private readonly digests: readonly { readonly digest: Buffer; readonly apiKey: ApiKey }[];

  constructor(apiKeys: readonly ApiKey[]) {
    this.digests = apiKeys.flatMap((apiKey) =>
      [apiKey.sha256].flat().map((hex) => ({ digest: Buffer.from(hex, 'hex'), apiKey })),
    );
  }

  /**
   * Whose key it is. All hashes are compared, each in constant time, so that how long it takes tells nothing about any
   * of them.
   */
  find(key: string): ApiKey | undefined {
    const given = digestOf(key);
    let found: ApiKey | undefined;
    for (const { digest, apiKey } of this.digests) {
      if (timingSafeEqual(digest, given)) found = apiKey;
    }
    return found;
  }

  /** Whose key an `Authorization` header carries as `Bearer KEY`. */
  bearer(header: string | undefined): ApiKey | undefined {
    const key = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(header ?? '')?.[1];
    return key === undefined ? undefined : this.find(key);
  }

  /**
   * Whose key an `Authorization` header carries as the password of `Basic`, the scheme by which browsers ask people.
   */
  basic(header: string | undefined): ApiKey | undefined {
    const pair = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(header ?? '')?.[1];
    if (pair === undefined) return undefined;
    const text = Buffer.from(pair, 'base64').toString();
    return this.find(text.slice(text.indexOf(':') + 1));
  }
}
