import { joinBytes, writeBigint } from '../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { ADDITION_BYTES } from '../../sdk/files/snarkjs/plonk-arithmetization.js';
import { sectionFile } from '../cpu/setup/section-writer.js';
import { element, montgomery, numbers } from '../cpu/setup/zkey-file.js';
import type { PlonkCircuit } from './chain.js';
import { K1, K2 } from './permutation.js';

/** A polynomial's n coefficients and its values on the domain of 4 n elements, in Montgomery form. */
export interface KeyPolynomial {
  readonly coefficients: Uint8Array;
  readonly evaluations: Uint8Array;
}

/** What a PLONK .zkey holds. Points are in boundary form. */
export interface PlonkKeyParts {
  readonly circuit: PlonkCircuit;
  /** Qm, Ql, Qr, Qo, Qc, S1, S2, S3. */
  readonly polynomials: readonly KeyPolynomial[];
  /** Their commitments in G1, one after another. */
  readonly commitments: Uint8Array;
  /** The Lagrange polynomials of the public signals. */
  readonly lagrange: readonly KeyPolynomial[];
  /** tau in G2, and its powers in G1. */
  readonly tau2: Uint8Array;
  readonly powers: Uint8Array;
}

const PLONK = 2;
const P = bn254.fq.modulus;
const R = bn254.fr.modulus;
/** The section of the first selector; each of the five has one, and then the permutation has its own. */
const FIRST_SELECTOR = 7;
const SELECTORS = 5;

/** A PLONK .zkey as snarkjs writes it. sdk/files/snarkjs/plonk-zkey.ts reads the same sections. */
export function plonkZkeyFile(parts: PlonkKeyParts): Uint8Array {
  const { circuit, polynomials, lagrange, powers } = parts;
  const selectors = polynomials.slice(0, SELECTORS);
  return sectionFile('zkey', [
    [3, additions(circuit)],
    ...[0, 1, 2].map((wire) => [4 + wire, wiresOf(circuit, wire)] as const),
    ...selectors.map((selector, i) => [FIRST_SELECTOR + i, polynomialBytes([selector])] as const),
    [12, polynomialBytes(polynomials.slice(SELECTORS))],
    [13, polynomialBytes(lagrange)],
    [14, montgomery(powers)],
    [1, numbers(PLONK)],
    [2, header(parts)],
  ]);
}

function header({ circuit, commitments, tau2 }: PlonkKeyParts): Uint8Array {
  const { log, variables, publicSignals, additions, gates } = circuit;
  const moduli = [P, R].flatMap((modulus) => [numbers(bn254.coordinateBytes), element(modulus)]);
  const facts = numbers(variables + additions.length, publicSignals, 2 ** log, additions.length, gates.length);
  const scalars = [K1, K2].map((value) => element(inMontgomery(value)));
  return joinBytes([...moduli, facts, ...scalars, montgomery(commitments), montgomery(tau2)]);
}

/** The signal on a wire of each gate. */
function wiresOf({ gates }: PlonkCircuit, wire: number): Uint8Array {
  return new Uint8Array(Uint32Array.from(gates, ({ wires }) => wires[wire]!).buffer);
}

function additions({ additions }: PlonkCircuit): Uint8Array {
  const bytes = new Uint8Array(additions.length * ADDITION_BYTES);
  for (const [i, { signals, factors }] of additions.entries()) {
    bytes.set(numbers(...signals), i * ADDITION_BYTES);
    for (const [j, factor] of factors.entries()) {
      writeBigint(bytes, i * ADDITION_BYTES + 8 + j * SCALAR_BYTES, SCALAR_BYTES, inMontgomery(factor));
    }
  }
  return bytes;
}

function polynomialBytes(polynomials: readonly KeyPolynomial[]): Uint8Array {
  return joinBytes(polynomials.flatMap(({ coefficients, evaluations }) => [coefficients, evaluations]));
}

function inMontgomery(value: bigint): bigint {
  return (value << 256n) % R;
}
