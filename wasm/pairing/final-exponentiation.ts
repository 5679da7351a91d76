import { the } from '../field/field';
import { Fq12 } from '../field/fq12';
import { PARAMETER, PARAMETER_COUNT } from '../generated/bn254-pairing';

// Scratch elements of Fq12.
const M: usize = memory.data(448);
const X: usize = memory.data(448);
const X2: usize = memory.data(448);
const X3: usize = memory.data(448);
const A: usize = memory.data(448);
const B: usize = memory.data(448);
const POWER: usize = memory.data(448);
const INVERSE: usize = memory.data(448);

/**
 * r = f^(k (p^12 - 1) / r), r the order of the groups and k = 2 x (6 x^2 + 3 x + 1), which is prime to it: 1 just where the reduced
 * pairing is 1, and 0 for 0.
 *
 * The easy part is m = f^((p^6 - 1)(p^2 + 1)). The hard part, k (p^4 - p^2 + 1) / r, is
 * (1 + 6x + 12x^2 + 12x^3) + (4x + 6x^2 + 12x^3) p + (6x + 6x^2 + 12x^3) p^2 + (-1 + 4x + 6x^2 + 12x^3) p^3
 * (Fuentes-Castaneda, Knapp, Rodriguez-Henriquez, "Faster hashing to G2", SAC 2011, section 5): three powers by x.
 */
export function finalExponentiation(r: usize, f: usize): void {
  const fq12 = the<Fq12>();
  fq12.invert(A, f);
  fq12.conjugate(B, f);
  fq12.mul(A, A, B);
  fq12.frobenius(B, A);
  fq12.frobenius(B, B);
  fq12.mul(M, A, B);
  // From here on in the cyclotomic subgroup. X2 = m^(6x^2), X3 = m^(12x^3), and at first X = m^(2x), X2 = m^(6x).
  powerByParameter(X, M);
  fq12.cyclotomicSqr(X, X);
  fq12.cyclotomicSqr(X2, X);
  fq12.mul(A, X2, X);
  powerByParameter(X2, A);
  fq12.cyclotomicSqr(B, X2);
  powerByParameter(X3, B);
  // A = m^(6x + 6x^2 + 12x^3), B = m^(4x + 6x^2 + 12x^3).
  fq12.mul(A, A, X2);
  fq12.mul(A, A, X3);
  fq12.conjugate(X, X);
  fq12.mul(B, A, X);
  // r = B^(p) A^(p^2) (B / m)^(p^3) (A m^(1 + 6x^2)), by Horner's rule in p.
  fq12.conjugate(X, M);
  fq12.mul(X, B, X);
  fq12.frobenius(X, X);
  fq12.mul(X, X, A);
  fq12.frobenius(X, X);
  fq12.mul(X, X, B);
  fq12.frobenius(X, X);
  fq12.mul(A, A, X2);
  fq12.mul(A, A, M);
  fq12.mul(r, X, A);
}

/** r = a^x in the cyclotomic subgroup. */
function powerByParameter(r: usize, a: usize): void {
  const fq12 = the<Fq12>();
  memory.copy(POWER, a, fq12.size);
  fq12.conjugate(INVERSE, a);
  memory.copy(r, a, fq12.size);
  for (let i = PARAMETER_COUNT - 2; i >= 0; i--) {
    fq12.cyclotomicSqr(r, r);
    const digit = load<i8>(PARAMETER + <usize>i);
    if (digit != 0) fq12.mul(r, r, digit > 0 ? POWER : INVERSE);
  }
}
