import { throwIfAborted } from '../base/abort.js';
import { bigintToBytes, joinBytes } from '../base/bytes.js';
import { type Curve, SCALAR_BYTES } from '../curves/index.js';
import type { ByteSource } from '../files/byte-source.js';
import { sectionHead, words } from '../files/snarkjs/section-file.js';
import { inOrder } from './in-order.js';

/** The version of the .zkey files that snarkjs 0.7 writes. */
const VERSION = 1;
/** Bytes of a section that are read at a time, and how many such pieces: a file is read while another is written. */
const PIECE_BYTES = 2 ** 22;
const PIECES_AHEAD = 3;

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

/** What the header section of a .zkey begins with: both moduli, each after its number of bytes. */
export function writtenModuli({ coordinateBytes, fq, fr }: Curve): Uint8Array {
  return joinBytes([
    words(coordinateBytes),
    bigintToBytes(fq.modulus, coordinateBytes),
    words(SCALAR_BYTES),
    bigintToBytes(fr.modulus, SCALAR_BYTES),
  ]);
}

export async function writeSection(write: WriteKey, { id, size, parts }: NewSection): Promise<void> {
  await write(sectionHead(id, size));
  for await (const part of parts) await write(part);
}

/** A section whose bytes are all there. */
export function wholeSection(id: number, bytes: Uint8Array): NewSection {
  return { id, size: bytes.length, parts: [bytes] };
}

/** A section as another file has it, read piece by piece. */
export function copiedSection(id: number, section: ByteSource, signal: AbortSignal | undefined): NewSection {
  return { id, size: section.size, parts: inOrder(piecesOf(section, signal), () => PIECES_AHEAD) };
}

function* piecesOf(section: ByteSource, signal: AbortSignal | undefined): Generator<() => Promise<Uint8Array>> {
  for (let at = 0; at < section.size; at += PIECE_BYTES) {
    throwIfAborted(signal);
    yield () => section.read(at, Math.min(PIECE_BYTES, section.size - at));
  }
}
