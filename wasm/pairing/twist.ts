import { the } from '../field/field';
import { Fq2 } from '../field/fq2';
import { FROBENIUS, PARAMETER, PARAMETER_COUNT } from '../generated/bn254-pairing';
import { Weierstrass } from '../curve/weierstrass';

// Sums and bases of G2.
const MULTIPLE: usize = memory.data(4 * 80);
const TERM: usize = memory.data(4 * 80);
const NEGATED: usize = memory.data(4 * 80);
const IMAGE: usize = memory.data(2 * 80);
// A scratch element of Fq2.
const T: usize = memory.data(80);

/**
 * r = psi(a) of affine points of the twist: the Frobenius map (x, y) -> (x^p, y^p) of the curve over F_p^12, carried to the twist by
 * (x, y) -> (w^2 x, w^3 y).
 */
export function psi(r: usize, a: usize): void {
  const f = the<Fq2>();
  const n = f.size;
  f.conjugate(r, a);
  f.mul(r, r, FROBENIUS + n);
  f.conjugate(r + n, a + n);
  f.mul(r + n, r + n, FROBENIUS + 2 * n);
}

/**
 * Whether an affine point of the twist is in its subgroup of order r, by psi(Q) = [6 x^2] Q (El Housni, Guillevic, Piellard,
 * "Co-factor clearing and subgroup membership testing on pairing-friendly curves", 2022/352, section 4). On the whole twist
 * psi^2 - t psi + p = 0 with t = 6 x^2 + 1, p + 1 - t = r. So psi(Q) = [t - 1] Q gives [(t - 1)^2 - t (t - 1) + p] Q = [r] Q = 0; and
 * on the subgroup psi multiplies by p, which is t - 1 modulo r.
 */
export function isInSubgroup(point: usize): bool {
  const f = the<Fq2>();
  const group = the<Weierstrass<Fq2>>();
  const n = f.size;
  group.setIdentity(MULTIPLE);
  group.addBase(MULTIPLE, MULTIPLE, point, false);
  multiplyByParameter(MULTIPLE);
  multiplyByParameter(MULTIPLE);
  group.dbl(TERM, MULTIPLE);
  group.add(MULTIPLE, MULTIPLE, TERM);
  group.dbl(MULTIPLE, MULTIPLE);
  if (group.isIdentity(MULTIPLE)) return false;
  psi(IMAGE, point);
  f.mul(T, IMAGE, MULTIPLE + 2 * n);
  if (!f.equals(T, MULTIPLE)) return false;
  f.mul(T, IMAGE + n, MULTIPLE + 3 * n);
  return f.equals(T, MULTIPLE + n);
}

/** sum = [x] sum. */
function multiplyByParameter(sum: usize): void {
  const group = the<Weierstrass<Fq2>>();
  const n = the<Fq2>().size;
  memory.copy(TERM, sum, group.sumSize);
  memory.copy(NEGATED, sum, group.sumSize);
  the<Fq2>().neg(NEGATED + n, sum + n);
  for (let i = PARAMETER_COUNT - 2; i >= 0; i--) {
    group.dbl(sum, sum);
    const digit = load<i8>(PARAMETER + <usize>i);
    if (digit != 0) group.add(sum, sum, digit > 0 ? TERM : NEGATED);
  }
}
