import { the } from '../field/field';

/**
 * Brings `count` scalars (below the odd order r) from Montgomery form to canonical form, in place: s R becomes s, where
 * R is 2 to the bits of the words of a scalar, 2^256 for 32 bytes. The class S has the size of scalars. Word by word a
 * multiple of r is added that makes the lowest word 0, which is then dropped (Montgomery, "Modular multiplication
 * without trial division", Math. Comp. 44, 1985). `inverse` is -1 / r mod 2^32. The result is below r: it could only be
 * r itself for the scalar 0, whose multiples are all 0.
 */
export function canonicalScalars<S>(scalars: usize, count: i32, order: usize, inverse: u32): void {
  const size: usize = the<S>().size;
  const end = scalars + <usize>count * size;
  for (let scalar = scalars; scalar < end; scalar += size) {
    for (let round: usize = 0; round < size; round += 4) {
      const lowest = load<u32>(scalar);
      const factor: u64 = lowest * inverse;
      let carry = (<u64>lowest + factor * load<u32>(order)) >> 32;
      for (let word: usize = 4; word < size; word += 4) {
        const sum = <u64>load<u32>(scalar + word) + factor * load<u32>(order + word) + carry;
        store<u32>(scalar + word - 4, <u32>sum);
        carry = sum >> 32;
      }
      store<u32>(scalar + size - 4, <u32>carry);
    }
  }
}
