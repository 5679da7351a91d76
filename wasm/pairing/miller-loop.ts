import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { Fq12 } from '../field/fq12';
import { Fq } from '../generated/bn254-fq';
import { G2_3B, LOOP, LOOP_COUNT } from '../generated/bn254-pairing';
import { psi } from './twist';

// Scratch elements of Fq2.
const A: usize = memory.data(80);
const B: usize = memory.data(80);
const C: usize = memory.data(80);
const E: usize = memory.data(80);
const F: usize = memory.data(80);
const H: usize = memory.data(80);
const J: usize = memory.data(80);
const S: usize = memory.data(80);
// The line of a step: its coefficients of 1, w and w^3.
const L0: usize = memory.data(80);
const L1: usize = memory.data(80);
const L3: usize = memory.data(80);
// A point to be added, affine.
const Q: usize = memory.data(2 * 80);

/**
 * A pair in memory: -x and y of P in G1, affine, as in Fq; Q in G2, affine; T, the multiple of Q that the loop has come to, in homogeneous
 * coordinates (x = X / Z, y = Y / Z), as in Fq2.
 */
@unmanaged
export class Pair {
  get size(): usize {
    return this.t + 3 * the<Fq2>().size;
  }

  /** Where Q begins. */
  get q(): usize {
    return 2 * the<Fq>().size;
  }

  /** Where T begins. */
  get t(): usize {
    return this.q + 2 * the<Fq2>().size;
  }
}

/**
 * f = the product over `count` pairs of the functions of the optimal ate pairing, f_{6x+2,Q}(P) and the lines through [6x+2] Q, psi(Q)
 * and -psi^2(Q) (Vercauteren, "Optimal pairings", 2008/096, section IV.B), the pairs sharing the squarings; up to factors in F_p^2,
 * which the final exponentiation sends to 1. Q is of order r, and neither point infinity. For no pairs it is 1.
 */
export function millerLoop(f: usize, pairs: usize, count: i32): void {
  const fq12 = the<Fq12>();
  const end = pairs + <usize>count * the<Pair>().size;
  fq12.setOne(f);
  for (let pair = pairs; pair < end; pair += the<Pair>().size) startMultiple(pair);
  for (let i = LOOP_COUNT - 2; i >= 0; i--) {
    const digit = load<i8>(LOOP + <usize>i);
    fq12.sqr(f, f);
    for (let pair = pairs; pair < end; pair += the<Pair>().size) {
      doubleMultiple(f, pair);
      if (digit == 0) continue;
      copyPoint(Q, pair + the<Pair>().q, digit < 0);
      addToMultiple(f, pair, Q);
    }
  }
  for (let pair = pairs; pair < end; pair += the<Pair>().size) {
    psi(Q, pair + the<Pair>().q);
    addToMultiple(f, pair, Q);
    psi(Q, Q);
    copyPoint(Q, Q, true);
    addToMultiple(f, pair, Q);
  }
}

/** T = Q. */
function startMultiple(pair: usize): void {
  const t = pair + the<Pair>().t;
  copyPoint(t, pair + the<Pair>().q, false);
  the<Fq2>().setOne(t + 2 * the<Fq2>().size);
}

/** r = negative ? -a : a. */
function copyPoint(r: usize, a: usize, negative: bool): void {
  const fq2 = the<Fq2>();
  fq2.copy(r, a);
  if (negative) fq2.neg(r + fq2.size, a + fq2.size);
  else fq2.copy(r + fq2.size, a + fq2.size);
}

/**
 * T = 2 T, and f times the tangent at T, taken at P: 2 Y Z y - 3 X^2 x w + (Y^2 - 3 b Z^2) w^3 (Costello, Lange, Naehrig, "Faster
 * pairing computations on curves with high-degree twists", 2009/615; in the form of Aranha, Karabina, Longa, Gebotys, Lopez, "Faster
 * explicit formulas for computing pairings over ordinary curves", 2010/526, section 4, with 4 T for T).
 */
function doubleMultiple(f: usize, pair: usize): void {
  const fq2 = the<Fq2>();
  const n = fq2.size;
  const x = pair + the<Pair>().t;
  const y = x + n;
  const z = y + n;
  fq2.mul(A, x, y);
  fq2.sqr(B, y);
  fq2.sqr(C, z);
  fq2.mul(E, C, G2_3B);
  fq2.mul(H, y, z);
  fq2.dbl(H, H);
  fq2.sqr(J, x);
  fq2.dbl(S, J);
  fq2.add(J, S, J);
  fq2.scale(L0, H, pair + the<Fq>().size);
  fq2.scale(L1, J, pair);
  fq2.sub(L3, B, E);
  the<Fq12>().mulByLine(f, f, L0, L1, L3);
  // F = 3 E; X = 2 A (B - F), Y = (B + F)^2 - 12 E^2, Z = 4 B H.
  fq2.dbl(F, E);
  fq2.add(F, F, E);
  fq2.sub(S, B, F);
  fq2.dbl(A, A);
  fq2.mul(x, A, S);
  fq2.mul(S, E, F);
  fq2.dbl(S, S);
  fq2.add(F, B, F);
  fq2.sqr(F, F);
  fq2.sub2(y, F, S, S);
  fq2.dbl(B, B);
  fq2.dbl(H, H);
  fq2.mul(z, B, H);
}

/**
 * T = T + Q for an affine Q other than T and -T, and f times the line through them, taken at P: with theta = Y - y_Q Z and lambda =
 * X - x_Q Z it is lambda y - theta x w + (theta x_Q - lambda y_Q) w^3 (2010/526, section 4).
 */
function addToMultiple(f: usize, pair: usize, q: usize): void {
  const fq2 = the<Fq2>();
  const n = fq2.size;
  const x = pair + the<Pair>().t;
  const y = x + n;
  const z = y + n;
  // A = theta, B = lambda.
  fq2.mul(S, q + n, z);
  fq2.sub(A, y, S);
  fq2.mul(S, q, z);
  fq2.sub(B, x, S);
  fq2.scale(L0, B, pair + the<Fq>().size);
  fq2.scale(L1, A, pair);
  fq2.mul(L3, A, q);
  fq2.mul(S, B, q + n);
  fq2.sub(L3, L3, S);
  the<Fq12>().mulByLine(f, f, L0, L1, L3);
  // E = lambda^3, F = Z theta^2, H = X lambda^2; J = E + F - 2 H, X = lambda J, Y = theta (H - J) - E Y, Z = Z E.
  fq2.sqr(C, B);
  fq2.mul(E, B, C);
  fq2.mul(H, x, C);
  fq2.sqr(S, A);
  fq2.mul(F, z, S);
  fq2.add(J, E, F);
  fq2.sub2(J, J, H, H);
  fq2.mul(x, B, J);
  fq2.sub(H, H, J);
  fq2.mul(H, A, H);
  fq2.mul(S, E, y);
  fq2.sub(y, H, S);
  fq2.mul(z, z, E);
}
