import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { EXTENDED } from '../generated/scratch';
import { Weierstrass, ZeroA } from '../curve/weierstrass';

// Sums of the group over F.
const TERM: usize = memory.data(4 * EXTENDED);
const NEGATED: usize = memory.data(4 * EXTENDED);
// A scratch element.
const T: usize = memory.data(EXTENDED);

/**
 * r = psi(a) for an affine point of the twist: the Frobenius map (x, y) -> (x^p, y^p) of the curve over F_p^12,
 * transferred to the twist by the map from the twist to the curve, which is (x, y) -> (w^2 x, w^3 y) for a D-type twist
 * and (x / w^2, y / w^3) for an M-type twist.
 */
export function psi<Base, Constants>(r: usize, a: usize): void {
  const f = the<Fq2<Base>>();
  const n = f.size;
  f.conjugate(r, a);
  f.mul(r, r, the<Constants>().psiX);
  f.conjugate(r + n, a + n);
  f.mul(r + n, r + n, the<Constants>().psiY);
}

/** sum = [x] sum for a sum on y^2 = x^3 + b over F, where x is the parameter of the family, with its sign. */
export function multiplyByParameter<F, Constants>(sum: usize): void {
  const group = the<Weierstrass<F, ZeroA>>();
  const constants = the<Constants>();
  const n = the<F>().size;
  memory.copy(TERM, sum, group.sumSize);
  memory.copy(NEGATED, sum, group.sumSize);
  the<F>().neg(NEGATED + n, sum + n);
  for (let i = constants.parameterCount - 2; i >= 0; i--) {
    group.dbl(sum, sum);
    const digit = load<i8>(constants.parameter + <usize>i);
    if (digit != 0) group.add(sum, sum, digit > 0 ? TERM : NEGATED);
  }
  if (constants.isParameterNegative) the<F>().neg(sum + n, sum + n);
}

/** Whether the affine point at `point` equals the sum at `sum`; false if the sum is infinity. */
export function isAffineOf<F>(sum: usize, point: usize): bool {
  const f = the<F>();
  const n = f.size;
  if (f.isZero(sum + 2 * n)) return false;
  f.mul(T, point, sum + 2 * n);
  if (!f.equals(T, sum)) return false;
  f.mul(T, point + n, sum + 3 * n);
  return f.equals(T, sum + n);
}
