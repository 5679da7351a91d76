/**
 * Finds equal scalars (of 32 bytes) among those with the numbers list[from..to). Equal scalars form a class; classes are numbered from 0 in
 * the order in which they first appear. classes[k] becomes 1 + the number of the class of scalar list[k], and representatives[class] becomes
 * the number of the first scalar in the class. `found` is the number of classes found by earlier calls; returns the number including this one.
 *
 * `table` is a hash table with open addressing. It has 2^tableBits entries (u32), more than there are scalars in all, each 1 + the number of a
 * class, or 0 if it is free. It must be all zero before the first call.
 */
export function findClasses(
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
    const scalar = scalars + (<usize>number << 5);
    let place = <usize>(hash(scalar) >> <u64>(64 - tableBits));
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
      if (equal(scalar, scalars + (<usize>representative << 5))) {
        store<u32>(classes + (<usize>k << 2), known);
        break;
      }
      place = (place + 1) & mask;
    }
  }
  return found;
}

/** Drops the references that are 0 (sums at infinity) and the numbers that belong to them. Returns how many are left. */
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

/** A hash whose high bits depend on every bit of the scalar, by products with odd constants (digits of the golden ratio and others). */
// @ts-ignore: decorator
@inline
function hash(scalar: usize): u64 {
  let h = load<u64>(scalar) * 0x9e3779b97f4a7c15;
  h = (h ^ (h >> 32) ^ load<u64>(scalar, 8)) * 0xbf58476d1ce4e5b9;
  h = (h ^ (h >> 32) ^ load<u64>(scalar, 16)) * 0x94d049bb133111eb;
  return (h ^ (h >> 32) ^ load<u64>(scalar, 24)) * 0x9e3779b97f4a7c15;
}

// @ts-ignore: decorator
@inline
function equal(a: usize, b: usize): bool {
  return (
    load<u64>(a) == load<u64>(b) &&
    load<u64>(a, 8) == load<u64>(b, 8) &&
    load<u64>(a, 16) == load<u64>(b, 16) &&
    load<u64>(a, 24) == load<u64>(b, 24)
  );
}
