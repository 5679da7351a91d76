/** Movements after which the meter is full; more are mixed in. */
const MOVEMENTS = 256;
/** Typed characters that count as much. */
const CHARACTERS = 32;
/** x and y as f32, the time as f64. */
const MOVEMENT_BYTES = 16;

/**
 * What a visitor adds to the platform's random generator: when and where a pointer moved, and typed text. Nothing of it
 * is kept; `take` overwrites what was collected. How unpredictable a hand is nobody knows, so the meter counts movements
 * and does not tell bits.
 */
export class CollectedEntropy {
  private readonly movements = new Uint8Array(MOVEMENTS * MOVEMENT_BYTES);
  private readonly latest = new Uint8Array(MOVEMENT_BYTES);
  private count = 0;

  /** A pointer's place in CSS pixels, and the time in milliseconds. */
  move(x: number, y: number, time: number): void {
    const view = new DataView(this.latest.buffer);
    view.setFloat32(0, x);
    view.setFloat32(4, y);
    view.setFloat64(8, time);
    const at = (this.count++ % MOVEMENTS) * MOVEMENT_BYTES;
    for (const [i, byte] of this.latest.entries()) this.movements[at + i]! ^= byte;
  }

  /** How full the meter is with so many typed characters, from 0 to 1. */
  fraction(characters: number): number {
    return Math.min(1, this.count / MOVEMENTS + characters / CHARACTERS);
  }

  /** All of it, for the caller to overwrite after use. Then collecting begins anew. */
  take(typed: string): Uint8Array {
    const text = new TextEncoder().encode(typed);
    const all = new Uint8Array(this.movements.length + text.length);
    all.set(this.movements);
    all.set(text, this.movements.length);
    for (const bytes of [this.movements, this.latest, text]) bytes.fill(0);
    this.count = 0;
    return all;
  }
}
