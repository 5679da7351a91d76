import { ownMembers } from '../../base/records.js';
import { DIGEST_BYTES, sha256, toHex } from './sha256.js';

/** The most bytes in one chunk: few enough to be in memory several times while they are hashed and written. */
export const CHUNK_BYTES = 4 * 2 ** 20;

/** A named array of bytes in chunks of CHUNK_BYTES, the last one shorter; an empty array has none. */
export interface StoredArray {
  readonly name: string;
  readonly length: number;
  /** The SHA-256 of each chunk, in hexadecimal. */
  readonly chunks: readonly string[];
}

/** What a record consists of. It is written after all chunks: without a manifest, a record counts as absent. */
export interface Manifest {
  /** The record's own key, so that a manifest that was stored under another key is noticed. */
  readonly key: string;
  /** What the record was made from, for a person: a file's name. Nothing depends on it, and it may be any text. */
  readonly name?: string | undefined;
  readonly facts: unknown;
  readonly arrays: readonly StoredArray[];
}

export function chunkCount(length: number): number {
  return Math.ceil(length / CHUNK_BYTES);
}

/** The manifest as bytes: 32 bytes with the SHA-256 of what follows, then JSON in UTF-8. */
export async function encodeManifest(manifest: Manifest): Promise<Uint8Array> {
  const text = new TextEncoder().encode(JSON.stringify(manifest));
  const bytes = new Uint8Array(DIGEST_BYTES + text.length);
  bytes.set(await sha256(text));
  bytes.set(text, DIGEST_BYTES);
  return bytes;
}

/** The manifest of the record `key`, or a few words on what is wrong with the bytes. */
export async function decodeManifest(bytes: Uint8Array, key: string): Promise<Manifest | string> {
  const text = bytes.subarray(DIGEST_BYTES);
  if (toHex(await sha256(text)) !== toHex(bytes.subarray(0, DIGEST_BYTES))) return 'the manifest has another hash';
  let manifest: unknown;
  try {
    manifest = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    return 'the manifest is no JSON';
  }
  if (!isManifest(manifest)) return 'the manifest lacks a field';
  return manifest.key === key ? manifest : `the manifest is of ${manifest.key}`;
}

function isManifest(value: unknown): value is Manifest {
  const { key, facts, arrays } = ownMembers(value);
  return typeof key === 'string' && facts !== undefined && Array.isArray(arrays) && arrays.every(isStoredArray);
}

function isStoredArray(value: unknown): value is StoredArray {
  const { name, length, chunks } = ownMembers(value);
  return (
    typeof name === 'string' &&
    Number.isSafeInteger(length) &&
    (length as number) >= 0 &&
    Array.isArray(chunks) &&
    chunks.length === chunkCount(length as number) &&
    chunks.every((digest) => typeof digest === 'string')
  );
}
