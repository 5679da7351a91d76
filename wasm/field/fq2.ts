import { the } from './field';
import { ELEMENT } from '../generated/scratch';

// Scratch elements of F.
const T0: usize = memory.data(ELEMENT);
const T1: usize = memory.data(ELEMENT);
const T2: usize = memory.data(ELEMENT);

/**
 * F_p^2 = F_p[u] / (u^2 - b) over the prime field F, which has b: c0 then c1, each as in F. The same methods as a prime
 * field.
 */
@unmanaged
export class Fq2<F> {
  get size(): usize {
    return 2 * the<F>().size;
  }

  get packedSize(): usize {
    return 2 * the<F>().packedSize;
  }

  mul(r: usize, a: usize, b: usize): void {
    the<F>().mulExtended(r, a, b);
  }

  /** (c0 + c1)(c0 + u^2 c1) - (1 + u^2) c0 c1 and 2 c0 c1: 2 products. */
  sqr(r: usize, a: usize): void {
    const fq = the<F>();
    const a1 = a + fq.size;
    fq.add(T0, a, a1);
    if (fq.isImaginary) {
      fq.sub(T1, a, a1);
      fq.mul(T2, a, a1);
      fq.mul(r, T0, T1);
    } else {
      fq.mulByNonResidue(T1, a1);
      fq.add(T1, T1, a);
      fq.mul(T2, a, a1);
      fq.mul(T0, T0, T1);
      fq.mulByNonResidue(T1, T2);
      fq.sub2(r, T0, T2, T1);
    }
    fq.add(r + fq.size, T2, T2);
  }

  add(r: usize, a: usize, b: usize): void {
    const fq = the<F>();
    fq.add(r, a, b);
    fq.add(r + fq.size, a + fq.size, b + fq.size);
  }

  sub(r: usize, a: usize, b: usize): void {
    const fq = the<F>();
    fq.sub(r, a, b);
    fq.sub(r + fq.size, a + fq.size, b + fq.size);
  }

  /** r = a - b - e. */
  sub2(r: usize, a: usize, b: usize, e: usize): void {
    const fq = the<F>();
    fq.sub2(r, a, b, e);
    fq.sub2(r + fq.size, a + fq.size, b + fq.size, e + fq.size);
  }

  neg(r: usize, a: usize): void {
    const fq = the<F>();
    fq.neg(r, a);
    fq.neg(r + fq.size, a + fq.size);
  }

  @inline dbl(r: usize, a: usize): void {
    this.add(r, a, a);
  }

  copy(r: usize, a: usize): void {
    const fq = the<F>();
    fq.copy(r, a);
    fq.copy(r + fq.size, a + fq.size);
  }

  setZero(r: usize): void {
    const fq = the<F>();
    fq.setZero(r);
    fq.setZero(r + fq.size);
  }

  setOne(r: usize): void {
    const fq = the<F>();
    fq.setOne(r);
    fq.setZero(r + fq.size);
  }

  isZero(a: usize): bool {
    const fq = the<F>();
    return fq.isZero(a) && fq.isZero(a + fq.size);
  }

  equals(a: usize, b: usize): bool {
    const fq = the<F>();
    return fq.equals(a, b) && fq.equals(a + fq.size, b + fq.size);
  }

  /** conjugate / norm, 0 for 0. The norm is c0^2 - u^2 c1^2. */
  invert(r: usize, a: usize): void {
    const fq = the<F>();
    const a1 = a + fq.size;
    fq.sqr(T0, a);
    fq.sqr(T1, a1);
    if (fq.isImaginary) {
      fq.add(T0, T0, T1);
    } else {
      fq.mulByNonResidue(T1, T1);
      fq.sub(T0, T0, T1);
    }
    fq.invert(T1, T0);
    fq.mul(r, a, T1);
    fq.neg(T0, a1);
    fq.mul(r + fq.size, T0, T1);
  }

  /** r = c0 - c1 u, which is a^p. */
  conjugate(r: usize, a: usize): void {
    const fq = the<F>();
    fq.copy(r, a);
    fq.neg(r + fq.size, a + fq.size);
  }

  /** r = a times an element of F. */
  scale(r: usize, a: usize, factor: usize): void {
    const fq = the<F>();
    fq.mul(r, a, factor);
    fq.mul(r + fq.size, a + fq.size, factor);
  }

  /** r = xi a, where xi is the element whose sixth root w generates F_p^12 over F_p^2. */
  @inline mulByXi(r: usize, a: usize): void {
    the<F>().mulByXi(r, a);
  }

  loadCanonical(r: usize, source: usize): void {
    const fq = the<F>();
    fq.loadCanonical(r, source);
    fq.loadCanonical(r + fq.size, source + fq.packedSize);
  }

  storeCanonical(target: usize, a: usize): void {
    const fq = the<F>();
    fq.storeCanonical(target, a);
    fq.storeCanonical(target + fq.packedSize, a + fq.size);
  }

  loadPacked(r: usize, source: usize): void {
    const fq = the<F>();
    fq.loadPacked(r, source);
    fq.loadPacked(r + fq.size, source + fq.packedSize);
  }

  storePacked(target: usize, a: usize): void {
    const fq = the<F>();
    fq.storePacked(target, a);
    fq.storePacked(target + fq.packedSize, a + fq.size);
  }

  loadMontgomery(r: usize, source: usize): void {
    const fq = the<F>();
    fq.loadMontgomery(r, source);
    fq.loadMontgomery(r + fq.size, source + fq.packedSize);
  }

  isBelowModulus(source: usize): bool {
    const fq = the<F>();
    return fq.isBelowModulus(source) && fq.isBelowModulus(source + fq.packedSize);
  }
}
