import { the } from '../field/field';
import { ELEMENT } from '../generated/scratch';

// Scratch elements.
const A: usize = memory.data(ELEMENT);
const B: usize = memory.data(ELEMENT);
const C: usize = memory.data(ELEMENT);
const D: usize = memory.data(ELEMENT);
const E: usize = memory.data(ELEMENT);
const F: usize = memory.data(ELEMENT);
const G: usize = memory.data(ELEMENT);
const H: usize = memory.data(ELEMENT);

/**
 * The twisted Edwards curve -X^2 + Y^2 = 1 + d X^2 Y^2 over the field Base, in the coordinates of the GPU's window
 * sums: extended coordinates (X, Y, Z, T) with T = XY / Z. Form has the curve's constants. One formula serves all cases
 * for points of odd order, and for all points if d is not a square. Formulas: Hisil, Wong, Carter, Dawson, "Twisted
 * Edwards Curves Revisited" (2008/522), sections 3.1 and 3.3.
 */
@unmanaged
export class Edwards<Base, Form> {
  setIdentity(r: usize): void {
    const f = the<Base>();
    f.setZero(r);
    f.setOne(r + f.size);
    f.setOne(r + 2 * f.size);
    f.setZero(r + 3 * f.size);
  }

  /** r = a + b: 9M. */
  add(r: usize, a: usize, b: usize): void {
    const f = the<Base>();
    const n = f.size;
    f.sub(A, a + n, a);
    f.sub(B, b + n, b);
    f.mul(A, A, B);
    f.add(B, a + n, a);
    f.add(C, b + n, b);
    f.mul(B, B, C);
    f.mul(C, a + 3 * n, b + 3 * n);
    f.mul(C, C, the<Form>().twoD);
    f.mul(D, a + 2 * n, b + 2 * n);
    f.dbl(D, D);
    f.sub(F, D, C);
    f.add(G, D, C);
    f.sub(E, B, A);
    f.add(H, B, A);
    this.finish(r);
  }

  /** r = 2 a: 4M + 4S. */
  dbl(r: usize, a: usize): void {
    const f = the<Base>();
    const n = f.size;
    f.sqr(A, a);
    f.sqr(B, a + n);
    f.sqr(C, a + 2 * n);
    f.dbl(C, C);
    f.add(E, a, a + n);
    f.sqr(E, E);
    f.sub2(E, E, A, B);
    f.sub(G, B, A);
    f.sub(F, G, C);
    f.add(H, A, B);
    f.neg(H, H);
    this.finish(r);
  }

  private finish(r: usize): void {
    const f = the<Base>();
    const n = f.size;
    f.mul(r, E, F);
    f.mul(r + n, G, H);
    f.mul(r + 2 * n, F, G);
    f.mul(r + 3 * n, E, H);
  }

  /** Bytes of a sum's four packed coordinates. */
  get packedSumSize(): usize {
    return 4 * the<Base>().packedSize;
  }

  loadSum(r: usize, source: usize): void {
    const f = the<Base>();
    for (let i: usize = 0; i < 4; i++) f.loadPacked(r + i * f.size, source + i * f.packedSize);
  }

  /** Bytes of an affine point X, Y in boundary form, if the boundary form is the Edwards form. */
  get boundarySize(): usize {
    return 2 * the<Base>().packedSize;
  }

  /** A sum from an affine point in boundary bytes; false for the neutral element written as zeros. */
  loadAffine(r: usize, source: usize): bool {
    const f = the<Base>();
    const n = f.size;
    f.loadCanonical(r, source);
    f.loadCanonical(r + n, source + f.packedSize);
    f.setOne(r + 2 * n);
    f.mul(r + 3 * n, r, r + n);
    return !(f.isZero(r) && f.isZero(r + n));
  }

  /** r = a + base, where `base` is a point that `loadAffine` wrote. */
  @inline addAffine(r: usize, a: usize, base: usize): void {
    this.add(r, a, base);
  }

  /** The affine point in boundary bytes; the neutral element is all zero. */
  storeAffine(target: usize, a: usize): void {
    const f = the<Base>();
    const n = f.size;
    f.sub(A, a + n, a + 2 * n);
    if (f.isZero(A) && f.isZero(a)) {
      memory.fill(target, 0, 2 * f.packedSize);
      return;
    }
    f.invert(A, a + 2 * n);
    f.mul(B, a, A);
    f.mul(C, a + n, A);
    f.storeCanonical(target, B);
    f.storeCanonical(target + f.packedSize, C);
  }
}
