/** Bytes that are gathered in JavaScript before they become part of a Blob, which the browser may keep on disk. */
const PART_BYTES = 2 ** 22;

/** Bytes that come one after another, kept as a Blob. */
export class GrowingBlob {
  private readonly parts: Blob[] = [];
  private gathered: Uint8Array<ArrayBuffer>[] = [];
  private gatheredBytes = 0;
  private total = 0;
  /** What had come when it was last asked for; undefined once more has come. */
  private made: Blob | undefined;

  /** How many bytes have come. */
  get size(): number {
    return this.total;
  }

  append(bytes: Uint8Array<ArrayBuffer>): void {
    this.gathered.push(bytes);
    this.gatheredBytes += bytes.length;
    this.total += bytes.length;
    this.made = undefined;
    if (this.gatheredBytes >= PART_BYTES) this.finishPart();
  }

  /** What has come so far. */
  blob(): Blob {
    this.finishPart();
    this.made ??= new Blob(this.parts);
    return this.made;
  }

  private finishPart(): void {
    if (this.gatheredBytes > 0) this.parts.push(new Blob(this.gathered));
    this.gathered = [];
    this.gatheredBytes = 0;
  }
}
