import { the } from '../field/field';

/**
 * Replaces each scalar s of from..to (below the odd order r) by r - s where that is smaller, so that small negative
 * numbers become short scalars. signs[k], a byte, is 1 where scalar k was replaced: its point is then to be negated.
 * Returns the bits of the largest scalar that is left. The class S has the size of scalars.
 */
export function centreScalars<S>(scalars: usize, from: i32, to: i32, order: usize, signs: usize): i32 {
  if (the<S>().size == 32) return centreShort(scalars, from, to, order, signs);
  return centreLong(scalars, from, to, order, signs, the<S>().size);
}

/** The same for scalars of any multiple of 8 bytes, word by word. */
function centreLong(scalars: usize, from: i32, to: i32, order: usize, signs: usize, size: usize): i32 {
  let bits: i32 = 0;
  for (let k = from; k < to; k++) {
    const scalar = scalars + <usize>k * size;
    // Whether r - s < s, by the borrows of both differences.
    let borrow: u64 = 0;
    let isReplaced: u64 = 0;
    for (let at: usize = 0; at < size; at += 8) {
      const r = load<u64>(order + at);
      const s = load<u64>(scalar + at);
      const t = r - s - borrow;
      borrow = borrowOf(r, s, borrow);
      isReplaced = borrowOf(t, s, isReplaced);
    }
    store<u8>(signs + <usize>k, <u8>isReplaced);
    borrow = 0;
    for (let at: usize = 0; at < size; at += 8) {
      let s = load<u64>(scalar + at);
      if (isReplaced != 0) {
        const r = load<u64>(order + at);
        const t = r - s - borrow;
        borrow = borrowOf(r, s, borrow);
        s = t;
        store<u64>(scalar + at, s);
      }
      if (s != 0) bits = max(bits, 8 * <i32>at + 64 - <i32>clz(s));
    }
  }
  return bits;
}

/** The same for scalars of 32 bytes. */
function centreShort(scalars: usize, from: i32, to: i32, order: usize, signs: usize): i32 {
  const r0 = load<u64>(order);
  const r1 = load<u64>(order, 8);
  const r2 = load<u64>(order, 16);
  const r3 = load<u64>(order, 24);
  let any0: u64 = 0;
  let any1: u64 = 0;
  let any2: u64 = 0;
  let any3: u64 = 0;
  for (let k = from; k < to; k++) {
    const scalar = scalars + (<usize>k << 5);
    let s0 = load<u64>(scalar);
    let s1 = load<u64>(scalar, 8);
    let s2 = load<u64>(scalar, 16);
    let s3 = load<u64>(scalar, 24);
    const t0 = r0 - s0;
    const b0 = u64(r0 < s0);
    const t1 = r1 - s1 - b0;
    const b1 = borrowOf(r1, s1, b0);
    const t2 = r2 - s2 - b1;
    const b2 = borrowOf(r2, s2, b1);
    const t3 = r3 - s3 - b2;
    // Whether r - s < s. About half of all scalars are like that, so a branch would often be predicted wrong.
    const isReplaced = borrowOf(t3, s3, borrowOf(t2, s2, borrowOf(t1, s1, u64(t0 < s0))));
    s0 = select<u64>(t0, s0, isReplaced != 0);
    s1 = select<u64>(t1, s1, isReplaced != 0);
    s2 = select<u64>(t2, s2, isReplaced != 0);
    s3 = select<u64>(t3, s3, isReplaced != 0);
    store<u64>(scalar, s0);
    store<u64>(scalar, s1, 8);
    store<u64>(scalar, s2, 16);
    store<u64>(scalar, s3, 24);
    store<u8>(signs + <usize>k, <u8>isReplaced);
    any0 |= s0;
    any1 |= s1;
    any2 |= s2;
    any3 |= s3;
  }
  if (any3 != 0) return 256 - <i32>clz(any3);
  if (any2 != 0) return 192 - <i32>clz(any2);
  if (any1 != 0) return 128 - <i32>clz(any1);
  return 64 - <i32>clz(any0);
}

/** The borrow of a - b - borrow. */
// @ts-ignore: decorator
@inline
function borrowOf(a: u64, b: u64, borrow: u64): u64 {
  return u64(a < b) | (u64(a == b) & borrow);
}
