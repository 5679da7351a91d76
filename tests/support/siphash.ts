/** SipHash-2-4 of eight bytes by BigInt. */
export function sipHash(key: readonly number[], number: bigint): bigint {
  const mask = (1n << 64n) - 1n;
  const rotate = (x: bigint, by: bigint) => ((x << by) | (x >> (64n - by))) & mask;
  const word = (from: number) => key.slice(from, from + 8).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const [k0, k1] = [word(0), word(8)];
  let [v0, v1] = [k0 ^ 0x736f6d6570736575n, k1 ^ 0x646f72616e646f6dn];
  let [v2, v3] = [k0 ^ 0x6c7967656e657261n, k1 ^ 0x7465646279746573n];
  const rounds = (count: number): void => {
    for (let i = 0; i < count; i++) {
      v0 = (v0 + v1) & mask;
      v1 = rotate(v1, 13n) ^ v0;
      v0 = rotate(v0, 32n);
      v2 = (v2 + v3) & mask;
      v3 = rotate(v3, 16n) ^ v2;
      v0 = (v0 + v3) & mask;
      v3 = rotate(v3, 21n) ^ v0;
      v2 = (v2 + v1) & mask;
      v1 = rotate(v1, 17n) ^ v2;
      v2 = rotate(v2, 32n);
    }
  };
  for (const block of [number, 8n << 56n]) {
    v3 ^= block;
    rounds(2);
    v0 ^= block;
  }
  v2 ^= 0xffn;
  rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}
