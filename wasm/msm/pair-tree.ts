import { the } from '../field/field';

// Buckets in affine coordinates. The points of some windows are sorted by bucket; in every round neighbours in a bucket are added
// two and two, all pairs independent of each other, so that up to BATCH of them share one inversion (Montgomery's trick). An
// addition takes 5 products and a square, against 8 and 2 for a mixed addition in XYZZ coordinates, and no distribution of
// scalars makes a round unbalanced. A bucket's partial sums lie in its slots: bucket b, whose entries are
// sorted[offsets[b] .. offsets[b + 1]), has ceil(entries / 2) slots from number (offsets[b] + b) / 2 on.
//
// A point is named by its reference: its address divided by 8, and in bit 31 whether its opposite is meant.
//
// The arithmetic A is a class of methods (AffinePairs, LanePairs): pointSize; scratchSize; copyPoint(target, source, negative);
// add(notes, count), which carries out what is noted; addSlot(running, slot), which adds a slot to an XYZZ sum; addSums(total,
// running), which adds XYZZ sums.

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
 * A noted addition: the addresses of the target and of both operands, u32 each; flags in the low bits of the operands'. The operands
 * are finite; the target may be the first one.
 */
export const NOTE_SIZE: usize = 12;
export const FLAGS: u32 = 7;
/** The operand's opposite is meant. */
export const NEGATIVE: u32 = 1;
/** With the second operand, for the arithmetic's use: the operands are equal; the target is final already. */
export const DOUBLING: u32 = 2;
export const SETTLED: u32 = 4;

/** Takes what was read only to have it in the cache, so that no compiler leaves the reading out. */
const TOUCHED: usize = memory.data(4);

/** Bytes that `addPairs` needs for its notes. */
export function pairScratchSize<A>(): usize {
  return <usize>BATCH * NOTE_SIZE + the<A>().scratchSize;
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

/** Turns counts (at b + 1) into the offsets of the buckets, and copies those to `next`. */
export function scanCounts(offsets: usize, next: usize, buckets: i32): void {
  let sum: u32 = 0;
  for (let b: i32 = 0; b < buckets; b++) {
    store<u32>(next + (<usize>b << 2), sum);
    const at = offsets + (<usize>(b + 1) << 2);
    sum += load<u32>(at);
    store<u32>(at, sum);
  }
}

/** Puts the listed references, with their digits' signs, to their buckets' places in `sorted`. */
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
 * Does up to BATCH additions of one round and moves the cursor (bucket, pair; u32 each, the first bucket and 0 at the beginning) behind
 * them; false when the round is over, having reached bucket `end`. `slots` is where slot 0 is or would be. `stride` 0 is the first round: it adds the sorted points two and two into the slots. Rounds of stride
 * 1, 2, 4, .. then add slot i + stride to slot i, i a multiple of 2 stride, until the stride reaches the longest run of slots;
 * the sum of a bucket then lies in its first slot.
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
  let touched: u32 = 0;
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
        // Brings the operands into the cache: here reads overlap, between products each would be waited for.
        touched |= load<u32>(a) | load<u32>(a + pointSize - 4) | load<u32>(b) | load<u32>(b + pointSize - 4);
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
  store<u32>(TOUCHED, touched);
  if (noted > 0) arithmetic.add(scratch, noted);
  return bucket < end;
}

/** Whether a slot holds the point at infinity, written as zeros: no point of an odd-order curve has y = 0. */
// @ts-ignore: decorator
@inline
function isEmpty(slot: usize, pointSize: usize): bool {
  for (let i = pointSize >> 1; i < pointSize; i += 4) {
    if (load<u32>(slot + i) != 0) return false;
  }
  return true;
}

/**
 * The buckets from `from` on that have `entries` entries together, or else the first alone: gives the end of these, and stores the
 * largest bucket's entries at `longest`.
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

/** Copies the sums of buckets from..to from their first slots to sums[from..to), zeros where a bucket is empty. */
export function takeSums<A>(offsets: usize, slots: usize, from: i32, to: i32, sums: usize): void {
  const pointSize = the<A>().pointSize;
  for (let b = from; b < to; b++) {
    const first = load<i32>(offsets + (<usize>b << 2));
    const sum = sums + <usize>b * pointSize;
    if (first == load<i32>(offsets + (<usize>b << 2), 4)) memory.fill(sum, 0, pointSize);
    else memory.copy(sum, slots + <usize>((first + b) >> 1) * pointSize, pointSize);
  }
}

/** The references of sums[from..to); 0 where a sum is empty or infinite. */
export function referToSums<A>(sums: usize, from: i32, to: i32, references: usize): void {
  const pointSize = the<A>().pointSize;
  for (let b = from; b < to; b++) {
    const sum = sums + <usize>b * pointSize;
    store<u32>(references + (<usize>b << 2), isEmpty(sum, pointSize) ? 0 : <u32>(sum >> 3));
  }
}

/** The digits that put finite sums to their own buckets: digits[b] = b + 1, but 0 where references[b] is 0. */
export function listFinite(references: usize, buckets: i32, digits: usize): void {
  for (let b: i32 = 0; b < buckets; b++) {
    const at = <usize>b << 2;
    store<u32>(digits + at, load<u32>(references + at) == 0 ? 0 : <u32>b + 1);
  }
}

/** running += sum, total += running over sums[to - 1] down to sums[from]: total has sum (i - from + 1) sums[i] more in the end. */
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
 * Lists the sums of one window by row and by column: `references` has those of digits 1 .. buckets, and digit d stands in row
 * d >> columnBits and in column d mod 2^columnBits. With R_i and C_j the sums of rows and columns,
 * sum d S_d = 2^columnBits sum i R_i + sum j C_j: two additions in pairs a bucket, and weighted sums of about a square root of as many
 * buckets. Rows from 1 on, then columns from 1 on become buckets for `addPairs`: `entries` takes the references from number `at` on,
 * `offsets` the end of each bucket's. Gives the number of entries then.
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
