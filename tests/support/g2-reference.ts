import { bytesToBigint, joinBytes, writeBigint } from '../../sdk/base/bytes.js';
import type { PreparedBases } from '../../sdk/bases/prepared.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { packedMontgomeryBits, packedWords } from '../../sdk/curves/limbs.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import { decodePoint, encodePoint } from '../../sdk/curves/point-bytes.js';
import { nobleG2 } from './noble-curves.js';
import { NOBLE_GROUPS, type NobleGroup } from './noble-groups.js';

/** G2 of a curve: its points by their logarithms, and as the pipeline has them. */
export class G2Reference {
  /** The group of @noble/curves, which gives points in the boundary form. */
  readonly group: NobleGroup;
  /** 32-bit words of a sum. */
  readonly sumWords: number;
  private readonly p: bigint;
  private readonly bytes: number;
  private readonly fromMontgomery: bigint;

  constructor(readonly curve: CurveId) {
    const { modulus, bits } = CURVES[curve].fq;
    this.group = NOBLE_GROUPS.find((noble) => noble.curve === curve && noble.group === 'g2')!;
    this.p = modulus;
    this.bytes = 4 * packedWords(bits);
    this.sumWords = 8 * packedWords(bits);
    this.fromMontgomery = inverse(mod(1n << BigInt(packedMontgomeryBits(bits)), modulus), modulus);
  }

  /** The points log G in the bytes of `PreparedBases`; none of them at infinity. */
  packBases(logs: readonly bigint[]): PreparedBases {
    const points = joinBytes(logs.map((log) => this.packNumbers(this.numbersOf(log))));
    const count = logs.length;
    return {
      curve: this.curve,
      group: 'g2',
      form: 'weierstrass',
      count,
      kept: count,
      points,
      indices: undefined,
      exceptional: [],
    };
  }

  /**
   * log G as a sum of the pipeline, scaled by z so that it does not look affine, with every number raised by `raise` p.
   */
  packSum(log: bigint, z: readonly [bigint, bigint], raise = 0n): Uint32Array {
    if (mod(log, this.group.order) === 0n) return new Uint32Array(this.sumWords);
    const { Fp2 } = nobleG2(this.curve);
    const [x0, x1, y0, y1] = this.numbersOf(log) as [bigint, bigint, bigint, bigint];
    const factor = Fp2.create({ c0: z[0], c1: z[1] });
    const zz = Fp2.mul(factor, factor);
    const zzz = Fp2.mul(zz, factor);
    const [x, y] = [Fp2.mul(Fp2.create({ c0: x0, c1: x1 }), zz), Fp2.mul(Fp2.create({ c0: y0, c1: y1 }), zzz)];
    const packed = this.packNumbers(
      [x, y, zz, zzz].flatMap(({ c0, c1 }) => [c0, c1]),
      raise,
    );
    return new Uint32Array(packed.buffer);
  }

  /** The point of a sum of the pipeline in the boundary form. Throws when its coordinates belong to no point. */
  unpackSum(words: Uint32Array): Uint8Array {
    if (words.every((word) => word === 0)) return encodePoint(this.curve, 'g2', undefined);
    const { Fp2 } = nobleG2(this.curve);
    const numbers = this.numbersAt(words).map((number) => mod(number * this.fromMontgomery, this.p));
    const [x, y, zz, zzz] = [0, 2, 4, 6].map((i) => Fp2.create({ c0: numbers[i]!, c1: numbers[i + 1]! }));
    if (!Fp2.eql(Fp2.mul(zz!, Fp2.sqr(zz!)), Fp2.sqr(zzz!))) throw new RangeError('ZZ^3 differs from ZZZ^2');
    if (Fp2.is0(zz!)) return encodePoint(this.curve, 'g2', undefined);
    const affine = [Fp2.div(x!, zz!), Fp2.div(y!, zzz!)].map(({ c0, c1 }) => [c0, c1] as const);
    return encodePoint(this.curve, 'g2', [affine[0]!, affine[1]!]);
  }

  /** Whether all numbers of a sum are below p. */
  isCanonical(words: Uint32Array): boolean {
    return this.numbersAt(words).every((number) => number < this.p);
  }

  /** c0 and c1 of x, then of y. */
  private numbersOf(log: bigint): bigint[] {
    const { x, y, infinity } = decodePoint(this.curve, 'g2', this.group.multiple(mod(log, this.group.order)));
    if (infinity) throw new RangeError('expected a finite point, got infinity');
    return [x, y].flat() as bigint[];
  }

  private packNumbers(numbers: readonly bigint[], raise = 0n): Uint8Array {
    const packed = new Uint8Array(numbers.length * this.bytes);
    const { bits } = CURVES[this.curve].fq;
    for (const [i, number] of numbers.entries()) {
      const form = mod(number << BigInt(packedMontgomeryBits(bits)), this.p);
      writeBigint(packed, i * this.bytes, this.bytes, form + raise * this.p);
    }
    return packed;
  }

  private numbersAt(words: Uint32Array): bigint[] {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    return Array.from({ length: bytes.length / this.bytes }, (_, i) =>
      bytesToBigint(bytes, i * this.bytes, this.bytes),
    );
  }
}
