import { bn254 } from '../../../sdk/curves/index.js';
import { inverse, mod, power } from '../../../sdk/curves/modular.js';
import { rootOfUnity } from '../../../sdk/curves/root-of-unity.js';
import type { R1cs, Sum } from './r1cs.js';

const { modulus: R, twoAdicity } = bn254.fr;

/** A circuit's quadratic arithmetic program in Groth16: the values of its polynomials at a secret point. */
export interface Qap {
  readonly domainSize: number;
  /** a[i], b[i] and c[i] are the values of u_i, v_i and w_i, the polynomials of signal i. */
  readonly a: readonly bigint[];
  readonly b: readonly bigint[];
  readonly c: readonly bigint[];
  /**
   * The values of Lagrange polynomials over all 2n-th roots of unity, n = domainSize: those of the odd powers of the
   * primitive root.
   */
  readonly h: readonly bigint[];
}

/**
 * The number of rows: one for each constraint, and then one for 1 and for each public signal, with an entry 1 in A and
 * none in B and C. These keep the polynomials u_i of the public signals linearly independent.
 */
function rowsOf({ constraints, publicSignals }: R1cs): number {
  return constraints.length + publicSignals + 1;
}

/**
 * Evaluates the polynomials of Groth16 (ePrint 2016/260, section 3.2) at tau. The domain is that of snarkjs: its size
 * is the number of rows, rounded up to a power of 2.
 */
export function qapAt(circuit: R1cs, tau: bigint): Qap {
  const domainSize = 2 ** Math.ceil(Math.log2(rowsOf(circuit)));
  const lagrange = lagrangeAt(domainSize, tau);
  const sums = (pick: 'a' | 'b' | 'c'): bigint[] => {
    const totals = new Array<bigint>(circuit.variables).fill(0n);
    for (const [row, constraint] of circuit.constraints.entries()) addRow(totals, constraint[pick], lagrange[row]!);
    return totals;
  };
  const a = sums('a');
  for (let s = 0; s <= circuit.publicSignals; s++) a[s]! += lagrange[circuit.constraints.length + s]!;
  return {
    domainSize,
    a: a.map((value) => value % R),
    b: sums('b').map((value) => value % R),
    c: sums('c').map((value) => value % R),
    h: lagrangeAt(2 * domainSize, tau).filter((_, i) => i % 2 === 1),
  };
}

function addRow(totals: bigint[], sum: Sum, lagrange: bigint): void {
  for (const { signal, coefficient } of sum) totals[signal] = (totals[signal]! + coefficient * lagrange) % R;
}

/** L_i(tau) = w^i (tau^n - 1) / (n (tau - w^i)) for the n-th roots of unity w^i. All share one inversion. */
export function lagrangeAt(n: number, tau: bigint): bigint[] {
  const root = power(rootOfUnity(bn254.fr), 1n << BigInt(twoAdicity - Math.log2(n)), R);
  const roots = new Array<bigint>(n);
  const prefix = new Array<bigint>(n + 1);
  roots[0] = 1n;
  prefix[0] = 1n;
  for (let i = 0; i < n; i++) {
    if (i > 0) roots[i] = (roots[i - 1]! * root) % R;
    prefix[i + 1] = (prefix[i]! * mod(tau - roots[i]!, R)) % R;
  }
  const factor = ((power(tau, BigInt(n), R) - 1n) * inverse(BigInt(n), R)) % R;
  let inverted = inverse(prefix[n]!, R);
  const values = new Array<bigint>(n);
  for (let i = n - 1; i >= 0; i--) {
    values[i] = mod(((roots[i]! * factor) % R) * ((prefix[i]! * inverted) % R), R);
    inverted = (inverted * mod(tau - roots[i]!, R)) % R;
  }
  return values;
}
