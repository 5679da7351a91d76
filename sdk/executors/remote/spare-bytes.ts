/**
 * Milliseconds after its last use in which an array is overwritten with zeros: calls one after another do not wait for
 * that.
 */
const IDLE_MS = 200;

/**
 * Keeps one array for the next user, since memory that is used again is filled twice as fast as new memory. What was
 * secret in it does not stay: when nobody takes it for a while it is overwritten and let go.
 */
export class SpareBytes {
  private spare: Uint8Array | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `length` bytes, which may hold what an earlier user left. */
  take(length: number): Uint8Array {
    const { spare } = this;
    if (spare === undefined || spare.length < length) return new Uint8Array(length);
    clearTimeout(this.timer);
    this.spare = undefined;
    return spare.subarray(0, length);
  }

  /** Takes back what `take` gave. */
  giveBack(bytes: Uint8Array): void {
    const whole = new Uint8Array(bytes.buffer);
    if (this.spare !== undefined) {
      whole.fill(0);
      return;
    }
    this.spare = whole;
    this.timer = setTimeout(() => {
      this.spare = undefined;
      whole.fill(0);
    }, IDLE_MS);
  }
}
