import { bigintToBytes } from '../base/bytes.js';
import { CURVES, type CurveId } from '../curves/index.js';
import { centredBits, ScalarWork } from './scalar-work.js';
import { checkScalars, expectLength, isBelow, notBelowOrder, tooManyBits } from './scalars.js';

/**
 * Checks scalars as `checkScalarsEvenly` does, in pieces, so that an executor can begin with the first ones; and finds
 * the bits of the longest one, and their work (`ScalarWork`) as far as somebody decides by it. The time depends on the
 * scalars.
 */
export class ScalarCheck {
  /** The scalars before this number were checked. */
  private checked = 0;
  private longest = 1;
  private counted = 0;
  private readonly counter: ScalarWork | undefined;
  private readonly words: number;
  private readonly bitsOfOrder: number;
  private readonly modulus: bigint;
  private readonly order: DataView;
  private readonly view: DataView;
  /** From here on r - s has at most `longest` bits. */
  private negativeFrom: DataView;

  /**
   * @param bitSize the most bits that a scalar may have.
   * @param mostWork work is counted until it is more than this; negative where nothing depends on it.
   */
  constructor(
    private readonly curve: CurveId,
    private readonly scalars: Uint8Array,
    private readonly count: number,
    private readonly bitSize: number = CURVES[curve].fr.bits,
    private readonly mostWork = -1,
  ) {
    expectLength(curve, scalars, count);
    const { scalarBytes, fr } = CURVES[curve];
    this.words = scalarBytes / 4;
    this.bitsOfOrder = fr.bits;
    this.modulus = fr.modulus;
    this.order = this.bytesOf(fr.modulus);
    this.negativeFrom = this.bytesOf(fr.modulus - 1n);
    this.view = new DataView(scalars.buffer, scalars.byteOffset, scalars.length);
    this.counter = mostWork < 0 ? undefined : new ScalarWork(curve, scalars);
  }

  /**
   * The bits of the longest scalar that was checked, at least 1, where a scalar s above r / 2 counts as the negative
   * number s - r.
   */
  get bits(): number {
    return this.longest;
  }

  /** Whether no other scalar can have more bits: half the order has one bit less. */
  get isFullLength(): boolean {
    return this.longest === this.bitsOfOrder - 1;
  }

  /** Whether the scalars that were checked are more work than `mostWork`. Then so are all. */
  get isMoreWork(): boolean {
    return this.counted > this.mostWork;
  }

  /** Checks the scalars before number `end` that were not checked yet. `INVALID_SCALAR` names the first wrong one. */
  upTo(end: number = this.count): void {
    const first = this.checked;
    while (this.checked < end && (!this.isFullLength || this.bitSize < this.bitsOfOrder)) this.checkLength();
    if (this.checked < end) {
      checkScalars(this.curve, this.scalars, this.checked, end);
      this.checked = end;
    }
    // They are in the core's cache now.
    if (!this.isMoreWork) this.counted += this.counter!.of(first, this.checked);
  }

  /** Checks the next scalar, and how long it is. */
  private checkLength(): void {
    const { view, words, longest, bitSize } = this;
    const i = this.checked;
    const at = 4 * words * i;
    if (!isBelow(view, at, this.order, words)) throw notBelowOrder(this.curve, i);
    const isLonger = !this.isFullLength && bitLength(view, at, words, longest) > longest;
    if (isLonger && isBelow(view, at, this.negativeFrom, words)) {
      this.longest = centredBits(view, at, this.order, words);
      this.negativeFrom = this.bytesOf(this.modulus - 2n ** BigInt(this.longest) + 1n);
    }
    if (bitSize < this.bitsOfOrder && bitLength(view, at, words, bitSize) > bitSize) throw tooManyBits(i, bitSize);
    this.checked++;
  }

  private bytesOf(value: bigint): DataView {
    return new DataView(bigintToBytes(value, 4 * this.words).buffer);
  }
}

/** The bits of the integer of so many 32-bit words at `offset`, or `least` if they are fewer. */
function bitLength(view: DataView, offset: number, words: number, least: number): number {
  for (let w = words - 1; 32 * w + 32 > least; w--) {
    const value = view.getUint32(offset + 4 * w, true);
    if (value !== 0) return Math.max(least, 32 * w + 32 - Math.clz32(value));
  }
  return least;
}
