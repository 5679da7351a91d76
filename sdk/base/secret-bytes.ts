import { wipe } from './free-memory.js';

/** The arrays with secrets that a computation makes, to be overwritten when it has ended, well or not. */
export class SecretBytes {
  private readonly arrays: Uint8Array[] = [];
  private isOver = false;

  /**
   * Notes an array. One that comes after the end, since a part of a failed computation went on, is overwritten at once.
   */
  add(bytes: Uint8Array): Uint8Array {
    if (this.isOver) wipe(bytes);
    else this.arrays.push(bytes);
    return bytes;
  }

  /** Overwrites all arrays that were not moved elsewhere. */
  wipe(): void {
    this.isOver = true;
    wipe(...this.arrays);
    this.arrays.length = 0;
  }
}
