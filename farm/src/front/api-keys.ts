import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A client and its limits. Only the hash of its key is stored. */
export interface ApiKey {
  /**
   * The name of the key's owner, in logs and in the ids of its jobs: 1 to 23 of the characters a-z, 0-9 and -. Jobs
   * belong to the name, so that a key can be replaced without losing them.
   */
  readonly name: string;
  /** SHA-256 of the key, in hexadecimal, from `newApiKey`; several while one key replaces another. */
  readonly sha256: string | readonly string[];
  /**
   * The maximum of requests of any kind in a minute.
   *
   * @defaultValue 600
   */
  readonly requestsPerMinute?: number;
  /**
   * The maximum of unfinished jobs.
   *
   * @defaultValue 100
   */
  readonly openJobs?: number;
  /**
   * The maximum of bytes of inputs and witnesses of its unfinished jobs together.
   *
   * @defaultValue eight times the longest body of the front: 512 MiB
   */
  readonly openBytes?: number;
  /**
   * The maximum of bytes of its bodies that each front may hold at a time, from the announcement of each until its job
   * is in the queue.
   *
   * @defaultValue twice the longest body of the front: 128 MiB
   */
  readonly bodyBytes?: number;
  /**
   * The maximum of concurrent requests at each front that wait for a job or follow its progress.
   *
   * @defaultValue 100
   */
  readonly waiting?: number;
  /**
   * The circuits whose proofs it may request.
   *
   * @defaultValue all
   */
  readonly circuits?: readonly string[];
  /**
   * The best priority of its jobs, from 0 (proved first) to 1000. The default is also the priority of jobs that request
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

/** Distinguishes a key of this server from other secrets, for people and secret scanners. */
const PREFIX = 'pippin_';
/** As hard to guess as an AES-256 key. A plain hash protects such a key; a password would need a slow one. */
const KEY_BYTES = 32;

/**
 * A new random API key. Throws nothing.
 *
 * @returns the key, which only its user gets and which cannot be recovered, and its hash for `ApiKey.sha256`.
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
   * The owner of a key. All hashes are compared, each in constant time, so that the time reveals nothing about any of
   * them.
   */
  find(key: string): ApiKey | undefined {
    const given = digestOf(key);
    let found: ApiKey | undefined;
    for (const { digest, apiKey } of this.digests) {
      if (timingSafeEqual(digest, given)) found = apiKey;
    }
    return found;
  }

  /** The owner of the key in an `Authorization` header with `Bearer KEY`. */
  bearer(header: string | undefined): ApiKey | undefined {
    const key = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(header ?? '')?.[1];
    return key === undefined ? undefined : this.find(key);
  }

  /**
   * The owner of the key in an `Authorization` header as the password of `Basic`, the scheme for which browsers prompt.
   */
  basic(header: string | undefined): ApiKey | undefined {
    const pair = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(header ?? '')?.[1];
    if (pair === undefined) return undefined;
    const text = Buffer.from(pair, 'base64').toString();
    return this.find(text.slice(text.indexOf(':') + 1));
  }
}
