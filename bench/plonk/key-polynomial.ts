import { bytesToBigint, joinBytes, writeBigint } from '../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { inverse } from '../../sdk/curves/modular.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import type { Gate, PlonkCircuit } from './chain.js';
import { permutationValues } from './permutation.js';

const R = bn254.fr.modulus;
const MONTGOMERY = (1n << 256n) % R;
const FROM_MONTGOMERY = inverse(MONTGOMERY, R);

/** A key has evaluations on a domain of 4 n elements. */
const EXTENSION = 4;

/** A polynomial's n coefficients and its values on the domain of 4 n elements, in Montgomery form. */
export interface KeyPolynomial {
  readonly coefficients: Uint8Array;
  readonly evaluations: Uint8Array;
}

/** The polynomials of a circuit's arithmetization: the selectors of the gates, and the permutation's S1, S2, S3. */
export interface CircuitPolynomials {
  readonly selectors: Readonly<Record<keyof Omit<Gate, 'wires'>, KeyPolynomial>>;
  readonly permutation: readonly KeyPolynomial[];
  /** The Lagrange polynomials of the public signals. */
  readonly lagrange: readonly KeyPolynomial[];
}

/** @param blinded how many elements at the domain's end belong to no gate and are not permuted. */
export async function circuitPolynomials(
  circuit: PlonkCircuit,
  kernel: Kernel,
  blinded: number,
): Promise<CircuitPolynomials> {
  const n = 2 ** circuit.log;
  const selector = (name: keyof CircuitPolynomials['selectors']) =>
    interpolate(
      kernel,
      circuit.gates.map((gate) => gate[name]),
      n,
    );
  const selectors = {
    qm: await selector('qm'),
    ql: await selector('ql'),
    qr: await selector('qr'),
    qo: await selector('qo'),
    qc: await selector('qc'),
  };
  const permutation: KeyPolynomial[] = [];
  for (const values of permutationValues(circuit, blinded)) permutation.push(await interpolate(kernel, values, n));
  const lagrange: KeyPolynomial[] = [];
  for (let i = 0; i < circuit.publicSignals; i++) {
    lagrange.push(await interpolate(kernel, [...new Array<bigint>(i).fill(0n), 1n], n));
  }
  return { selectors, permutation, lagrange };
}

/**
 * The polynomial with these values on the domain of n elements, zeros behind them, in the form of a .zkey. A transform
 * is linear: values in Montgomery form give coefficients in Montgomery form.
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
export function evaluate(coefficients: Uint8Array, at: bigint): bigint {
  let value = 0n;
  for (let i = coefficients.length - SCALAR_BYTES; i >= 0; i -= SCALAR_BYTES) {
    value = (value * at + bytesToBigint(coefficients, i, SCALAR_BYTES)) % R;
  }
  return (value * FROM_MONTGOMERY) % R;
}

/** tau^i for i from 0 to count - 1. */
export function powersOf(tau: bigint, count: number): bigint[] {
  const powers = [1n];
  while (powers.length < count) powers.push((powers.at(-1)! * tau) % R);
  return powers;
}
