import { CURVES, type CurveId } from '../../curves/index.js';
import { inverse, mod, power } from '../../curves/modular.js';
import type { DomainOfKey } from '../../files/snarkjs/plonk-domain.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import type { OpeningPoints } from './remainders.js';

/**
 * The member `inv` of snarkjs' proofs: the inverse of the product of all divisors of its verifier in Solidity, which
 * inverts them with it in one batch. 0 if one of them is 0.
 *
 * They are Z_H(xi), n (xi - w^i) for each public signal (at least one), Z_S1(y), Z_S2(y), and the denominators of the
 * Lagrange polynomials over the opening sets. Over the m-th roots x_i of xi these are m x_0^(m-2) x_-i (y - x_i); their
 * product is -m^m xi^(m-1) (y^m - xi) for m = 8 and 4. Over S2 they are 3 x_0 x_-i (xi - xi w) (y - x_i), and the same
 * with xi and xi w exchanged.
 */
export function solidityInverse(
  curve: CurveId,
  { domainSize, publicSignals }: Pick<DomainOfKey, 'domainSize' | 'publicSignals'>,
  { xi, y }: OpeningPoints,
): bigint {
  const r = CURVES[curve].fr.modulus;
  const n = BigInt(domainSize);
  const w = rootOfDomain(curve, domainSize);
  const xiw = (xi * w) % r;
  const [y3, y4] = [power(y, 3n, r), power(y, 4n, r)];
  const s0 = y4 * y4 - xi;
  const s1 = y4 - xi;
  const s2 = (y3 - xi) * (y3 - xiw);
  const differences = (xi - xiw) ** 3n * (xiw - xi) ** 3n;
  let product = mod((power(xi, n, r) - 1n) * s1 * s2, r);
  product = mod(product * 8n ** 8n * xi ** 7n * s0 * 4n ** 4n * xi ** 3n * s1, r);
  product = mod(product * 27n ** 2n * xi ** 2n * xiw ** 2n * differences * s2, r);
  for (let i = 0, root = 1n; i < Math.max(1, publicSignals); i++, root = (root * w) % r) {
    product = mod(product * n * (xi - root), r);
  }
  return inverse(product, r);
}
