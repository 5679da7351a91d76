import { bytesToBigint, joinBytes, writeBigint } from '../../sdk/base/bytes.js';
import { pointForm } from '../../sdk/bases/prepared.js';
import { ENDOMORPHISMS } from '../../sdk/curves/endomorphisms.js';
import { CURVES, type Curve, pointBytes } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import type { AffinePoint } from '../support/curve-reference.js';
import type { NobleGroup } from '../support/noble-groups.js';
import { pointOfOrderTwo } from '../support/points.js';
import { Random } from '../support/random.js';

/** The lines are the same in every run, so that a case can be repeated alone. */
const SEED = 20_261_122;

/**
 * A base of a sum: a point k G + e T with known k and e, where T is the point of order 2 of a curve with an Edwards
 * form.
 */
export interface KnownPoint {
  readonly log: bigint;
  readonly isOrderTwo: boolean;
  /** Its place among all known points. */
  readonly place: number;
}

/**
 * Points of a group with known logarithms: lines H, 2 H, ..., n H with their opposites, for a few points H. So P, -P, 2
 * P and the sum of any two points of a line are at hand. The first line is of the generator itself; H of the last one
 * is lambda times that of the one before, where the curve has an endomorphism.
 */
export class KnownPoints {
  readonly curve: Curve;
  /** What the factors of a line's points go up to. */
  readonly length: number;
  readonly lines: number;
  private readonly logs: readonly bigint[];
  private readonly canonical: Uint8Array;
  private inMontgomeryForm: Uint8Array | undefined;

  constructor(
    readonly noble: NobleGroup,
    length: number,
  ) {
    this.curve = CURVES[noble.curve];
    this.length = length;
    const endomorphism = ENDOMORPHISMS[this.curve.id];
    const { order } = noble;
    const log = new Random(SEED).below(order);
    this.logs = [1n, log, ((endomorphism?.lambda ?? log) * log) % order];
    this.lines = this.logs.length;
    const points = this.logs.flatMap((each) => {
      const line = noble.line(each, length);
      return [line, this.opposites(line)];
    });
    this.canonical = joinBytes([...points, ...this.special().map((point) => encodePoint(noble.curve, 'g1', point))]);
  }

  /** How many points there are beside infinity and the one of order 2. */
  get count(): number {
    return 2 * this.lines * this.length;
  }

  hasOrderTwo(): boolean {
    return pointForm(this.noble.curve, this.noble.group) === 'edwards';
  }

  /** factor H for the H of a line, -length <= factor <= length. */
  on(line: number, factor: number): KnownPoint {
    if (factor === 0) return this.infinity();
    const side = factor < 0 ? 1 : 0;
    return this.at((2 * line + side) * this.length + Math.abs(factor) - 1);
  }

  /** One of `count` points by its number, modulo `count`. */
  at(number: number): KnownPoint {
    const place = number % this.count;
    const side = Math.floor(place / this.length);
    const log = this.logs[side >> 1]! * BigInt(1 + (place % this.length));
    const { order } = this.noble;
    return { log: side % 2 === 0 ? log % order : order - (log % order), isOrderTwo: false, place };
  }

  infinity(): KnownPoint {
    return { log: 0n, isOrderTwo: false, place: this.count };
  }

  ofOrderTwo(): KnownPoint {
    return { log: 0n, isOrderTwo: true, place: this.count + 1 };
  }

  /** The points in boundary form, or with coordinates in Montgomery form. */
  bytesOf(points: readonly KnownPoint[], form: 'canonical' | 'montgomery'): Uint8Array {
    const size = pointBytes(this.noble.curve, this.noble.group);
    const all = form === 'canonical' ? this.canonical : this.montgomery();
    const bytes = new Uint8Array(points.length * size);
    for (const [i, { place }] of points.entries()) bytes.set(all.subarray(place * size, (place + 1) * size), i * size);
    return bytes;
  }

  private special(): readonly AffinePoint[] {
    return this.hasOrderTwo() ? [undefined, pointOfOrderTwo(this.curve)] : [undefined];
  }

  private opposites(points: Uint8Array): Uint8Array {
    const { boundary, coordinateBytes: size, fq } = this.curve;
    const point = pointBytes(this.noble.curve, this.noble.group);
    const opposite = points.slice();
    // On a Weierstrass curve y changes its sign, on an Edwards curve x.
    const first = boundary === 'edwards' ? 0 : point / 2;
    for (let at = first; at < points.length; at += point) {
      for (let offset = at; offset < at + point / 2; offset += size) {
        const value = bytesToBigint(points, offset, size);
        writeBigint(opposite, offset, size, value === 0n ? 0n : fq.modulus - value);
      }
    }
    return opposite;
  }

  private montgomery(): Uint8Array {
    if (this.inMontgomeryForm !== undefined) return this.inMontgomeryForm;
    const { coordinateBytes: size, fq } = this.curve;
    const bytes = new Uint8Array(this.canonical.length);
    for (let at = 0; at < bytes.length; at += size) {
      writeBigint(bytes, at, size, (bytesToBigint(this.canonical, at, size) << BigInt(8 * size)) % fq.modulus);
    }
    this.inMontgomeryForm = bytes;
    return bytes;
  }
}
