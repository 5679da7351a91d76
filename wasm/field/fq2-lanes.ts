import { the } from './field';
import { ELEMENT_LANES } from '../generated/scratch';

const SCALED: usize = memory.data(ELEMENT_LANES, 16);
const HALF: usize = memory.data(ELEMENT_LANES, 16);
const SUM: usize = memory.data(ELEMENT_LANES, 16);
const DIFFERENCE: usize = memory.data(ELEMENT_LANES, 16);
const DOUBLE: usize = memory.data(ELEMENT_LANES, 16);

/**
 * F_p^2 = F_p[u] / (u^2 - b) in lanes, over the field L, which has b and two elements in lanes: c0 then c1, each as in
 * L. It has the same methods as L, and c0 and c1 each have the bounds of L.
 */
@unmanaged
export class Fq2Lanes<L> {
  get size(): usize {
    return 2 * the<L>().size;
  }

  get elementSize(): usize {
    return 2 * the<L>().elementSize;
  }

  /**
   * c0 = a0 b0 + u^2 a1 b1 and c1 = a0 b1 + a1 b0, with one reduction each. Karatsuba's method is not used: its sums
   * would need carries.
   */
  mul(r: usize, a: usize, b: usize): void {
    const fq = the<L>();
    const a1 = a + fq.size;
    const b1 = b + fq.size;
    fq.mulByNonResidue(SCALED, a1);
    fq.mulSum(HALF, a, b, SCALED, b1);
    fq.mulSum(r + fq.size, a, b1, a1, b);
    fq.copy(r, HALF);
  }

  /**
   * For u^2 = -1 (c0 + c1)(c0 - c1) and 2 c0 c1, for c0 and c1 whose sum `reduce` takes: 2 products. Otherwise c0^2 +
   * u^2 c1^2 and 2 c0 c1: 3 products and 2 reductions.
   */
  sqr(r: usize, a: usize): void {
    const fq = the<L>();
    const a1 = a + fq.size;
    if (fq.isImaginary) {
      fq.add(SUM, a, a1);
      fq.reduce(SUM, SUM);
      fq.sub(DIFFERENCE, a, a1);
      fq.add(DOUBLE, a1, a1);
      fq.mul(r + fq.size, DOUBLE, a);
      fq.mul(r, DIFFERENCE, SUM);
    } else {
      fq.mulByNonResidue(SCALED, a1);
      fq.mulSum(HALF, a, a, SCALED, a1);
      fq.add(DOUBLE, a1, a1);
      fq.mul(r + fq.size, DOUBLE, a);
      fq.copy(r, HALF);
    }
  }

  add(r: usize, a: usize, b: usize): void {
    const fq = the<L>();
    fq.add(r, a, b);
    fq.add(r + fq.size, a + fq.size, b + fq.size);
  }

  sub(r: usize, a: usize, b: usize): void {
    const fq = the<L>();
    fq.sub(r, a, b);
    fq.sub(r + fq.size, a + fq.size, b + fq.size);
  }

  reduce(r: usize, a: usize): void {
    const fq = the<L>();
    fq.reduce(r, a);
    fq.reduce(r + fq.size, a + fq.size);
  }

  /** r = a - b - e, reduced. */
  sub2(r: usize, a: usize, b: usize, e: usize): void {
    const fq = the<L>();
    fq.sub2(r, a, b, e);
    fq.sub2(r + fq.size, a + fq.size, b + fq.size, e + fq.size);
  }

  multiples(a: usize): i32 {
    const fq = the<L>();
    const first = fq.multiples(a);
    return first == 0 ? 0 : first & fq.multiples(a + fq.size);
  }

  copy(r: usize, a: usize): void {
    const fq = the<L>();
    fq.copy(r, a);
    fq.copy(r + fq.size, a + fq.size);
  }

  setOne(r: usize): void {
    const fq = the<L>();
    fq.setOne(r);
    memory.fill(r + fq.size, 0, fq.size);
  }

  select(r: usize, a: usize, b: usize, mask: v128): void {
    const fq = the<L>();
    fq.select(r, a, b, mask);
    fq.select(r + fq.size, a + fq.size, b + fq.size, mask);
  }

  load(r: usize, x: usize, y: usize): void {
    const fq = the<L>();
    fq.load(r, x, y);
    fq.load(r + fq.size, x + fq.elementSize, y + fq.elementSize);
  }

  loadSigned(r: usize, x: usize, y: usize, signs: v128): void {
    const fq = the<L>();
    fq.loadSigned(r, x, y, signs);
    fq.loadSigned(r + fq.size, x + fq.elementSize, y + fq.elementSize, signs);
  }

  storeFirst(x: usize, a: usize): void {
    const fq = the<L>();
    fq.storeFirst(x, a);
    fq.storeFirst(x + fq.elementSize, a + fq.size);
  }

  storeSecond(y: usize, a: usize): void {
    const fq = the<L>();
    fq.storeSecond(y, a);
    fq.storeSecond(y + fq.elementSize, a + fq.size);
  }

  copySigned(target: usize, source: usize, negative: bool): void {
    const fq = the<L>();
    fq.copySigned(target, source, negative);
    fq.copySigned(target + fq.elementSize, source + fq.elementSize, negative);
  }

  loadPacked(r: usize, x: usize, y: usize): void {
    const fq = the<L>();
    fq.loadPacked(r, x, y);
    fq.loadPacked(r + fq.size, x + fq.packedSize, y + fq.packedSize);
  }

  storePacked(x: usize, y: usize, a: usize): void {
    const fq = the<L>();
    fq.storePacked(x, y, a);
    fq.storePacked(x + fq.packedSize, y + fq.packedSize, a + fq.size);
  }
}
