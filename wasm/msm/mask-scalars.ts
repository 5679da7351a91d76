import { the } from '../field/field';
import { sipHash } from './siphash';

/**
 * Adds to each of `count` scalars (below the odd order r) `factor` times a mask, modulo r, in place. The mask of the
 * scalar with number i, from `first` on, is 2^-w X modulo r, where X are w random bits that follow from i and the key
 * of 16 bytes: 64 more than a scalar takes in memory, so masks are uniform but for 2^-64. `factor` is below r, and
 * `inverse` is -1 / r mod 2^32. `product` has room for a scalar. The class S has the size of scalars. Time and memory
 * access do not depend on the scalars.
 */
export function maskScalars<S>(
  scalars: usize,
  count: i32,
  first: u32,
  key: usize,
  factor: usize,
  order: usize,
  inverse: u32,
  product: usize,
): void {
  const size = <usize>the<S>().size;
  const hashes = <u64>(size >> 3) + 1;
  for (let i: i32 = 0; i < count; i++) {
    memory.fill(product, 0, size);
    const start = (<u64>first + i) * hashes;
    for (let h: u64 = 0; h < hashes; h++) {
      const random = sipHash(key, start + h);
      addMultiple(product, <u32>random, factor, order, inverse, size);
      addMultiple(product, <u32>(random >> 32), factor, order, inverse, size);
    }
    const scalar = scalars + <usize>i * size;
    subtractOrder(product, order, size);
    add(scalar, product, size);
    subtractOrder(scalar, order, size);
  }
}

/**
 * product = (product + word factor) / 2^32 modulo r, below 2 r: a step of Montgomery's multiplication ("Modular
 * multiplication without trial division", Math. Comp. 44, 1985), which takes the words of the other factor from the
 * lowest on.
 */
function addMultiple(product: usize, word: u32, factor: usize, order: usize, inverse: u32, size: usize): void {
  let sum = <u64>load<u32>(product) + <u64>word * load<u32>(factor);
  const quotient: u64 = <u32>sum * inverse;
  let carry = sum >> 32;
  let reducedCarry = (<u64>(<u32>sum) + quotient * load<u32>(order)) >> 32;
  for (let at: usize = 4; at < size; at += 4) {
    sum = <u64>load<u32>(product + at) + <u64>word * load<u32>(factor + at) + carry;
    carry = sum >> 32;
    const reduced = <u64>(<u32>sum) + quotient * load<u32>(order + at) + reducedCarry;
    reducedCarry = reduced >> 32;
    store<u32>(product + at - 4, <u32>reduced);
  }
  // 2 r is below 2 to the bits of a scalar in memory, so nothing is carried on.
  store<u32>(product + size - 4, <u32>(carry + reducedCarry));
}

/** a += b, without a carry at the end. */
function add(a: usize, b: usize, size: usize): void {
  let carry: u64 = 0;
  for (let at: usize = 0; at < size; at += 4) {
    const sum = <u64>load<u32>(a + at) + load<u32>(b + at) + carry;
    carry = sum >> 32;
    store<u32>(a + at, <u32>sum);
  }
}

/** Subtracts the order from a number below 2 r if it is not below r, without a branch. */
function subtractOrder(a: usize, order: usize, size: usize): void {
  let borrow: u64 = 0;
  for (let at: usize = 0; at < size; at += 4) {
    borrow = (<u64>load<u32>(a + at) - load<u32>(order + at) - borrow) >> 63;
  }
  // All bits where nothing was borrowed: then a is not below r.
  const taken = <u32>(borrow - 1);
  borrow = 0;
  for (let at: usize = 0; at < size; at += 4) {
    const difference = <u64>load<u32>(a + at) - (load<u32>(order + at) & taken) - borrow;
    borrow = difference >> 63;
    store<u32>(a + at, <u32>difference);
  }
}
