import { the } from './field';
import { Fq2 } from './fq2';
import { EXTENDED } from '../generated/scratch';

// Scratch elements of Fq2.
const V0: usize = memory.data(EXTENDED);
const V1: usize = memory.data(EXTENDED);
const V2: usize = memory.data(EXTENDED);
const S: usize = memory.data(EXTENDED);
const T: usize = memory.data(EXTENDED);
const U: usize = memory.data(EXTENDED);
const W: usize = memory.data(EXTENDED);

/**
 * F_p^6 = F_p^2[v] / (v^3 - xi) over the prime field F: c0, c1, c2, each as in Fq2. r may be the same address as a or
 * b. The result of every sum and product in Fq2 is below 2p, so this class needs no further bounds.
 */
@unmanaged
export class Fq6<F> {
  get size(): usize {
    return 3 * the<Fq2<F>>().size;
  }

  /**
   * Karatsuba: 6 products (Devegili, O hEigeartaigh, Scott, Dahab, "Multiplication and squaring on pairing-friendly
   * fields", 2006/471, section 4).
   */
  mul(r: usize, a: usize, b: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    const a1 = a + n;
    const a2 = a1 + n;
    const b1 = b + n;
    const b2 = b1 + n;
    f.mul(V0, a, b);
    f.mul(V1, a1, b1);
    f.mul(V2, a2, b2);
    // c0 = v0 + xi ((a1 + a2)(b1 + b2) - v1 - v2)
    f.add(S, a1, a2);
    f.add(T, b1, b2);
    f.mul(U, S, T);
    f.sub2(U, U, V1, V2);
    f.mulByXi(U, U);
    f.add(U, U, V0);
    // c1 = (a0 + a1)(b0 + b1) - v0 - v1 + xi v2
    f.add(S, a, a1);
    f.add(T, b, b1);
    f.mul(W, S, T);
    f.sub2(W, W, V0, V1);
    // c2 = (a0 + a2)(b0 + b2) - v0 - v2 + v1
    f.add(S, a, a2);
    f.add(T, b, b2);
    f.copy(r, U);
    f.mul(U, S, T);
    f.sub2(U, U, V0, V2);
    f.add(r + 2 * n, U, V1);
    f.mulByXi(V2, V2);
    f.add(r + n, W, V2);
  }

  /** r = a (b0 + b1 v), with b0 and b1 of Fq2: 5 products. */
  mulBySparse(r: usize, a: usize, b0: usize, b1: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    const a1 = a + n;
    const a2 = a1 + n;
    f.mul(V0, a, b0);
    f.mul(V1, a1, b1);
    // c1 = (a0 + a1)(b0 + b1) - v0 - v1
    f.add(S, a, a1);
    f.add(T, b0, b1);
    f.mul(U, S, T);
    // c0 = v0 + xi a2 b1 and c2 = v1 + a2 b0
    f.mul(S, a2, b1);
    f.mul(T, a2, b0);
    f.sub2(r + n, U, V0, V1);
    f.mulByXi(S, S);
    f.add(r, V0, S);
    f.add(r + 2 * n, V1, T);
  }

  /** r = a times an element of Fq2. */
  scale(r: usize, a: usize, factor: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    f.mul(r, a, factor);
    f.mul(r + n, a + n, factor);
    f.mul(r + 2 * n, a + 2 * n, factor);
  }

  /** r = v a: (xi a2, a0, a1). */
  mulByV(r: usize, a: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    f.mulByXi(S, a + 2 * n);
    f.copy(r + 2 * n, a + n);
    f.copy(r + n, a);
    f.copy(r, S);
  }

  add(r: usize, a: usize, b: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    f.add(r, a, b);
    f.add(r + n, a + n, b + n);
    f.add(r + 2 * n, a + 2 * n, b + 2 * n);
  }

  sub(r: usize, a: usize, b: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    f.sub(r, a, b);
    f.sub(r + n, a + n, b + n);
    f.sub(r + 2 * n, a + 2 * n, b + 2 * n);
  }

  /** r = a - b - e. */
  sub2(r: usize, a: usize, b: usize, e: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    f.sub2(r, a, b, e);
    f.sub2(r + n, a + n, b + n, e + n);
    f.sub2(r + 2 * n, a + 2 * n, b + 2 * n, e + 2 * n);
  }

  neg(r: usize, a: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    f.neg(r, a);
    f.neg(r + n, a + n);
    f.neg(r + 2 * n, a + 2 * n);
  }

  /**
   * 1 / a, 0 for 0: with A = a0^2 - xi a1 a2, B = xi a2^2 - a0 a1, C = a1^2 - a0 a2 it is (A + B v + C v^2) over the
   * norm a0 A + xi (a2 B + a1 C), an element of Fq2.
   */
  invert(r: usize, a: usize): void {
    const f = the<Fq2<F>>();
    const n = f.size;
    const a1 = a + n;
    const a2 = a1 + n;
    f.mul(S, a1, a2);
    f.mulByXi(S, S);
    f.sqr(V0, a);
    f.sub(V0, V0, S);
    f.sqr(V1, a2);
    f.mulByXi(V1, V1);
    f.mul(S, a, a1);
    f.sub(V1, V1, S);
    f.sqr(V2, a1);
    f.mul(S, a, a2);
    f.sub(V2, V2, S);
    f.mul(S, a2, V1);
    f.mul(T, a1, V2);
    f.add(S, S, T);
    f.mulByXi(S, S);
    f.mul(T, a, V0);
    f.add(S, S, T);
    f.invert(T, S);
    f.mul(r, V0, T);
    f.mul(r + n, V1, T);
    f.mul(r + 2 * n, V2, T);
  }
}
