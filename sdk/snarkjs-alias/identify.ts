import type { BinarySource } from '../api.js';
import { canHash, sha256, toHex } from '../cache/sha256.js';
import { describeSource } from '../caller-source.js';
import { urlSource } from '../io/url-source.js';
import { loadPart } from '../load-part.js';
import type { AliasPlatform } from './alias-platform.js';

/** A key's file, and a text that is the same for the same contents. */
export interface Identified {
  readonly source: BinarySource;
  readonly identity: string;
  readonly bytes: number;
}

/**
 * Contents are known by their SHA-256, and those of a file by its place, size and times. What is at a URL is fetched for every call, as snarkjs does,
 * most often from the browser's HTTP cache.
 */
export async function identify(platform: AliasPlatform, source: BinarySource): Promise<Identified> {
  if (source instanceof Uint8Array) return ofBytes(source);
  if (source instanceof ArrayBuffer) return ofBytes(new Uint8Array(source));
  if (source instanceof Blob) return ofBytes(new Uint8Array(await source.arrayBuffer()));
  const described = describeSource(source, 'a .zkey', platform.describeLocation);
  if (described.kind === 'path' && platform.fileVersion !== undefined) {
    const { bytes, version } = await platform.fileVersion(described.path);
    return { source, identity: `${described.path} ${version}`, bytes };
  }
  if (described.kind !== 'url') return { source, identity: String(source), bytes: 0 };
  const file = await urlSource(described.url);
  return ofBytes(await file.read(0, file.size));
}

async function ofBytes(source: Uint8Array): Promise<Identified> {
  return { source, identity: await hashOf(source), bytes: source.length };
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  if (canHash()) return toHex(await sha256(bytes));
  // Pages over plain HTTP have no WebCrypto.
  const noble = await loadPart('SHA-256', () => import('@noble/hashes/sha2.js'));
  return toHex(noble.sha256(bytes));
}
