import { the } from '../field/field';

/**
 * Finds equal scalars among those with the numbers list[from..to). Equal scalars form a class; classes are numbered
 * from 0 in the order in which they first appear. classes[k] becomes 1 + the number of the class of scalar list[k], and
 * representatives[class] becomes the number of the first scalar in the class. The class S has the size of scalars.
 * `found` is the number of classes found by earlier calls; returns the number including this one.
 *
 * `table` is a hash table with open addressing. It has 2^tableBits entries (u32), more than there are scalars in all,
 * each 1 + the number of a class, or 0 if it is free. It must be all zero before the first call.
 */
export function findClasses<S>(
  scalars: usize,
  list: usize,
  from: i32,
  to: i32,
  table: usize,
  tableBits: i32,
  classes: usize,
  representatives: usize,
  found: i32,
): i32 {
  const mask: usize = (1 << tableBits) - 1;
  for (let k = from; k < to; k++) {
    const number = load<u32>(list + (<usize>k << 2));
    const scalar = scalars + <usize>number * the<S>().size;
    let place = <usize>(hash<S>(scalar) >> <u64>(64 - tableBits));
    for (;;) {
      const entry = table + (place << 2);
      const known = load<u32>(entry);
      if (known == 0) {
        store<u32>(representatives + (<usize>found << 2), number);
        found++;
        store<u32>(entry, found);
        store<u32>(classes + (<usize>k << 2), found);
        break;
      }
      const representative = load<u32>(representatives + (<usize>(known - 1) << 2));
      if (equal<S>(scalar, scalars + <usize>representative * the<S>().size)) {
        store<u32>(classes + (<usize>k << 2), known);
        break;
      }
      place = (place + 1) & mask;
    }
  }
  return found;
}

/**
 * Drops the references that are 0 (sums at infinity) and the numbers that belong to them. Returns how many are left.
 */
export function keepFinite(references: usize, numbers: usize, count: i32): i32 {
  let kept: i32 = 0;
  for (let k: i32 = 0; k < count; k++) {
    const reference = load<u32>(references + (<usize>k << 2));
    if (reference == 0) continue;
    store<u32>(references + (<usize>kept << 2), reference);
    store<u32>(numbers + (<usize>kept << 2), load<u32>(numbers + (<usize>k << 2)));
    kept++;
  }
  return kept;
}

/**
 * A hash whose high bits depend on every bit of the scalar, by products with an odd constant (digits of the golden
 * ratio).
 */
// @ts-ignore: decorator
@inline
function hash<S>(scalar: usize): u64 {
  let h: u64 = 0;
  for (let at: i32 = 0; at < the<S>().size; at += 8) h = (h ^ (h >> 32) ^ load<u64>(scalar + at)) * 0x9e3779b97f4a7c15;
  return h;
}

// @ts-ignore: decorator
@inline
function equal<S>(a: usize, b: usize): bool {
  let difference: u64 = 0;
  for (let at: i32 = 0; at < the<S>().size; at += 8) difference |= load<u64>(a + at) ^ load<u64>(b + at);
  return difference == 0;
}
