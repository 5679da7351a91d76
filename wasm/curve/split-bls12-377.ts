import { BITS, HALF, MASK, storeHalf } from './endomorphism';
import { G0, G1, G2, G3, G4, L0, L1, L2, L3, L4 } from '../generated/bls12-377-endomorphism';

// On BLS12-377 r = lambda^2 + lambda + 1, so the short vectors are (lambda, -1) and (1, lambda + 1). Division by lambda,
//   k = k1 + c lambda, c = k / lambda, rounded,
// gives a k1 that is short and a c between 0 and lambda + 1. From c = 2^125 on, the second vector is taken away from both: k2 = c, or
// k1 - 1 and k2 = c - (lambda + 1). Exact for whatever c. For k < r it differs from the quotient by at most 1/2 + 2^-6: cutting off k's
// lowest 120 bits costs less than 2^-6.1, rounding G 2^-18, columns left out 2^-27. With lambda = 1.081 * 2^126 that makes
// |k1| <= (1/2 + 2^-6) lambda + 1 < 0.56 * 2^126 and |k2| <= lambda + 1 - 2^125 < 0.59 * 2^126.

/**
 * Splits the scalars of 32 bytes with numbers list[from..to), in ascending order: k1 and k2 of the k-th take place k of the same array,
 * 16 bytes each, absolute values with the sign in the highest bit.
 */
export function splitScalars(scalars: usize, list: usize, from: i32, to: i32): void {
  for (let k = from; k < to; k++) {
    const scalar = scalars + (<usize>load<u32>(list + (<usize>k << 2)) << 5);
    const half = scalars + (<usize>k << 5);
    const w0 = load<u64>(scalar);
    const w1 = load<u64>(scalar, 8);
    const w2 = load<u64>(scalar, 16);
    const w3 = load<u64>(scalar, 24);
    const k0: i64 = w0 & MASK;
    const k1: i64 = (w0 >> 30) & MASK;
    const k2: i64 = ((w0 >> 60) | (w1 << 4)) & MASK;
    const k3: i64 = (w1 >> 26) & MASK;
    const k4: i64 = ((w1 >> 56) | (w2 << 8)) & MASK;
    const k5: i64 = (w2 >> 22) & MASK;
    const k6: i64 = ((w2 >> 52) | (w3 << 12)) & MASK;
    const k7: i64 = (w3 >> 18) & MASK;
    const k8: i64 = w3 >> 48;

    // c = floor(k / 2^120) G / 2^150, rounded, from column 3 on.
    let t = k4 * G3 + k5 * G2 + k6 * G1 + k7 * G0;
    t = (t >> BITS) + k4 * G4 + k5 * G3 + k6 * G2 + k7 * G1 + k8 * G0 + HALF;
    t = (t >> BITS) + k5 * G4 + k6 * G3 + k7 * G2 + k8 * G1;
    const c0 = t & MASK;
    t = (t >> BITS) + k6 * G4 + k7 * G3 + k8 * G2;
    const c1 = t & MASK;
    t = (t >> BITS) + k7 * G4 + k8 * G3;
    const c2 = t & MASK;
    t = (t >> BITS) + k8 * G4;
    const c3 = t & MASK;
    const c4 = t >> BITS;
    // Whether c is 2^125 or more.
    const high = i64(c4 >= 32);

    // k - c lambda - high, of which 128 bits count.
    t = k0 - c0 * L0 - high;
    let x0 = t & MASK;
    t = (t >> BITS) + k1 - c0 * L1 - c1 * L0;
    let x1 = t & MASK;
    t = (t >> BITS) + k2 - c0 * L2 - c1 * L1 - c2 * L0;
    let x2 = t & MASK;
    t = (t >> BITS) + k3 - c0 * L3 - c1 * L2 - c2 * L1 - c3 * L0;
    let x3 = t & MASK;
    t = (t >> BITS) + k4 - c0 * L4 - c1 * L3 - c2 * L2 - c3 * L1 - c4 * L0;
    storeHalf(half, x0, x1, x2, x3, t);

    // c - high (lambda + 1).
    t = c0 - high * (L0 + 1);
    x0 = t & MASK;
    t = (t >> BITS) + c1 - high * L1;
    x1 = t & MASK;
    t = (t >> BITS) + c2 - high * L2;
    x2 = t & MASK;
    t = (t >> BITS) + c3 - high * L3;
    x3 = t & MASK;
    t = (t >> BITS) + c4 - high * L4;
    storeHalf(half + 16, x0, x1, x2, x3, t);
  }
}
