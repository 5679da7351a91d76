import { timingSafeEqual } from 'node:crypto';
import { type ApiKey, digestOf } from './api-key.js';

/** The API keys of a front. */
export class KeyRing {
  private readonly digests: readonly { readonly digest: Buffer; readonly apiKey: ApiKey }[];

  constructor(apiKeys: readonly ApiKey[]) {
    this.digests = apiKeys.flatMap((apiKey) =>
      [apiKey.sha256].flat().map((hex) => ({ digest: Buffer.from(hex, 'hex'), apiKey })),
    );
  }

  /** Whose key it is. All hashes are compared, each in constant time, so that how long it takes tells nothing about any of them. */
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

  /** Whose key an `Authorization` header carries as the password of `Basic`, the scheme by which browsers ask people. */
  basic(header: string | undefined): ApiKey | undefined {
    const pair = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(header ?? '')?.[1];
    if (pair === undefined) return undefined;
    const text = Buffer.from(pair, 'base64').toString();
    return this.find(text.slice(text.indexOf(':') + 1));
  }
}
