import { ownMembers } from '../../base/records.js';
import { sha256, toHex } from '../../files/cache/sha256.js';
import { isSameVersion, type UrlVersion } from '../../files/url-version.js';

/** Whether a file that is fetched anew at every visit could be kept: others are local already. */
export function isKeptUrl(url: string): boolean {
  return /^https?:/.test(url);
}

/** A URL may have a token in it, which has no business in a storage. */
export async function withHiddenUrl(version: UrlVersion): Promise<UrlVersion> {
  return { ...version, url: await hashOf(version.url) };
}

export async function hashOf(text: string): Promise<string> {
  return toHex(await sha256(new TextEncoder().encode(text)));
}

export function isSame(facts: unknown, now: UrlVersion): boolean {
  return isSameVersion(ownMembers(facts) as unknown as UrlVersion, now);
}
