import { type ByteSource, blobSource, joinSources, memorySource } from './byte-source.js';

/**
 * So many bytes of a file stay in JavaScript's memory. Beyond them they become a Blob, which the browser may keep on
 * disk; but it keeps Blobs in another process, and putting 8 MB there and reading them takes 40 ms in Chromium.
 */
export const MEMORY_BYTES = 2 ** 25;
/** Bytes that are gathered before they become part of a Blob. */
const PART_BYTES = 2 ** 22;

/** Bytes that come one after another. */
export class GrowingBytes {
  private readonly parts: Blob[] = [];
  private gathered: Uint8Array<ArrayBuffer>[] = [];
  private gatheredBytes = 0;
  private total = 0;

  /** How many bytes have come. */
  get size(): number {
    return this.total;
  }

  append(bytes: Uint8Array<ArrayBuffer>): void {
    this.gathered.push(bytes);
    this.gatheredBytes += bytes.length;
    this.total += bytes.length;
    if (this.total > MEMORY_BYTES && this.gatheredBytes >= PART_BYTES) {
      this.parts.push(new Blob(this.gathered));
      this.gathered = [];
      this.gatheredBytes = 0;
    }
  }

  /** What has come so far, as a Blob. */
  blob(): Blob {
    return new Blob([...this.parts, ...this.gathered]);
  }

  /** What has come so far. */
  source(): ByteSource {
    const blobs = this.parts.length === 0 ? [] : [blobSource(new Blob(this.parts))];
    return joinSources([...blobs, ...this.gathered.map(memorySource)]);
  }
}
