import { the } from '../field/field';
import { EXTENDED } from '../generated/scratch';
import { Edwards } from './edwards';
import { Weierstrass } from './weierstrass';

// A scratch sum, and scratch elements. Each has room for an element of any field of the module.
const SUM: usize = memory.data(4 * EXTENDED);
const LEFT: usize = memory.data(EXTENDED);
const RIGHT: usize = memory.data(EXTENDED);
const TERM: usize = memory.data(EXTENDED);

/**
 * Whether a packed sum in XYZZ coordinates is a point of y^2 = x^3 + a x + b over F, with a in the class A and b at
 * address `b`: ZZ^3 = ZZZ^2 and Y^2 = X^3 + a X ZZ^2 + b ZZ^3. Infinity (ZZ = 0) is.
 */
export function isSumOnWeierstrass<F, A>(sum: usize, b: usize): bool {
  const f = the<F>();
  const n = f.size;
  the<Weierstrass<F, A>>().loadSum(SUM, sum);
  const zz = SUM + 2 * n;
  if (f.isZero(zz)) return true;
  f.sqr(TERM, zz);
  f.mul(LEFT, TERM, zz);
  f.sqr(RIGHT, SUM + 3 * n);
  if (!f.equals(LEFT, RIGHT)) return false;
  f.sqr(RIGHT, SUM);
  if (!the<A>().isZero) {
    f.mul(TERM, TERM, the<A>().value);
    f.add(RIGHT, RIGHT, TERM);
  }
  f.mul(RIGHT, RIGHT, SUM);
  f.mul(LEFT, LEFT, b);
  f.add(RIGHT, RIGHT, LEFT);
  f.sqr(LEFT, SUM + n);
  return f.equals(LEFT, RIGHT);
}

/**
 * Whether a packed sum in extended coordinates is a point of -X^2 + Y^2 = 1 + d X^2 Y^2 over Base, with d of Form: Z is
 * not 0, X Y = Z T and Y^2 - X^2 = Z^2 + d T^2.
 */
export function isSumOnEdwards<Base, Form>(sum: usize): bool {
  const f = the<Base>();
  const n = f.size;
  the<Edwards<Base, Form>>().loadSum(SUM, sum);
  const z = SUM + 2 * n;
  const t = SUM + 3 * n;
  if (f.isZero(z)) return false;
  f.mul(LEFT, SUM, SUM + n);
  f.mul(RIGHT, z, t);
  if (!f.equals(LEFT, RIGHT)) return false;
  f.sqr(RIGHT, t);
  f.mul(RIGHT, RIGHT, the<Form>().d);
  f.sqr(TERM, z);
  f.add(RIGHT, RIGHT, TERM);
  f.sqr(LEFT, SUM + n);
  f.sqr(TERM, SUM);
  f.sub(LEFT, LEFT, TERM);
  return f.equals(LEFT, RIGHT);
}
