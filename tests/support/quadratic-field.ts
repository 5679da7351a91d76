import { Field, FpInvertBatch, FpPow, type IField } from '@noble/curves/abstract/modular.js';

/** c0 + c1 u, as @noble/curves has elements of F_p^2. */
export interface Fp2Element {
  readonly c0: bigint;
  readonly c1: bigint;
}

/**
 * F_p[u] / (u^2 - nonResidue) in BigInt for the generic curves of @noble/curves, whose own quadratic fields have u^2 =
 * -1 alone. It takes no account of time or secrets.
 */
export class QuadraticField implements IField<Fp2Element> {
  readonly ORDER: bigint;
  readonly BITS: number;
  readonly BYTES: number;
  readonly isLE = false;
  readonly ZERO: Fp2Element = { c0: 0n, c1: 0n };
  readonly ONE: Fp2Element = { c0: 1n, c1: 0n };
  private readonly fp: IField<bigint>;

  constructor(
    p: bigint,
    private readonly nonResidue: bigint,
  ) {
    this.fp = Field(p);
    this.ORDER = p * p;
    this.BITS = this.ORDER.toString(2).length;
    this.BYTES = 2 * this.fp.BYTES;
    if (this.isSquareInFp(this.fp.create(nonResidue))) throw new Error(`expected a non-residue, got ${nonResidue}`);
  }

  create({ c0, c1 }: Fp2Element): Fp2Element {
    return { c0: this.fp.create(c0), c1: this.fp.create(c1) };
  }

  isValid({ c0, c1 }: Fp2Element): boolean {
    return this.fp.isValid(c0) && this.fp.isValid(c1);
  }

  is0({ c0, c1 }: Fp2Element): boolean {
    return c0 === 0n && c1 === 0n;
  }

  isValidNot0(a: Fp2Element): boolean {
    return this.isValid(a) && !this.is0(a);
  }

  eql(a: Fp2Element, b: Fp2Element): boolean {
    return a.c0 === b.c0 && a.c1 === b.c1;
  }

  neg({ c0, c1 }: Fp2Element): Fp2Element {
    return this.create({ c0: -c0, c1: -c1 });
  }

  add(a: Fp2Element, b: Fp2Element): Fp2Element {
    return this.create({ c0: a.c0 + b.c0, c1: a.c1 + b.c1 });
  }

  sub(a: Fp2Element, b: Fp2Element): Fp2Element {
    return this.create({ c0: a.c0 - b.c0, c1: a.c1 - b.c1 });
  }

  mul(a: Fp2Element, by: Fp2Element | bigint): Fp2Element {
    const b = typeof by === 'bigint' ? { c0: by, c1: 0n } : by;
    return this.create({ c0: a.c0 * b.c0 + this.nonResidue * a.c1 * b.c1, c1: a.c0 * b.c1 + a.c1 * b.c0 });
  }

  sqr(a: Fp2Element): Fp2Element {
    return this.mul(a, a);
  }

  pow(a: Fp2Element, power: bigint): Fp2Element {
    return FpPow(this, a, power);
  }

  /** Conjugate over norm. Throws for 0. */
  inv(a: Fp2Element): Fp2Element {
    const inverse = this.fp.inv(this.norm(a));
    return this.create({ c0: a.c0 * inverse, c1: -a.c1 * inverse });
  }

  div(a: Fp2Element, by: Fp2Element | bigint): Fp2Element {
    return this.mul(a, typeof by === 'bigint' ? this.fp.inv(by) : this.inv(by));
  }

  /** By the complex method: c0^2 is half of a0 + s or of a0 - s, where s^2 is the norm. Throws for no square. */
  sqrt(a: Fp2Element): Fp2Element {
    const { fp } = this;
    if (a.c1 === 0n) {
      if (this.isSquareInFp(a.c0)) return { c0: fp.sqrt(a.c0), c1: 0n };
      return { c0: 0n, c1: fp.sqrt(fp.div(a.c0, fp.create(this.nonResidue))) };
    }
    const s = fp.sqrt(this.norm(a));
    const sum = fp.div(fp.add(a.c0, s), 2n);
    const c0 = fp.sqrt(this.isSquareInFp(sum) ? sum : fp.div(fp.sub(a.c0, s), 2n));
    return { c0, c1: fp.div(a.c1, fp.add(c0, c0)) };
  }

  readonly addN = this.add;
  readonly subN = this.sub;
  readonly mulN = this.mul;
  readonly sqrN = this.sqr;

  invertBatch(all: Fp2Element[]): Fp2Element[] {
    return FpInvertBatch(this, all, true);
  }

  isOdd({ c0, c1 }: Fp2Element): boolean {
    return (c0 === 0n ? c1 : c0) % 2n === 1n;
  }

  toBytes({ c0, c1 }: Fp2Element): Uint8Array {
    return Uint8Array.from([...this.fp.toBytes(c0), ...this.fp.toBytes(c1)]);
  }

  fromBytes(bytes: Uint8Array): Fp2Element {
    const { BYTES } = this.fp;
    return { c0: this.fp.fromBytes(bytes.subarray(0, BYTES)), c1: this.fp.fromBytes(bytes.subarray(BYTES)) };
  }

  cmov(a: Fp2Element, b: Fp2Element, takesB: boolean): Fp2Element {
    return takesB ? b : a;
  }

  private norm({ c0, c1 }: Fp2Element): bigint {
    return this.fp.create(c0 * c0 - this.nonResidue * c1 * c1);
  }

  private isSquareInFp(a: bigint): boolean {
    return this.fp.pow(a, (this.fp.ORDER - 1n) / 2n) !== this.fp.ORDER - 1n;
  }
}
