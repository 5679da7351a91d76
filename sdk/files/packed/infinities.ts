/** Points whose infinities are counted together. */
const GROUP_POINTS = 512;

/** Which points of a vector are at infinity: a bit for each, from the lowest bit of the first byte on. */
export class Infinities {
  /** How many finite points there are before each group of points, and in all. */
  private readonly finiteBefore: Float64Array;

  constructor(
    private readonly bits: Uint8Array,
    private readonly count: number,
  ) {
    const groups = Math.ceil(count / GROUP_POINTS);
    this.finiteBefore = new Float64Array(groups + 1);
    for (let group = 0; group < groups; group++) {
      const end = Math.min(count, (group + 1) * GROUP_POINTS);
      this.finiteBefore[group + 1] = this.finiteBefore[group]! + this.finiteIn(group * GROUP_POINTS, end);
    }
  }

  /** How many of the first `index` points are finite. */
  finite(index = this.count): number {
    const group = Math.floor(index / GROUP_POINTS);
    return this.finiteBefore[group]! + this.finiteIn(group * GROUP_POINTS, index);
  }

  has(index: number): boolean {
    return ((this.bits[index >> 3]! >> (index & 7)) & 1) === 1;
  }

  private finiteIn(from: number, to: number): number {
    let finite = 0;
    for (let i = from; i < to; i++) if (!this.has(i)) finite++;
    return finite;
  }
}

/** Bytes of the bits of `count` points. */
export function infinityBytes(count: number): number {
  return Math.ceil(count / 8);
}
