// Inverses modulo an odd prime p by the extended binary greatest common divisor. A round takes BITS steps, looking only
// at the lowest and the highest bits of both numbers (Pornin, "Optimized Binary GCD for Modular Inversion", 2020/972,
// algorithm 2). The running time depends on the number. Integers are arrays of limbs of BITS bits.
//
// At first a is the number and b is p. At all times a = u * number and b = v * number (mod p). A round finds a pair of
// factors f, g for each of a and b, with |f| + |g| <= 2^BITS, such that 2^BITS divides f a + g b. The same combination
// of u and v is divided by 2^BITS after a multiple of p is added to it.

import { MOST_LIMBS } from '../generated/scratch';
import { approximate, BITS, isZero, MASK, negate } from './binary-gcd';


// a and b have limbs of u32 and are not negative. u and v have limbs of i64, of which the highest has a sign. A round
// raises the bound of their absolute values by p at most, and there are at most two rounds for each limb. So they stay
// below 2 p times the number of limbs, for which the generator checks that products stay below 2^63
// (scripts/generate/wasm/field-bounds.ts).
const A: usize = memory.data(4 * MOST_LIMBS);
const B: usize = memory.data(4 * MOST_LIMBS);
const U: usize = memory.data(8 * MOST_LIMBS);
const V: usize = memory.data(8 * MOST_LIMBS);

/** The factors of a round. */
let f0: i64 = 0;
let g0: i64 = 0;
let f1: i64 = 0;
let g1: i64 = 0;

/**
 * r = 1 / a mod p, from 0 to p - 1; 0 if `a` is a multiple of p. `a` is below 2p, `modulus` has p's limbs (i32 each),
 * and `negativeInverse` is -1/p mod 2^29. `r` may be `a`.
 */
export function invertModulo(r: usize, a: usize, modulus: usize, limbs: i32, negativeInverse: i64): void {
  for (let i: i32 = 0; i < limbs; i++) {
    store<u32>(A + (<usize>i << 2), load<u32>(a + (<usize>i << 2)));
    store<u32>(B + (<usize>i << 2), load<u32>(modulus + (<usize>i << 2)));
    store<i64>(U + (<usize>i << 3), i == 0 ? 1 : 0);
    store<i64>(V + (<usize>i << 3), 0);
  }
  let top = limbs - 1;
  for (;;) {
    while (top > 0 && (load<u32>(A + (<usize>top << 2)) | load<u32>(B + (<usize>top << 2))) == 0) top--;
    if (top == 0 && load<u32>(A) == 0) break;
    if (isZero(A, top)) break;
    findFactors(top);
    combine(top);
    combineModulo(modulus, limbs, negativeInverse);
  }
  // Bring v to the range from 0 to p - 1.
  const highest = V + (<usize>(limbs - 1) << 3);
  while (load<i64>(highest) < 0) addMultiple(modulus, limbs, 1);
  for (;;) {
    addMultiple(modulus, limbs, -1);
    if (load<i64>(highest) < 0) break;
  }
  addMultiple(modulus, limbs, 1);
  for (let i: i32 = 0; i < limbs; i++) store<u32>(r + (<usize>i << 2), <u32>load<i64>(V + (<usize>i << 3)));
}

/**
 * Finds the factors of a round. In each of its BITS steps, a is halved; if it is odd, the smaller of a and b is first
 * subtracted from the larger.
 */
function findFactors(top: i32): void {
  const size = 32 - clz(load<u32>(A + (<usize>top << 2)) | load<u32>(B + (<usize>top << 2)));
  let a = approximate(A, top, size);
  let b = approximate(B, top, size);
  let fa: i64 = 1;
  let ga: i64 = 0;
  let fb: i64 = 0;
  let gb: i64 = 1;
  let left: i64 = BITS;
  for (;;) {
    const zeros = min(ctz<i64>(<i64>a | (<i64>1 << left)), left);
    a >>= zeros;
    fb <<= zeros;
    gb <<= zeros;
    left -= zeros;
    if (left == 0) break;
    if (a < b) {
      const t = a;
      a = b;
      b = t;
      const tf = fa;
      fa = fb;
      fb = tf;
      const tg = ga;
      ga = gb;
      gb = tg;
    }
    a -= b;
    fa -= fb;
    ga -= gb;
  }
  f0 = fa;
  g0 = ga;
  f1 = fb;
  g1 = gb;
}

/** a and b become |f a + g b| / 2^BITS. If the sum was negative, the signs of its factors are changed, too. */
function combine(top: i32): void {
  let ca: i64 = 0;
  let cb: i64 = 0;
  for (let i: i32 = 0; i <= top; i++) {
    const at = <usize>i << 2;
    const a = <i64>load<u32>(A + at);
    const b = <i64>load<u32>(B + at);
    ca += f0 * a + g0 * b;
    cb += f1 * a + g1 * b;
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
}

/** u and v become (f u + g v) / 2^BITS modulo p. */
function combineModulo(modulus: usize, limbs: i32, negativeInverse: i64): void {
  const u = load<i64>(U);
  const v = load<i64>(V);
  const mu = ((f0 * u + g0 * v) * negativeInverse) & MASK;
  const mv = ((f1 * u + g1 * v) * negativeInverse) & MASK;
  let cu: i64 = 0;
  let cv: i64 = 0;
  for (let i: i32 = 0; i < limbs; i++) {
    const at = <usize>i << 3;
    const u = load<i64>(U + at);
    const v = load<i64>(V + at);
    const p = <i64>load<u32>(modulus + (<usize>i << 2));
    cu += f0 * u + g0 * v + mu * p;
    cv += f1 * u + g1 * v + mv * p;
    if (i > 0) {
      store<i64>(U + at - 8, cu & MASK);
      store<i64>(V + at - 8, cv & MASK);
    }
    cu >>= BITS;
    cv >>= BITS;
  }
  store<i64>(U + (<usize>(limbs - 1) << 3), cu);
  store<i64>(V + (<usize>(limbs - 1) << 3), cv);
}

/** v += sign p. */
function addMultiple(modulus: usize, limbs: i32, sign: i64): void {
  let carry: i64 = 0;
  for (let i: i32 = 0; i < limbs - 1; i++) {
    const at = V + (<usize>i << 3);
    carry += load<i64>(at) + sign * <i64>load<u32>(modulus + (<usize>i << 2));
    store<i64>(at, carry & MASK);
    carry >>= BITS;
  }
  const at = V + (<usize>(limbs - 1) << 3);
  store<i64>(at, load<i64>(at) + carry + sign * <i64>load<u32>(modulus + (<usize>(limbs - 1) << 2)));
}
