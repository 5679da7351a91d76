import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { inverse, power } from '../../sdk/curves/modular.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { rootOfDomain } from '../../sdk/polynomials/domain.js';
import { type GeneratorMultiples, secret } from '../cpu/setup/make-key.js';
import type { PlonkCircuit } from './chain.js';
import { circuitPolynomials, evaluate, type KeyPolynomial, powersOf } from './key-polynomial.js';
import { type FflonkKeyParts, fflonkZkeyFile } from './zkey-file.js';

const R = bn254.fr.modulus;

/** The last elements of the domain belong to no gate: there the wires are random, which blinds them. */
const BLINDED_ELEMENTS = 2;
/** C0 holds so many polynomials. */
const COMBINED = 8;

/**
 * The .zkey of an FFLONK key (2021/1167, section 7) over BN254 with a known tau, as in `makePlonkKey`: correct but not
 * secure.
 */
export async function makeFflonkKey(
  circuit: PlonkCircuit,
  kernel: Kernel,
  multiples: GeneratorMultiples,
): Promise<Uint8Array> {
  const n = 2 ** circuit.log;
  const tau = secret('tau');
  const { selectors, permutation, lagrange } = await circuitPolynomials(circuit, kernel, BLINDED_ELEMENTS);
  const { ql, qr, qm, qo, qc } = selectors;
  const c0 = combined([ql, qr, qo, qm, qc, ...permutation]);
  return fflonkZkeyFile({
    circuit,
    polynomials: [ql, qr, qm, qo, qc, ...permutation],
    lagrange,
    c0,
    roots: rootsOf(n),
    commitment: await multiples.of('g1', [evaluate(c0, tau)]),
    tau2: await multiples.of('g2', [tau]),
    // The longest polynomial that a proof commits to has 9 n + 18 coefficients.
    powers: await multiples.of('g1', powersOf(tau, 9 * n + 18)),
  });
}

/** The coefficients of the sum of X^i p_i(X^8), for eight polynomials p_i. */
function combined(polynomials: readonly KeyPolynomial[]): Uint8Array {
  const size = polynomials[0]!.coefficients.length;
  const bytes = new Uint8Array(COMBINED * size);
  for (const [i, { coefficients }] of polynomials.entries()) {
    for (let at = 0; at < size; at += SCALAR_BYTES) {
      bytes.set(coefficients.subarray(at, at + SCALAR_BYTES), COMBINED * at + i * SCALAR_BYTES);
    }
  }
  return bytes;
}

/** Roots of unity of order 3, 4 and 8, and a cube root of the root that generates the domain, as snarkjs has them. */
function rootsOf(n: number): FflonkKeyParts['roots'] {
  const root = rootOfDomain('bn254', n);
  return [
    // 5 generates the multiplicative group.
    power(5n, (2n * (R - 1n)) / 3n, R),
    rootOfDomain('bn254', 4),
    rootOfDomain('bn254', 8),
    power(root, inverse(3n, BigInt(n)), R),
  ];
}
