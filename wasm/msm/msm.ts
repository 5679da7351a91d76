import { the } from '../field/field';

/** Lists the numbers of the scalars that are not 0; the class S has their size. Returns how many there are. */
export function listNonzero<S>(scalars: usize, count: i32, list: usize): i32 {
  let at = list;
  for (let i: i32 = 0; i < count; i++) {
    const scalar = scalars + <usize>i * the<S>().size;
    let bits: u64 = 0;
    for (let at: i32 = 0; at < the<S>().size; at += 8) bits |= load<u64>(scalar + at);
    if (bits == 0) continue;
    store<u32>(at, i);
    at += 4;
  }
  return <i32>((at - list) >> 2);
}

/**
 * Writes the references of the points whose numbers are listed; points have `pointSize` bytes. The opposite of a point
 * is meant where its byte of `signs` is 1.
 */
export function listReferences(
  points: usize,
  pointSize: usize,
  list: usize,
  count: i32,
  signs: usize,
  target: usize,
): void {
  for (let k: i32 = 0; k < count; k++) {
    const number = load<u32>(list + (<usize>k << 2));
    const point = points + <usize>number * pointSize;
    store<u32>(target + (<usize>k << 2), <u32>(point >> 3) | (<u32>load<u8>(signs + <usize>number) << 31));
  }
}

/**
 * Moves the scalars with the numbers list[from..to) to places from..to of the same array. The list is in ascending
 * order.
 */
export function gatherScalars<S>(scalars: usize, list: usize, from: i32, to: i32): void {
  for (let k = from; k < to; k++) {
    const number = load<u32>(list + (<usize>k << 2));
    memory.copy(scalars + <usize>k * the<S>().size, scalars + <usize>number * the<S>().size, the<S>().size);
  }
}

/** sum = 2^doublings sum + a. */
export function shiftAndAdd<G>(sum: usize, a: usize, doublings: u32): void {
  const group = the<G>();
  for (let i: u32 = 0; i < doublings; i++) group.dbl(sum, sum);
  group.add(sum, sum, a);
}

/** Converts `count` prepared points to the form that the arithmetic A adds. */
export function loadPreparedPoints<A>(source: usize, count: i32, target: usize): void {
  const points = the<A>();
  for (let i: i32 = 0; i < count; i++) {
    points.loadPoint(target + <usize>i * points.pointSize, source + <usize>i * points.preparedSize);
  }
}
