import { newBytes } from '../../base/bytes.js';
import { type ByteSource, expectWithin } from '../byte-source.js';
import { expectHash, type PackedSection, PIECE_BYTES } from './header.js';

/** Pieces that are kept: as many as vectors of points are read at a time, and some more. */
const MAX_KEPT = 64;

/**
 * Reads sections of a packed key by pieces whose hashes are checked. Pieces that were read last are kept, since several
 * reads follow each other in one piece.
 */
export class VerifiedPieces {
  private readonly kept = new Map<number, Promise<Uint8Array>>();

  constructor(private readonly file: ByteSource) {}

  /** The packed bytes of a section that begin at byte `start` of the file. */
  section({ id, packed, hashes }: PackedSection, start: number): ByteSource {
    const piece = (number: number): Promise<Uint8Array> => {
      const at = number * PIECE_BYTES;
      const length = Math.min(PIECE_BYTES, packed - at);
      return this.piece(start + at, length, hashes[number]!, `bytes ${at} to ${at + length - 1} of section ${id}`);
    };
    return {
      size: packed,
      async read(offset, length) {
        expectWithin(packed, offset, length);
        const bytes = newBytes(length);
        for (let done = 0; done < length; ) {
          const number = Math.floor((offset + done) / PIECE_BYTES);
          const within = offset + done - number * PIECE_BYTES;
          const part = (await piece(number)).subarray(within, within + length - done);
          bytes.set(part, done);
          done += part.length;
        }
        return bytes;
      },
    };
  }

  private piece(at: number, length: number, hash: Uint8Array, what: string): Promise<Uint8Array> {
    const known = this.kept.get(at);
    // The one that was used last comes last.
    this.kept.delete(at);
    const piece = known ?? this.readPiece(at, length, hash, what);
    this.kept.set(at, piece);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT) this.kept.delete(oldest!);
    return piece;
  }

  private readPiece(at: number, length: number, hash: Uint8Array, what: string): Promise<Uint8Array> {
    const reading = this.file.read(at, length).then(async (bytes) => {
      await expectHash(bytes, hash, what);
      return bytes;
    });
    // The next read tries again.
    reading.catch(() => this.kept.delete(at));
    return reading;
  }
}
