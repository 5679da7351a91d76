// Inverses for the witness code of circom 2, by the extended binary greatest common divisor in rounds of 29 steps (see
// ../field/inverse.ts). All arrays lie where circom's own function keeps its intermediate results, from byte 320 to the
// modulus at byte 608.

import { approximate, BITS, isZero, MASK, negate } from '../field/binary-gcd';
import { LIMB_0, LIMB_1, LIMB_2, LIMB_3, LIMB_4, LIMB_5, LIMB_6, LIMB_7, LIMB_8, NEGATIVE_INVERSE } from './modulus';
import { isBelowModulus } from '../generated/circuit-product';

const LIMBS: i32 = 9;
const MODULUS: usize = 608;

// a and b have limbs of u32; p, u and v have limbs of i64, of which the highest of u and v has a sign.
const A: usize = 320;
const B: usize = A + 4 * 9;
const P: usize = B + 4 * 9;
const U: usize = P + 8 * 9;
const V: usize = U + 8 * 9;

/** The function that circom's code has. */
@external('circuit', 'Fr_int_inverseMod')
declare function inverseOfCircuit(x: usize, modulus: usize, r: usize): void;

/** r = 1 / x modulo the number at `modulus`: 32 bytes each. */
export function inverse(x: usize, modulus: usize, r: usize): void {
  const w0 = load<u64>(x);
  const w1 = load<u64>(x, 8);
  const w2 = load<u64>(x, 16);
  const w3 = load<u64>(x, 24);
  if (modulus != MODULUS || (w0 | w1 | w2 | w3) == 0 || !isBelowModulus(w0, w1, w2, w3)) {
    inverseOfCircuit(x, modulus, r);
    return;
  }
  begin(w0, w1, w2, w3);
  let top = LIMBS - 1;
  for (;;) {
    while (top > 0 && (limb(A, top) | limb(B, top)) == 0) top--;
    if (isZero(A, top)) break;
    round(top);
  }
  // Bring v to the range from 0 to p - 1.
  const highest = V + 8 * (LIMBS - 1);
  while (load<i64>(highest) < 0) addModulus(1);
  for (;;) {
    addModulus(-1);
    if (load<i64>(highest) < 0) break;
  }
  addModulus(1);
  storeWords(r);
}

// @ts-ignore: decorator
@inline
function limb(a: usize, i: i32): u32 {
  return load<u32>(a + (<usize>i << 2));
}

function begin(w0: u64, w1: u64, w2: u64, w3: u64): void {
  const mask: u64 = MASK;
  store<u32>(A, <u32>(w0 & mask));
  store<u32>(A, <u32>((w0 >> 29) & mask), 4);
  store<u32>(A, <u32>(((w0 >> 58) | (w1 << 6)) & mask), 8);
  store<u32>(A, <u32>((w1 >> 23) & mask), 12);
  store<u32>(A, <u32>(((w1 >> 52) | (w2 << 12)) & mask), 16);
  store<u32>(A, <u32>((w2 >> 17) & mask), 20);
  store<u32>(A, <u32>(((w2 >> 46) | (w3 << 18)) & mask), 24);
  store<u32>(A, <u32>((w3 >> 11) & mask), 28);
  store<u32>(A, <u32>(w3 >> 40), 32);
  store<u64>(P, LIMB_0);
  store<u64>(P, LIMB_1, 8);
  store<u64>(P, LIMB_2, 16);
  store<u64>(P, LIMB_3, 24);
  store<u64>(P, LIMB_4, 32);
  store<u64>(P, LIMB_5, 40);
  store<u64>(P, LIMB_6, 48);
  store<u64>(P, LIMB_7, 56);
  store<u64>(P, LIMB_8, 64);
  for (let i: i32 = 0; i < LIMBS; i++) {
    store<u32>(B + (<usize>i << 2), load<u32>(P + (<usize>i << 3)));
    store<i64>(U + (<usize>i << 3), i == 0 ? 1 : 0);
    store<i64>(V + (<usize>i << 3), 0);
  }
}

/** BITS steps: finds factors of a and b by their highest and lowest bits, and applies them to a, b, u and v. */
function round(top: i32): void {
  const size = 32 - clz(limb(A, top) | limb(B, top));
  let a = approximate(A, top, size);
  let b = approximate(B, top, size);
  let f0: i64 = 1;
  let g0: i64 = 0;
  let f1: i64 = 0;
  let g1: i64 = 1;
  let left: i64 = BITS;
  for (;;) {
    const zeros = min(ctz<i64>(<i64>a | (<i64>1 << left)), left);
    a >>= zeros;
    f1 <<= zeros;
    g1 <<= zeros;
    left -= zeros;
    if (left == 0) break;
    if (a < b) {
      const t = a;
      a = b;
      b = t;
      const tf = f0;
      f0 = f1;
      f1 = tf;
      const tg = g0;
      g0 = g1;
      g1 = tg;
    }
    a -= b;
    f0 -= f1;
    g0 -= g1;
  }
  // a and b become |f a + g b| / 2^BITS.
  let ca: i64 = 0;
  let cb: i64 = 0;
  for (let i: i32 = 0; i <= top; i++) {
    const at = <usize>i << 2;
    const x = <i64>load<u32>(A + at);
    const y = <i64>load<u32>(B + at);
    ca += f0 * x + g0 * y;
    cb += f1 * x + g1 * y;
    if (i > 0) {
      store<u32>(A + at - 4, <u32>(ca & MASK));
      store<u32>(B + at - 4, <u32>(cb & MASK));
    }
    ca >>= BITS;
    cb >>= BITS;
  }
  store<u32>(A + (<usize>top << 2), <u32>(ca & MASK));
  store<u32>(B + (<usize>top << 2), <u32>(cb & MASK));
  if (ca < 0) {
    negate(A, top);
    f0 = -f0;
    g0 = -g0;
  }
  if (cb < 0) {
    negate(B, top);
    f1 = -f1;
    g1 = -g1;
  }
  combineModulo(f0, g0, f1, g1);
}

/** u and v become (f u + g v) / 2^BITS modulo p. */
function combineModulo(f0: i64, g0: i64, f1: i64, g1: i64): void {
  const u = load<i64>(U);
  const v = load<i64>(V);
  const mu = ((f0 * u + g0 * v) * <i64>NEGATIVE_INVERSE) & MASK;
  const mv = ((f1 * u + g1 * v) * <i64>NEGATIVE_INVERSE) & MASK;
  let cu: i64 = 0;
  let cv: i64 = 0;
  for (let i: i32 = 0; i < LIMBS; i++) {
    const at = <usize>i << 3;
    const x = load<i64>(U + at);
    const y = load<i64>(V + at);
    const p = load<i64>(P + at);
    cu += f0 * x + g0 * y + mu * p;
    cv += f1 * x + g1 * y + mv * p;
    if (i > 0) {
      store<i64>(U + at - 8, cu & MASK);
      store<i64>(V + at - 8, cv & MASK);
    }
    cu >>= BITS;
    cv >>= BITS;
  }
  store<i64>(U + 8 * (LIMBS - 1), cu);
  store<i64>(V + 8 * (LIMBS - 1), cv);
}

/** v += sign p. */
function addModulus(sign: i64): void {
  let carry: i64 = 0;
  for (let i: i32 = 0; i < LIMBS - 1; i++) {
    const at = V + (<usize>i << 3);
    carry += load<i64>(at) + sign * load<i64>(P + (<usize>i << 3));
    store<i64>(at, carry & MASK);
    carry >>= BITS;
  }
  const at = V + 8 * (LIMBS - 1);
  store<i64>(at, load<i64>(at) + carry + sign * load<i64>(P + 8 * (LIMBS - 1)));
}

/** The words of v, which is from 0 to p - 1. */
function storeWords(r: usize): void {
  const v0 = load<u64>(V);
  const v1 = load<u64>(V, 8);
  const v2 = load<u64>(V, 16);
  const v3 = load<u64>(V, 24);
  const v4 = load<u64>(V, 32);
  const v5 = load<u64>(V, 40);
  const v6 = load<u64>(V, 48);
  const v7 = load<u64>(V, 56);
  const v8 = load<u64>(V, 64);
  store<u64>(r, v0 | (v1 << 29) | (v2 << 58));
  store<u64>(r, (v2 >> 6) | (v3 << 23) | (v4 << 52), 8);
  store<u64>(r, (v4 >> 12) | (v5 << 17) | (v6 << 46), 16);
  store<u64>(r, (v6 >> 18) | (v7 << 11) | (v8 << 40), 24);
}
