// The state of the hash, kept between calls of `round`.
let v0: u64 = 0;
let v1: u64 = 0;
let v2: u64 = 0;
let v3: u64 = 0;

/** One SipRound. */
function round(): void {
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
}

/**
 * SipHash-2-4 of the eight bytes of a number, under the key of 16 bytes at `key`: a keyed pseudorandom function (Aumasson, Bernstein, "SipHash:
 * a fast short-input PRF", 2012/351, section 2).
 */
export function sipHash(key: usize, number: u64): u64 {
  const k0 = load<u64>(key);
  const k1 = load<u64>(key, 8);
  v0 = k0 ^ 0x736f6d6570736575;
  v1 = k1 ^ 0x646f72616e646f6d;
  v2 = k0 ^ 0x6c7967656e657261;
  v3 = k1 ^ 0x7465646279746573;
  v3 ^= number;
  round();
  round();
  v0 ^= number;
  // The last block has the length of the message, 8 bytes, in its highest byte.
  const last: u64 = 8 << 56;
  v3 ^= last;
  round();
  round();
  v0 ^= last;
  v2 ^= 0xff;
  round();
  round();
  round();
  round();
  return v0 ^ v1 ^ v2 ^ v3;
}
