import { the } from './field';
import { Fq2 } from './fq2';
import { Fq6 } from './fq6';
import { EXTENDED } from '../generated/scratch';

// Scratch elements of Fq6.
const V0: usize = memory.data(3 * EXTENDED);
const V1: usize = memory.data(3 * EXTENDED);
const S: usize = memory.data(3 * EXTENDED);
const T: usize = memory.data(3 * EXTENDED);
// Scratch elements of Fq2.
const SUM: usize = memory.data(EXTENDED);
const A0: usize = memory.data(EXTENDED);
const A1: usize = memory.data(EXTENDED);
const B0: usize = memory.data(EXTENDED);
const B1: usize = memory.data(EXTENDED);
const C0: usize = memory.data(EXTENDED);
const C1: usize = memory.data(EXTENDED);

/**
 * F_p^12 = F_p^6[w] / (w^2 - v): c0 then c1, each as in Fq6. As a polynomial in w over Fq2, where w^6 = xi, c0 has the
 * coefficients of 1, w^2, w^4 and c1 the coefficients of w, w^3, w^5. F is the prime field, P has the constants of the
 * pairing. r may be the same address as a or b.
 */
@unmanaged
export class Fq12<F, P> {
  get size(): usize {
    return 2 * the<Fq6<F>>().size;
  }

  /** Karatsuba: 3 products of Fq6. */
  mul(r: usize, a: usize, b: usize): void {
    const f = the<Fq6<F>>();
    const n = f.size;
    f.mul(V0, a, b);
    f.mul(V1, a + n, b + n);
    f.add(S, a, a + n);
    f.add(T, b, b + n);
    f.mul(S, S, T);
    f.sub2(r + n, S, V0, V1);
    f.mulByV(V1, V1);
    f.add(r, V0, V1);
  }

  /**
   * With t = a0 a1: (a0 + a1)(a0 + v a1) - t - v t and 2 t, 2 products of Fq6 (2006/471, section 3, "complex
   * squaring").
   */
  sqr(r: usize, a: usize): void {
    const f = the<Fq6<F>>();
    const n = f.size;
    f.add(S, a, a + n);
    f.mulByV(T, a + n);
    f.add(T, T, a);
    f.mul(V0, a, a + n);
    f.mul(S, S, T);
    f.mulByV(V1, V0);
    f.sub2(r, S, V0, V1);
    f.add(r + n, V0, V0);
  }

  /** r = a (b0 + b1 w + b3 w^3), the form of a line on a D-type twist, with b0, b1, b3 of Fq2: 13 products of Fq2. */
  mulBy013(r: usize, a: usize, b0: usize, b1: usize, b3: usize): void {
    const f = the<Fq6<F>>();
    const n = f.size;
    f.scale(V0, a, b0);
    f.mulBySparse(V1, a + n, b1, b3);
    f.add(S, a, a + n);
    the<Fq2<F>>().add(SUM, b0, b1);
    f.mulBySparse(S, S, SUM, b3);
    f.sub2(r + n, S, V0, V1);
    f.mulByV(V1, V1);
    f.add(r, V0, V1);
  }

  /** r = a (b0 + b2 w^2 + b3 w^3), the form of a line on an M-type twist, likewise: 13 products of Fq2. */
  mulBy023(r: usize, a: usize, b0: usize, b2: usize, b3: usize): void {
    const f = the<Fq6<F>>();
    const n = f.size;
    f.scale(V0, a + n, b3);
    f.mulByV(T, V0);
    the<Fq2<F>>().add(SUM, b2, b3);
    f.add(S, a, a + n);
    f.mulBySparse(S, S, b0, SUM);
    f.mulBySparse(V0, a, b0, b2);
    f.sub2(r + n, S, V0, T);
    f.mulByV(T, T);
    f.add(r, V0, T);
  }

  /** r = c0 - c1 w, which is a^(p^6); 1 / a in the cyclotomic subgroup. */
  conjugate(r: usize, a: usize): void {
    const f = the<Fq6<F>>();
    memory.copy(r, a, f.size);
    f.neg(r + f.size, a + f.size);
  }

  /** r = a^p: w^p = xi^((p - 1) / 6) w, and u^p = -u. */
  frobenius(r: usize, a: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    f.conjugate(r, a);
    for (let power: usize = 1; power < 6; power++) {
      // The coefficient of w^power is in c0 if the power is even, otherwise in c1.
      const at = ((power & 1) * 3 + (power >> 1)) * n;
      f.conjugate(r + at, a + at);
      f.mul(r + at, r + at, the<P>().frobenius + (power - 1) * n);
    }
  }

  /** 1 / a = (c0 - c1 w) / (c0^2 - v c1^2), 0 for 0. */
  invert(r: usize, a: usize): void {
    const f = the<Fq6<F>>();
    const n = f.size;
    f.mul(V0, a, a);
    f.mul(V1, a + n, a + n);
    f.mulByV(V1, V1);
    f.sub(V0, V0, V1);
    f.invert(V0, V0);
    f.mul(r, a, V0);
    f.neg(S, a + n);
    f.mul(r + n, S, V0);
  }

  /**
   * a^2 for a in the cyclotomic subgroup, where a^(p^4 - p^2 + 1) = 1 (Granger, Scott, "Faster squaring in the
   * cyclotomic subgroup of sixth degree extensions", 2009/565, section 3.2). Over F_p^4 = F_p^2[s] / (s^2 - xi) with s
   * = w^3, a is A + B w + C w^2, and its square is (3 A^2 - 2 A') + (3 s C^2 + 2 B') w + (3 B^2 - 2 C') w^2, where X'
   * is X with -s in place of s.
   */
  cyclotomicSqr(r: usize, a: usize): void {
    const n = the<Fq2<F>>().size;
    // The coefficients of 1, w, .. w^5 are at positions 0, 3, 1, 4, 2, 5.
    squareQuartic<F>(A0, A1, a, a + 4 * n);
    squareQuartic<F>(B0, B1, a + 3 * n, a + 2 * n);
    squareQuartic<F>(C0, C1, a + n, a + 5 * n);
    the<Fq2<F>>().mulByXi(C1, C1);
    tripleLess<F>(r, A0, a);
    tripleMore<F>(r + 4 * n, A1, a + 4 * n);
    tripleMore<F>(r + 3 * n, C1, a + 3 * n);
    tripleLess<F>(r + 2 * n, C0, a + 2 * n);
    tripleLess<F>(r + n, B0, a + n);
    tripleMore<F>(r + 5 * n, B1, a + 5 * n);
  }

  setOne(r: usize): void {
    memory.fill(r, 0, this.size);
    the<Fq2<F>>().setOne(r);
  }

  isOne(a: usize): bool {
    const f = the<Fq2<F>>();
    f.setOne(SUM);
    if (!f.equals(a, SUM)) return false;
    for (let i: usize = 1; i < 6; i++) {
      if (!f.isZero(a + i * f.size)) return false;
    }
    return true;
  }
}

/** (a0 + a1 s)^2 = r0 + r1 s with s^2 = xi: a0^2 + xi a1^2 and (a0 + a1)^2 - a0^2 - a1^2. */
function squareQuartic<F>(r0: usize, r1: usize, a0: usize, a1: usize): void {
  const f = the<Fq2<F>>();
  f.sqr(V0, a0);
  f.sqr(V1, a1);
  f.add(SUM, a0, a1);
  f.sqr(SUM, SUM);
  f.sub2(r1, SUM, V0, V1);
  f.mulByXi(V1, V1);
  f.add(r0, V0, V1);
}

/** r = 3 square - 2 a. */
function tripleLess<F>(r: usize, square: usize, a: usize): void {
  const f = the<Fq2<F>>();
  f.sub(SUM, square, a);
  f.dbl(SUM, SUM);
  f.add(r, SUM, square);
}

/** r = 3 square + 2 a. */
function tripleMore<F>(r: usize, square: usize, a: usize): void {
  const f = the<Fq2<F>>();
  f.add(SUM, square, a);
  f.dbl(SUM, SUM);
  f.add(r, SUM, square);
}
