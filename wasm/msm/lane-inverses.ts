import { the } from '../field/field';
import { EXTENDED, EXTENDED_LANES, EXTENDED_PACKED } from '../generated/scratch';

/**
 * The number of running products. Pair k belongs to product k mod CHAINS. With one alone every multiplication would
 * wait for the one before it; with several they overlap in the processor.
 */
const CHAINS: i32 = 2;

// Scratch elements in lanes, with room for Fq2.
const CHAIN: usize = memory.data(CHAINS * EXTENDED_LANES, 16);
const T: usize = memory.data(EXTENDED_LANES, 16);
const PACKED: usize = memory.data(2 * EXTENDED_PACKED);
// Scratch elements of F.
const U: usize = memory.data(EXTENDED);
const V: usize = memory.data(EXTENDED);
const W: usize = memory.data(EXTENDED);
const PRODUCT: usize = memory.data(EXTENDED);

/**
 * The inverses of many pairs of elements in lanes, by one inversion in F (Montgomery's trick). Pair k has a record of
 * two elements: the product of the denominators before it in its chain, and its denominator.
 */
@unmanaged
export class LaneInverses<L, F> {
  /** Bytes of the records of so many pairs. */
  size(pairs: i32): usize {
    return <usize>(pairs + CHAINS) * this.recordSize;
  }

  get recordSize(): usize {
    return 2 * the<L>().size;
  }

  begin(records: usize): void {
    for (let c: i32 = 0; c < CHAINS; c++) the<L>().setOne(records + <usize>c * this.recordSize);
  }

  /** Multiplies a chain by the denominator of this record, after the denominators of all records before it. */
  // @ts-ignore: decorator
  @inline
  include(record: usize): void {
    the<L>().mul(record + <usize>CHAINS * this.recordSize, record, record + the<L>().size);
  }

  /** Begins, includes all denominators and inverts the chains. False if a denominator is 0. */
  invertAll(records: usize, pairs: i32): bool {
    this.begin(records);
    for (let k: i32 = 0; k < pairs; k++) this.include(records + <usize>k * this.recordSize);
    this.invert(records, pairs);
    // The inverse of 0 is 0.
    return the<L>().multiples(CHAIN) == 0;
  }

  /** Inverts the chains, whose whole products follow the records of all pairs. */
  invert(records: usize, pairs: i32): void {
    const lanes = the<L>();
    const first = records + <usize>(pairs + (pairs & 1)) * this.recordSize;
    const second = records + <usize>(pairs + 1 - (pairs & 1)) * this.recordSize;
    lanes.mul(T, first, second);
    this.invertTwo(T, T);
    lanes.mul(CHAIN, T, second);
    lanes.mul(CHAIN + lanes.size, T, first);
  }

  /** The inverses of the last denominators that are left, of pairs from..end, take the place of the products. */
  take(records: usize, from: i32, end: i32): void {
    const lanes = the<L>();
    for (let k = end - 1; k >= from; k--) {
      const record = records + <usize>k * this.recordSize;
      const chain = CHAIN + <usize>(k % CHAINS) * lanes.size;
      lanes.mul(record, chain, record);
      lanes.mul(chain, chain, record + lanes.size);
    }
  }

  /** The inverses of both lanes, by one inversion of their product; 0 if one of them is 0. */
  invertTwo(r: usize, a: usize): void {
    const f = the<F>();
    const lanes = the<L>();
    const second = PACKED + f.packedSize;
    lanes.reduce(T, a);
    lanes.storePacked(PACKED, second, T);
    f.loadPacked(U, PACKED);
    f.loadPacked(V, second);
    f.mul(PRODUCT, U, V);
    f.invert(W, PRODUCT);
    f.mul(V, V, W);
    f.mul(U, U, W);
    f.storePacked(PACKED, V);
    f.storePacked(second, U);
    lanes.loadPacked(r, PACKED, second);
  }
}
