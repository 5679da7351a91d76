import { BITS, HALF, MASK, storeHalf } from './endomorphism';
import {
  A0,
  A1,
  A2,
  A3,
  A4,
  B0,
  B1,
  B2,
  B3,
  B4,
  G0,
  G1,
  G2,
  G3,
  G4,
  H0,
  H1,
  H2,
  M0,
  M1,
  M2,
} from '../generated/bn254-endomorphism';

// The endomorphism (x, y) -> (beta x, y), which multiplies by lambda, halves the length of BN254's scalars: k = k1 + k2 lambda (mod r)
// (Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient endomorphisms", CRYPTO 2001).
// With the short vectors (A, M) and (M, -B), c1 = B k / r and c2 = M k / r, rounded, it is
//   k1 = k - c1 A - c2 M, k2 = c2 B - c1 M,
// exact for whatever c1 and c2. For k < r these differ from the quotients by at most 1/2 + 2^-16: cutting off k's lowest bits costs less
// than 2^-36, rounding G and H 2^-17, columns left out 2^-27. Hence |k1| <= (1/2 + 2^-16) (A + M) and |k2| <= (1/2 + 2^-16) (B + M), both
// below 0.87 * 2^126.

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

    // c = floor(k / 2^90) G / 2^180, rounded, from column 4 on.
    let t = k3 * G4 + k4 * G3 + k5 * G2 + k6 * G1 + k7 * G0;
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

    // d = floor(k / 2^150) H / 2^120, rounded, from column 2 on.
    t = k5 * H2 + k6 * H1 + k7 * H0;
    t = (t >> BITS) + k6 * H2 + k7 * H1 + k8 * H0 + HALF;
    t = (t >> BITS) + k7 * H2 + k8 * H1;
    const d0 = t & MASK;
    t = (t >> BITS) + k8 * H2;
    const d1 = t & MASK;
    const d2 = t >> BITS;

    // k - c A - d M, of which 128 bits count.
    t = k0 - c0 * A0 - d0 * M0;
    let x0 = t & MASK;
    t = (t >> BITS) + k1 - c0 * A1 - c1 * A0 - d0 * M1 - d1 * M0;
    let x1 = t & MASK;
    t = (t >> BITS) + k2 - c0 * A2 - c1 * A1 - c2 * A0 - d0 * M2 - d1 * M1 - d2 * M0;
    let x2 = t & MASK;
    t = (t >> BITS) + k3 - c0 * A3 - c1 * A2 - c2 * A1 - c3 * A0 - d1 * M2 - d2 * M1;
    let x3 = t & MASK;
    t = (t >> BITS) + k4 - c0 * A4 - c1 * A3 - c2 * A2 - c3 * A1 - c4 * A0 - d2 * M2;
    storeHalf(half, x0, x1, x2, x3, t);

    // d B - c M.
    t = d0 * B0 - c0 * M0;
    x0 = t & MASK;
    t = (t >> BITS) + d0 * B1 + d1 * B0 - c0 * M1 - c1 * M0;
    x1 = t & MASK;
    t = (t >> BITS) + d0 * B2 + d1 * B1 + d2 * B0 - c0 * M2 - c1 * M1 - c2 * M0;
    x2 = t & MASK;
    t = (t >> BITS) + d0 * B3 + d1 * B2 + d2 * B1 - c1 * M2 - c2 * M1 - c3 * M0;
    x3 = t & MASK;
    t = (t >> BITS) + d0 * B4 + d1 * B3 + d2 * B2 - c2 * M2 - c3 * M1 - c4 * M0;
    storeHalf(half + 16, x0, x1, x2, x3, t);
  }
}
