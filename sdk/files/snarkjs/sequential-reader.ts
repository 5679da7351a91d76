import { type ByteSource, SLICE_BYTES } from '../byte-source.js';

/** Reads a source from its first byte to its last, in pieces of any length, and holds one slice of it at a time. */
export class SequentialReader {
  private slice: Uint8Array = new Uint8Array();
  /** Where in the slice the next piece begins, and how many bytes of the source lie behind the slice. */
  private at = 0;
  private behind: number;

  constructor(private readonly source: ByteSource) {
    this.behind = source.size;
  }

  /** Bytes that were not taken yet. */
  get left(): number {
    return this.slice.length - this.at + this.behind;
  }

  /** The next `length` bytes. They stay valid as long as they are held. `MALFORMED_FILE` if so many are not left. */
  async take(length: number): Promise<Uint8Array> {
    if (this.at + length > this.slice.length) await this.fill(length);
    this.at += length;
    return this.slice.subarray(this.at - length, this.at);
  }

  /** Reads a slice that begins with the next piece. */
  private async fill(length: number): Promise<void> {
    const { left } = this;
    const slice = await this.source.read(this.source.size - left, Math.max(length, Math.min(SLICE_BYTES, left)));
    this.slice = slice;
    this.at = 0;
    this.behind = left - slice.length;
  }
}
