/**
 * BigInt arithmetic modulo a prime: for constants, for single values, and as the reference that kernels are tested
 * against. It is slow.
 */

/** The representative of `a` in 0..m-1. */
export function mod(a: bigint, m: bigint): bigint {
  const r = a % m;
  return r < 0n ? r + m : r;
}

/** a^e mod m, e >= 0. */
export function power(a: bigint, e: bigint, m: bigint): bigint {
  let result = 1n;
  let base = mod(a, m);
  for (let rest = e; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * base) % m;
    base = (base * base) % m;
  }
  return result;
}

/** 1 / a mod m for a prime to m, by the extended Euclidean algorithm. 0 has no inverse and gives 0. */
export function inverse(a: bigint, m: bigint): bigint {
  let [r0, r1] = [m, mod(a, m)];
  let [t0, t1] = [0n, 1n];
  while (r1 !== 0n) {
    const q = r0 / r1;
    [r0, r1] = [r1, r0 - q * r1];
    [t0, t1] = [t1, t0 - q * t1];
  }
  return r0 === 1n ? mod(t0, m) : 0n;
}
