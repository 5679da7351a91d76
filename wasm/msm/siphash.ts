/** Rounds for each block of the message, and at the end. */
const BLOCK_ROUNDS: i32 = 2;
const LAST_ROUNDS: i32 = 4;

/** The last block of a message of 8 bytes: its length in the highest byte. */
const LAST_BLOCK: u64 = 8 << 56;

/**
 * SipHash-2-4 of the eight bytes of a number, under the key of 16 bytes at `key`: a keyed pseudorandom function
 * (Aumasson, Bernstein, "SipHash: a fast short-input PRF", 2012/351, section 2).
 */
export function sipHash(key: usize, number: u64): u64 {
  const k0 = load<u64>(key);
  const k1 = load<u64>(key, 8);
  let v0 = k0 ^ 0x736f6d6570736575;
  let v1 = k1 ^ 0x646f72616e646f6d;
  let v2 = k0 ^ 0x6c7967656e657261;
  let v3 = k1 ^ 0x7465646279746573 ^ number;
  for (let rounds: i32 = 1; rounds <= 2 * BLOCK_ROUNDS + LAST_ROUNDS; rounds++) {
    v0 += v1;
    v1 = rotl<u64>(v1, 13) ^ v0;
    v0 = rotl<u64>(v0, 32);
    v2 += v3;
    v3 = rotl<u64>(v3, 16) ^ v2;
    v0 += v3;
    v3 = rotl<u64>(v3, 21) ^ v0;
    v2 += v1;
    v1 = rotl<u64>(v1, 17) ^ v2;
    v2 = rotl<u64>(v2, 32);
    if (rounds == BLOCK_ROUNDS) {
      v0 ^= number;
      v3 ^= LAST_BLOCK;
    } else if (rounds == 2 * BLOCK_ROUNDS) {
      v0 ^= LAST_BLOCK;
      v2 ^= 0xff;
    }
  }
  return v0 ^ v1 ^ v2 ^ v3;
}
