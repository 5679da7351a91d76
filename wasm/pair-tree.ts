import { the } from './field';
import { Weierstrass } from './weierstrass';

// Buckets in affine coordinates. The points of a window are sorted by bucket; in every round neighbours in a bucket are added
// two and two, all pairs independent of each other, so that up to BATCH of them share one inversion (Montgomery's trick). An
// addition takes 5 products and a square, against 8 and 2 for a mixed addition in XYZZ coordinates, and no distribution of
// scalars makes a round unbalanced. A bucket's partial sums lie in its slots: bucket b, whose entries are
// sorted[offsets[b] .. offsets[b + 1]), has ceil(entries / 2) slots from number (offsets[b] + b) / 2 on.

const SIGN: u32 = 0x80000000;

/** Additions that share an inversion. */
export const BATCH: i32 = 1024;

/** Flags in the low bits of an operand's address. */
const NEGATIVE: u32 = 1;
const DOUBLING: u32 = 2;

// Scratch elements, with room for those of Fq2.
const PRODUCT: usize = memory.data(80);
const INVERSE: usize = memory.data(80);
const LAMBDA: usize = memory.data(80);
const X: usize = memory.data(80);
const Y: usize = memory.data(80);

/** Bytes of a noted addition: addresses of target and operand, denominator, product of the denominators before it. */
// @ts-ignore: decorator
@inline
function recordSize<F>(): usize {
  return <usize>8 + 2 * the<F>().size;
}

/** Bytes that `addPairs` needs for its notes. */
export function pairScratchSize<F>(): usize {
  return <usize>BATCH * recordSize<F>();
}

/** offsets[b + 1] = number of digits from..to whose bucket |d| - 1 is b, added to what stands there. */
export function countDigits(digits: usize, from: i32, to: i32, offsets: usize): void {
  for (let k = from; k < to; k++) {
    const value = load<u32>(digits + (<usize>k << 2)) & ~SIGN;
    if (value == 0) continue;
    const at = offsets + (<usize>value << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Turns counts (at b + 1) into the offsets of the buckets, copies those to `next`, and gives the largest count. */
export function scanCounts(offsets: usize, next: usize, buckets: i32): u32 {
  let sum: u32 = 0;
  let largest: u32 = 0;
  for (let b: i32 = 0; b < buckets; b++) {
    store<u32>(next + (<usize>b << 2), sum);
    const at = offsets + (<usize>(b + 1) << 2);
    const count = load<u32>(at);
    if (count > largest) largest = count;
    sum += count;
    store<u32>(at, sum);
  }
  return largest;
}

/** Puts the listed bases' indices, with their digits' signs, to their buckets' places in `sorted`. */
export function scatterDigits(digits: usize, list: usize, from: i32, to: i32, next: usize, sorted: usize): void {
  for (let k = from; k < to; k++) {
    const digit = load<u32>(digits + (<usize>k << 2));
    const value = digit & ~SIGN;
    if (value == 0) continue;
    const at = next + (<usize>(value - 1) << 2);
    const place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u32>(sorted + (<usize>place << 2), load<u32>(list + (<usize>k << 2)) | (digit & SIGN));
  }
}

/**
 * Does up to BATCH additions of one round and moves the cursor (bucket, pair; u32 each, 0 and 0 at the beginning) behind them;
 * false when the round is over. `stride` 0 is the first round: it adds bases two and two into the slots. Rounds of stride 1,
 * 2, 4, .. then add slot i + stride to slot i, i a multiple of 2 stride, until the stride reaches the longest run of slots;
 * the sum of a bucket then lies in its first slot.
 */
export function addPairs<F>(
  cursor: usize,
  bases: usize,
  sorted: usize,
  offsets: usize,
  buckets: i32,
  stride: i32,
  slots: usize,
  scratch: usize,
): bool {
  const pointSize: usize = 2 * the<F>().size;
  let bucket = load<i32>(cursor);
  let pair = load<i32>(cursor, 4);
  let noted: i32 = 0;
  the<F>().setOne(PRODUCT);
  while (bucket < buckets && noted < BATCH) {
    const from = load<i32>(offsets + (<usize>bucket << 2));
    const entries = load<i32>(offsets + (<usize>bucket << 2), 4) - from;
    const firstSlot = slots + <usize>((from + bucket) >> 1) * pointSize;
    const record = scratch + <usize>noted * recordSize<F>();
    if (stride == 0) {
      if (2 * pair >= entries) {
        bucket++;
        pair = 0;
        continue;
      }
      const entry = sorted + (<usize>(from + 2 * pair) << 2);
      const target = firstSlot + <usize>pair * pointSize;
      copySigned<F>(target, bases + <usize>(load<u32>(entry) & ~SIGN) * pointSize, (load<u32>(entry) & SIGN) != 0);
      if (2 * pair + 1 < entries) {
        const second = load<u32>(entry, 4);
        const operand = bases + <usize>(second & ~SIGN) * pointSize;
        if (note<F>(record, target, operand, (second & SIGN) != 0)) noted++;
      }
    } else {
      const first = 2 * stride * pair;
      if (first + stride >= (entries + 1) >> 1) {
        bucket++;
        pair = 0;
        continue;
      }
      const target = firstSlot + <usize>first * pointSize;
      const operand = target + <usize>stride * pointSize;
      if (isEmpty<F>(target)) memory.copy(target, operand, pointSize);
      else if (!isEmpty<F>(operand) && note<F>(record, target, operand, false)) noted++;
    }
    pair++;
  }
  store<i32>(cursor, bucket);
  store<i32>(cursor, pair, 4);
  finishNoted<F>(scratch, noted);
  return bucket < buckets;
}

/** target = negative ? -base : base. */
function copySigned<F>(target: usize, base: usize, negative: bool): void {
  const f = the<F>();
  f.copy(target, base);
  if (negative) f.neg(target + f.size, base + f.size);
  else f.copy(target + f.size, base + f.size);
}

/** Whether a slot holds the point at infinity, written as zeros: no point of an odd-order curve has y = 0. */
// @ts-ignore: decorator
@inline
function isEmpty<F>(slot: usize): bool {
  const n = the<F>().size;
  for (let i: usize = 0; i < n; i += 4) {
    if (load<u32>(slot + n + i) != 0) return false;
  }
  return true;
}

/**
 * Notes the addition of an operand to a target, both finite, and multiplies its denominator into PRODUCT: x2 - x1, or 2 y1
 * where the points are equal. Opposite points are settled at once, and nothing is noted: false.
 */
function note<F>(record: usize, target: usize, operand: usize, negative: bool): bool {
  const f = the<F>();
  const n = f.size;
  const denominator = record + 8;
  let flags: u32 = negative ? NEGATIVE : 0;
  f.sub(denominator, operand, target);
  if (f.isZero(denominator)) {
    const opposite = f.equals(operand + n, target + n) == negative;
    if (opposite) {
      memory.fill(target, 0, 2 * n);
      return false;
    }
    f.dbl(denominator, target + n);
    flags = DOUBLING;
  }
  store<u32>(record, <u32>target);
  store<u32>(record, <u32>operand | flags, 4);
  f.copy(denominator + n, PRODUCT);
  f.mul(PRODUCT, PRODUCT, denominator);
  return true;
}

/** Carries out the noted additions, last to first: PRODUCT becomes the inverse of the denominators up to the one at hand. */
function finishNoted<F>(scratch: usize, noted: i32): void {
  if (noted == 0) return;
  const f = the<F>();
  const n = f.size;
  f.copy(X, PRODUCT);
  f.invert(PRODUCT, X);
  for (let k = noted - 1; k >= 0; k--) {
    const record = scratch + <usize>k * recordSize<F>();
    const x1 = <usize>load<u32>(record);
    const y1 = x1 + n;
    const flags = load<u32>(record, 4) & 3;
    const x2 = <usize>(load<u32>(record, 4) & ~3);
    f.mul(INVERSE, PRODUCT, record + 8 + n);
    f.mul(PRODUCT, PRODUCT, record + 8);
    if (flags == DOUBLING) {
      f.sqr(X, x1);
      f.dbl(Y, X);
      f.add(Y, Y, X);
    } else if (flags == NEGATIVE) {
      // The slope with its sign turned; it is turned again below.
      f.add(Y, x2 + n, y1);
    } else {
      f.sub(Y, x2 + n, y1);
    }
    f.mul(LAMBDA, Y, INVERSE);
    f.sqr(X, LAMBDA);
    f.sub2(X, X, x1, x2);
    if (flags == NEGATIVE) f.sub(Y, X, x1);
    else f.sub(Y, x1, X);
    f.mul(Y, Y, LAMBDA);
    f.sub(y1, Y, y1);
    f.copy(x1, X);
  }
}

/** As `sumBuckets` of the bucket method, over buckets whose sums lie in their first slots. */
export function sumSlots<F>(running: usize, total: usize, offsets: usize, slots: usize, from: i32, to: i32): void {
  const group = the<Weierstrass<F>>();
  for (let b = from - 1; b >= to; b--) {
    const first = load<i32>(offsets + (<usize>b << 2));
    if (first != load<i32>(offsets + (<usize>b << 2), 4)) {
      const slot = slots + <usize>((first + b) >> 1) * group.baseSize;
      if (!isEmpty<F>(slot)) group.addBase(running, running, slot, false);
    }
    group.add(total, total, running);
  }
}
