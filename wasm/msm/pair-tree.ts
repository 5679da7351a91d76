import { the } from '../field/field';

// Bucket sums in affine coordinates. The points of some windows are sorted by bucket. In every round neighbours in a
// bucket are added in pairs. All pairs are independent of each other, so up to BATCH of them share one inversion
// (Montgomery's trick). An addition takes 5 products and one square; a mixed addition in XYZZ coordinates takes 8 and
// 2. No distribution of scalars makes a round unbalanced.
//
// The partial sums of a bucket are in its slots. Bucket b, whose entries are sorted[offsets[b] .. offsets[b + 1]), has
// ceil(entries / 2) slots from number (offsets[b] + b) / 2 on.
//
// A point is named by its reference: its address divided by 8, and in bit 31 whether its opposite is meant.
//
// The arithmetic A is a class of methods (AffinePairs, LanePairs): pointSize; scratchSize; copyPoint(target, source,
// negative); add(notes, count), which does the noted additions; addSlot(running, slot), which adds a slot to an XYZZ
// sum; addSums(total, running), which adds XYZZ sums.

export const SIGN: u32 = 0x80000000;

/** The address that a reference names. */
// @ts-ignore: decorator
@inline
export function addressOf(reference: u32): usize {
  return <usize>(reference << 3);
}

/** Additions that share an inversion. */
export const BATCH: i32 = 1024;

/**
 * Bytes of a note, which describes an addition: the addresses of the target and of both operands, u32 each, with flags
 * in the low bits of the operands' addresses. The operands are finite. The target may be the first operand.
 */
export const NOTE_SIZE: usize = 12;
export const FLAGS: u32 = 7;
/** A flag of either operand: its opposite is meant. */
export const NEGATIVE: u32 = 1;
/** Flags of the second operand, which the arithmetic sets: the operands are equal; the target is final already. */
export const DOUBLING: u32 = 2;
export const SETTLED: u32 = 4;

/** Takes values that were read only to bring them into the cache. Without it the compiler could leave the reads out. */
const TOUCHED: usize = memory.data(4);

/** Bytes that `addPairs` needs for its notes. */
export function pairScratchSize<A>(): usize {
  return <usize>BATCH * NOTE_SIZE + the<A>().scratchSize;
}

/** Adds to each offsets[b + 1] the number of digits from..to whose bucket |d| - 1 is b. */
export function countDigits(digits: usize, from: i32, to: i32, offsets: usize): void {
  for (let k = from; k < to; k++) {
    const value = load<u32>(digits + (<usize>k << 2)) & ~SIGN;
    if (value == 0) continue;
    const at = offsets + (<usize>value << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Turns the counts (bucket b's at b + 1) into the offsets of the buckets, and copies these to `next`. */
export function scanCounts(offsets: usize, next: usize, buckets: i32): void {
  let sum: u32 = 0;
  for (let b: i32 = 0; b < buckets; b++) {
    store<u32>(next + (<usize>b << 2), sum);
    const at = offsets + (<usize>(b + 1) << 2);
    sum += load<u32>(at);
    store<u32>(at, sum);
  }
}

/**
 * Writes the references of the points with digits from..to, with the digits' signs, to their buckets' places in
 * `sorted`.
 */
export function scatterDigits(digits: usize, references: usize, from: i32, to: i32, next: usize, sorted: usize): void {
  for (let k = from; k < to; k++) {
    const digit = load<u32>(digits + (<usize>k << 2));
    const value = digit & ~SIGN;
    if (value == 0) continue;
    const at = next + (<usize>(value - 1) << 2);
    const place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u32>(sorted + (<usize>place << 2), load<u32>(references + (<usize>k << 2)) ^ (digit & SIGN));
  }
}

/**
 * Does up to BATCH additions of one round, and moves the cursor past them. The cursor is a bucket and a pair in it (u32
 * each), at first the first bucket and 0. Returns false when the round has reached bucket `end` and is over. `slots` is
 * the address that slot 0 has or would have.
 *
 * The first round has stride 0: it adds the sorted points in pairs into the slots. Rounds of stride 1, 2, 4, .. then
 * add slot i + stride to slot i, for multiples i of 2 stride, until the stride reaches the longest run of slots. Then
 * the sum of a bucket is in its first slot.
 */
export function addPairs<A>(
  cursor: usize,
  sorted: usize,
  offsets: usize,
  end: i32,
  stride: i32,
  slots: usize,
  scratch: usize,
): bool {
  const arithmetic = the<A>();
  const pointSize = arithmetic.pointSize;
  let bucket = load<i32>(cursor);
  let pair = load<i32>(cursor, 4);
  let noted: i32 = 0;
  if (stride == 0) touchPoints<A>(sorted, load<i32>(offsets + (<usize>bucket << 2)) + 2 * pair, load<i32>(offsets + (<usize>end << 2)));
  while (bucket < end && noted < BATCH) {
    const from = load<i32>(offsets + (<usize>bucket << 2));
    const entries = load<i32>(offsets + (<usize>bucket << 2), 4) - from;
    const firstSlot = slots + <usize>((from + bucket) >> 1) * pointSize;
    const note = scratch + <usize>noted * NOTE_SIZE;
    if (stride == 0) {
      if (2 * pair >= entries) {
        bucket++;
        pair = 0;
        continue;
      }
      const entry = sorted + (<usize>(from + 2 * pair) << 2);
      const target = firstSlot + <usize>pair * pointSize;
      const first = load<u32>(entry);
      const a = addressOf(first);
      if (2 * pair + 1 < entries) {
        const second = load<u32>(entry, 4);
        const b = addressOf(second);
        store<u32>(note, <u32>target);
        store<u32>(note, <u32>a | (first >> 31), 4);
        store<u32>(note, <u32>b | (second >> 31), 8);
        noted++;
      } else {
        arithmetic.copyPoint(target, a, first >> 31 != 0);
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
      if (isEmpty(target, pointSize)) {
        memory.copy(target, operand, pointSize);
      } else if (!isEmpty(operand, pointSize)) {
        store<u32>(note, <u32>target);
        store<u32>(note, <u32>target, 4);
        store<u32>(note, <u32>operand, 8);
        noted++;
      }
    }
    pair++;
  }
  store<i32>(cursor, bucket);
  store<i32>(cursor, pair, 4);
  if (noted > 0) arithmetic.add(scratch, noted);
  return bucket < end;
}

/**
 * Brings the points of the next additions into the cache. In so short a loop many reads overlap; between products each
 * would have to be waited for.
 */
function touchPoints<A>(sorted: usize, from: i32, end: i32): void {
  const last = the<A>().pointSize - 4;
  const to = min(end, from + 2 * BATCH);
  let touched: u32 = 0;
  for (let k = from; k < to; k++) {
    const point = addressOf(load<u32>(sorted + (<usize>k << 2)));
    touched |= load<u32>(point) | load<u32>(point + last);
  }
  store<u32>(TOUCHED, touched);
}

/**
 * Whether a slot holds the point at infinity, written as zeros. Only y is read, since no point of odd order has y = 0.
 */
// @ts-ignore: decorator
@inline
function isEmpty(slot: usize, pointSize: usize): bool {
  for (let i = pointSize >> 1; i < pointSize; i += 4) {
    if (load<u32>(slot + i) != 0) return false;
  }
  return true;
}

/**
 * Finds a stretch: as many buckets from `from` on as have at most `entries` entries together, but at least one. Returns
 * the end of the stretch, and stores the number of entries in its largest bucket at `longest`.
 */
export function endOfStretch(offsets: usize, from: i32, buckets: i32, entries: i32, longest: usize): i32 {
  const limit = load<i32>(offsets + (<usize>from << 2)) + entries;
  let end = from;
  let most: i32 = 0;
  let before = load<i32>(offsets + (<usize>from << 2));
  while (end < buckets) {
    const after = load<i32>(offsets + (<usize>(end + 1) << 2));
    if (after > limit && end > from) break;
    most = max(most, after - before);
    before = after;
    end++;
  }
  store<i32>(longest, most);
  return end;
}

/** Copies the bucket sums from..to from their first slots to sums[from..to), zeros where a bucket is empty. */
export function takeSums<A>(offsets: usize, slots: usize, from: i32, to: i32, sums: usize): void {
  const pointSize = the<A>().pointSize;
  for (let b = from; b < to; b++) {
    const first = load<i32>(offsets + (<usize>b << 2));
    const sum = sums + <usize>b * pointSize;
    if (first == load<i32>(offsets + (<usize>b << 2), 4)) memory.fill(sum, 0, pointSize);
    else memory.copy(sum, slots + <usize>((first + b) >> 1) * pointSize, pointSize);
  }
}

/** The references of sums[from..to); 0 for a sum that is empty or infinite. */
export function referToSums<A>(sums: usize, from: i32, to: i32, references: usize): void {
  const pointSize = the<A>().pointSize;
  for (let b = from; b < to; b++) {
    const sum = sums + <usize>b * pointSize;
    store<u32>(references + (<usize>b << 2), isEmpty(sum, pointSize) ? 0 : <u32>(sum >> 3));
  }
}

/** The digits that send finite sums to their own buckets: digits[b] = b + 1, or 0 if references[b] is 0. */
export function listFinite(references: usize, buckets: i32, digits: usize): void {
  for (let b: i32 = 0; b < buckets; b++) {
    const at = <usize>b << 2;
    store<u32>(digits + at, load<u32>(references + at) == 0 ? 0 : <u32>b + 1);
  }
}

/**
 * For each sum from sums[to - 1] down to sums[from]: running += sum, total += running. This adds sum (i - from + 1)
 * sums[i] to total.
 */
export function addRunning<A>(running: usize, total: usize, sums: usize, from: i32, to: i32): void {
  const arithmetic = the<A>();
  const pointSize = arithmetic.pointSize;
  for (let b = to - 1; b >= from; b--) {
    const sum = sums + <usize>b * pointSize;
    if (!isEmpty(sum, pointSize)) arithmetic.addSlot(running, sum);
    arithmetic.addSums(total, running);
  }
}

/**
 * Lists the sums of one window's buckets by row and by column of a table. `references` has the sums S_d of digits 1 ..
 * buckets. Digit d is in row d >> columnBits and in column d mod 2^columnBits. With R_i and C_j the sums of rows and
 * columns, sum d S_d = 2^columnBits sum i R_i + sum j C_j. This takes two batched additions for each bucket, and two
 * weighted sums over about the square root of the number of buckets.
 *
 * The rows from 1 on, then the columns from 1 on, become buckets for `addPairs`. The references go to `entries` from
 * number `at` on, and the end of each bucket's entries goes to `offsets`. Returns the number of entries afterwards.
 */
export function listRowsAndColumns(
  references: usize,
  buckets: i32,
  columnBits: i32,
  entries: usize,
  at: i32,
  offsets: usize,
): i32 {
  const columns = 1 << columnBits;
  for (let row = columns; row <= buckets; row += columns) {
    at = list(references, row, min(row + columns, buckets + 1), 1, entries, at);
    store<i32>(offsets, at);
    offsets += 4;
  }
  for (let column = 1; column < columns; column++) {
    at = list(references, column, buckets + 1, columns, entries, at);
    store<i32>(offsets, at);
    offsets += 4;
  }
  return at;
}

/** Lists the finite sums of digits first, first + step, .. below `end`. */
function list(references: usize, first: i32, end: i32, step: i32, entries: usize, at: i32): i32 {
  for (let digit = first; digit < end; digit += step) {
    const reference = load<u32>(references + (<usize>(digit - 1) << 2));
    if (reference == 0) continue;
    store<u32>(entries + (<usize>at << 2), reference);
    at++;
  }
  return at;
}
