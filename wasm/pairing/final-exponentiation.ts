import { the } from '../field/field';
import { Fq12 } from '../field/fq12';
import { EXTENDED } from '../generated/scratch';

// Scratch elements of Fq12.
const A: usize = memory.data(6 * EXTENDED);
const B: usize = memory.data(6 * EXTENDED);
const M: usize = memory.data(6 * EXTENDED);
const POWER: usize = memory.data(6 * EXTENDED);
const INVERSE: usize = memory.data(6 * EXTENDED);

/**
 * r = f^(k (p^12 - 1) / r), where the r in the exponent is the order of the groups, and k is a number prime to it that
 * depends on the curve's family. The result is 1 exactly if the reduced pairing is 1, and 0 for 0. The easy part is m =
 * f^((p^6 - 1)(p^2 + 1)); the family does the hard part.
 */
export function finalExponentiation<Base, Constants, Family>(r: usize, f: usize): void {
  const fq12 = the<Fq12<Base, Constants>>();
  fq12.invert(A, f);
  fq12.conjugate(B, f);
  fq12.mul(A, A, B);
  fq12.frobenius(B, A);
  fq12.frobenius(B, B);
  fq12.mul(M, A, B);
  the<Family>().raiseToHardPart(r, M);
}

/** r = a^x in the cyclotomic subgroup, x being the parameter of the family, with its sign. */
export function powerByParameter<Base, Constants>(r: usize, a: usize): void {
  const fq12 = the<Fq12<Base, Constants>>();
  const constants = the<Constants>();
  memory.copy(POWER, a, fq12.size);
  fq12.conjugate(INVERSE, a);
  memory.copy(r, a, fq12.size);
  for (let i = constants.parameterCount - 2; i >= 0; i--) {
    fq12.cyclotomicSqr(r, r);
    const digit = load<i8>(constants.parameter + <usize>i);
    if (digit != 0) fq12.mul(r, r, digit > 0 ? POWER : INVERSE);
  }
  if (constants.isParameterNegative) fq12.conjugate(r, r);
}
