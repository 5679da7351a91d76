import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { type GeneratorMultiples, secret } from '../cpu/setup/make-key.js';
import type { PlonkCircuit } from './chain.js';
import { circuitPolynomials, evaluate, powersOf } from './key-polynomial.js';
import { plonkZkeyFile } from './zkey-file.js';

/** snarkjs' keys have powers of tau up to n + 5. */
const EXTRA_POWERS = 6;

/**
 * The .zkey of a PLONK key (2019/953, section 8.1) over BN254 whose tau is known, so that it takes no ceremony: a
 * commitment is the polynomial's value at tau, times the generator. The key is correct but not secure: anyone can forge
 * proofs for it.
 */
export async function makePlonkKey(
  circuit: PlonkCircuit,
  kernel: Kernel,
  multiples: GeneratorMultiples,
): Promise<Uint8Array> {
  const tau = secret('tau');
  const { selectors, permutation, lagrange } = await circuitPolynomials(circuit, kernel, 0);
  const { qm, ql, qr, qo, qc } = selectors;
  const polynomials = [qm, ql, qr, qo, qc, ...permutation];
  const atTau = polynomials.map(({ coefficients }) => evaluate(coefficients, tau));
  return plonkZkeyFile({
    circuit,
    polynomials,
    lagrange,
    commitments: await multiples.of('g1', atTau),
    tau2: await multiples.of('g2', [tau]),
    powers: await multiples.of('g1', powersOf(tau, 2 ** circuit.log + EXTRA_POWERS)),
  });
}
