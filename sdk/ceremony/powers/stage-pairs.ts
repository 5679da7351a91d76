import { newBytes } from '../../base/bytes.js';

/** The pairs of a stage: the second point of a pair is `half` points behind the first. */
export class StagePairs {
  constructor(
    private readonly points: Uint8Array,
    private readonly size: number,
    readonly half: number,
  ) {}

  firsts(from: number, to: number): Uint8Array {
    return this.gathered(from, to, 0);
  }

  seconds(from: number, to: number): Uint8Array {
    return this.gathered(from, to, this.half);
  }

  setFirsts(from: number, points: Uint8Array): void {
    this.scatter(from, points, 0);
  }

  setSeconds(from: number, points: Uint8Array): void {
    this.scatter(from, points, this.half);
  }

  private gathered(from: number, to: number, offset: number): Uint8Array {
    const gathered = newBytes((to - from) * this.size);
    for (const { at, count, place } of this.runs(from, to)) {
      const begin = (place + offset) * this.size;
      gathered.set(this.points.subarray(begin, begin + count * this.size), at * this.size);
    }
    return gathered;
  }

  private scatter(from: number, points: Uint8Array, offset: number): void {
    const { size } = this;
    for (const { at, count, place } of this.runs(from, from + points.length / size)) {
      this.points.set(points.subarray(at * size, (at + count) * size), (place + offset) * size);
    }
  }

  /** Pairs that lie one behind another: `count` of them from `place` on, which are the ones from `at` on. */
  private *runs(from: number, to: number): Generator<{ at: number; count: number; place: number }> {
    const { half } = this;
    for (let pair = from; pair < to; ) {
      const count = Math.min(half - (pair % half), to - pair);
      yield { at: pair - from, count, place: 2 * half * Math.floor(pair / half) + (pair % half) };
      pair += count;
    }
  }
}
