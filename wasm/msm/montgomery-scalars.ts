/**
 * Brings `count` scalars (8 u32 each, below the odd order r) from Montgomery form with R = 2^256 to canonical form, in place: s R becomes s.
 * Word by word a multiple of r is added that makes the lowest word 0, which is then dropped (Montgomery, "Modular multiplication without trial
 * division", Math. Comp. 44, 1985). `inverse` is -1 / r mod 2^32. The result is below r: it could only be r itself for the scalar 0, whose
 * multiples are all 0.
 */
export function canonicalScalars(scalars: usize, count: i32, order: usize, inverse: u32): void {
  const end = scalars + (<usize>count << 5);
  for (let scalar = scalars; scalar < end; scalar += 32) {
    for (let round = 0; round < 8; round++) {
      const lowest = load<u32>(scalar);
      const factor: u64 = lowest * inverse;
      let carry = (<u64>lowest + factor * load<u32>(order)) >> 32;
      for (let word: usize = 4; word < 32; word += 4) {
        const sum = <u64>load<u32>(scalar + word) + factor * load<u32>(order + word) + carry;
        store<u32>(scalar + word - 4, <u32>sum);
        carry = sum >> 32;
      }
      store<u32>(scalar, <u32>carry, 28);
    }
  }
}
