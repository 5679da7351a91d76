import { joinBytes } from '../base/bytes.js';
import { words, wordsOfSize } from '../files/snarkjs/section-file.js';

/** The version of the .zkey files that snarkjs 0.7 writes. */
const VERSION = 1;

/** Takes the bytes of a new key in order; it owns each. */
export type WriteKey = (bytes: Uint8Array) => void | Promise<void>;

/** A section of a file that is written part by part. */
export interface NewSection {
  readonly id: number;
  /** Bytes of all parts. */
  readonly size: number;
  readonly parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Writes what a .zkey begins with. */
export async function beginZkey(write: WriteKey, sections: number): Promise<void> {
  await write(joinBytes([new TextEncoder().encode('zkey'), words(VERSION, sections)]));
}

export async function writeSection(write: WriteKey, { id, size, parts }: NewSection): Promise<void> {
  await write(words(id, ...wordsOfSize(size)));
  for await (const part of parts) await write(part);
}

/** A section whose bytes are all there. */
export function wholeSection(id: number, bytes: Uint8Array): NewSection {
  return { id, size: bytes.length, parts: [bytes] };
}
