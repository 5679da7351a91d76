import { bigintToBytes, bytesToBigint, joinBytes, writeBigint } from '../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { inverse } from '../../sdk/curves/modular.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { type GeneratorMultiples, secret } from '../cpu/setup/make-key.js';
import type { PlonkCircuit } from './chain.js';
import { permutationValues } from './permutation.js';
import { type KeyPolynomial, plonkZkeyFile } from './zkey-file.js';

const R = bn254.fr.modulus;
const MONTGOMERY = (1n << 256n) % R;
const FROM_MONTGOMERY = inverse(MONTGOMERY, R);

/** snarkjs' keys have powers of tau up to n + 5, and evaluations on a domain of 4 n elements. */
const EXTRA_POWERS = 6;
const EXTENSION = 4;

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
  const n = 2 ** circuit.log;
  const tau = secret('tau');
  const column = (name: 'qm' | 'ql' | 'qr' | 'qo' | 'qc') => circuit.gates.map((gate) => gate[name]);
  const onDomain = [...(['qm', 'ql', 'qr', 'qo', 'qc'] as const).map(column), ...permutationValues(circuit)];
  const polynomials: KeyPolynomial[] = [];
  for (const values of onDomain) polynomials.push(await interpolate(kernel, values, n));
  const atTau: bigint[] = [];
  for (const { coefficients } of polynomials) atTau.push(await evaluate(kernel, coefficients, tau));
  const lagrange: KeyPolynomial[] = [];
  for (let i = 0; i < circuit.publicSignals; i++) {
    lagrange.push(await interpolate(kernel, [...new Array<bigint>(i).fill(0n), 1n], n));
  }
  const powers = [1n];
  while (powers.length < n + EXTRA_POWERS) powers.push((powers.at(-1)! * tau) % R);
  return plonkZkeyFile({
    circuit,
    polynomials,
    lagrange,
    commitments: await multiples.of('g1', atTau),
    tau2: await multiples.of('g2', [tau]),
    powers: await multiples.of('g1', powers),
  });
}

/**
 * The polynomial with these values on the domain of n elements, zeros behind them, in the form of a .zkey. A transform
 * of the values' Montgomery forms gives those of its result.
 */
async function interpolate(kernel: Kernel, onDomain: readonly bigint[], n: number): Promise<KeyPolynomial> {
  const values = new Uint8Array(n * SCALAR_BYTES);
  for (const [i, value] of onDomain.entries()) {
    if (value !== 0n) writeBigint(values, i * SCALAR_BYTES, SCALAR_BYTES, (value * MONTGOMERY) % R);
  }
  const coefficients = await kernel.transform({ values, direction: 'inverse' });
  const extended = joinBytes([coefficients, new Uint8Array((EXTENSION - 1) * values.length)]);
  return { coefficients, evaluations: await kernel.transform({ values: extended, direction: 'forward' }) };
}

/** The value of a polynomial with coefficients in Montgomery form. */
async function evaluate(kernel: Kernel, coefficients: Uint8Array, at: bigint): Promise<bigint> {
  const [x, carries] = [at, 0n].map((value) => bigintToBytes(value, SCALAR_BYTES)) as [Uint8Array, Uint8Array];
  const value = await kernel.hornerCarries({ coefficients, first: 0, x, carries });
  return (bytesToBigint(value) * FROM_MONTGOMERY) % R;
}
