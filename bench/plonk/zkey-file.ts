import { joinBytes, writeBigint } from '../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { ADDITION_BYTES } from '../../sdk/polynomials/polynomials.js';
import { sectionFile } from '../cpu/setup/section-writer.js';
import { element, montgomery, numbers } from '../cpu/setup/zkey-file.js';
import type { PlonkCircuit } from './chain.js';
import type { KeyPolynomial } from './key-polynomial.js';
import { K1, K2 } from './permutation.js';

/** What the .zkey of either proof system holds. Points are in boundary form. */
interface KeyParts {
  readonly circuit: PlonkCircuit;
  /** The selectors and the permutation in the file's order: PLONK has Qm, Ql, Qr, Qo, Qc, FFLONK Ql, Qr, Qm, Qo, Qc. */
  readonly polynomials: readonly KeyPolynomial[];
  /** The Lagrange polynomials of the public signals. */
  readonly lagrange: readonly KeyPolynomial[];
  /** tau in G2, and its powers in G1. */
  readonly tau2: Uint8Array;
  readonly powers: Uint8Array;
}

/** What a PLONK .zkey holds. */
export interface PlonkKeyParts extends KeyParts {
  /** The commitments to the polynomials in G1, one after another. */
  readonly commitments: Uint8Array;
}

/** What an FFLONK .zkey holds. */
export interface FflonkKeyParts extends KeyParts {
  /** The coefficients of C0 in Montgomery form, and its commitment. */
  readonly c0: Uint8Array;
  readonly commitment: Uint8Array;
  /** w3, w4, w8 and wr. */
  readonly roots: readonly bigint[];
}

const PLONK = 2;
const FFLONK = 10;
const P = bn254.fq.modulus;
const R = bn254.fr.modulus;
/** The section of the first selector; each of the five has one, and then the permutation has its own. */
const FIRST_SELECTOR = 7;
const SELECTORS = 5;

/** A PLONK .zkey as snarkjs writes it. sdk/files/snarkjs/plonk-zkey.ts reads the same sections. */
export function plonkZkeyFile(parts: PlonkKeyParts): Uint8Array {
  const { polynomials, lagrange, powers, commitments, tau2 } = parts;
  return sectionFile('zkey', [
    ...gateSections(parts.circuit),
    ...polynomials.slice(0, SELECTORS).map((selector, i) => [FIRST_SELECTOR + i, polynomialBytes([selector])] as const),
    [12, polynomialBytes(polynomials.slice(SELECTORS))],
    [13, polynomialBytes(lagrange)],
    [14, montgomery(powers)],
    [1, numbers(PLONK)],
    [2, joinBytes([header(parts.circuit, [K1, K2]), montgomery(commitments), montgomery(tau2)])],
  ]);
}

/** An FFLONK .zkey as snarkjs writes it. sdk/files/snarkjs/fflonk-zkey.ts reads the same sections. */
export function fflonkZkeyFile(parts: FflonkKeyParts): Uint8Array {
  const { polynomials, lagrange, powers, c0, roots, tau2, commitment } = parts;
  return sectionFile('zkey', [
    [1, numbers(FFLONK)],
    ...gateSections(parts.circuit),
    ...polynomials.map((polynomial, i) => [FIRST_SELECTOR + i, polynomialBytes([polynomial])] as const),
    [15, polynomialBytes(lagrange)],
    [16, montgomery(powers)],
    [17, c0],
    [2, joinBytes([header(parts.circuit, [K1, K2, ...roots]), montgomery(tau2), montgomery(commitment)])],
  ]);
}

/** The additions, and the signals on the wires of the gates. */
function gateSections(circuit: PlonkCircuit): readonly (readonly [id: number, bytes: Uint8Array])[] {
  return [[3, additions(circuit)], ...[0, 1, 2].map((wire) => [4 + wire, wiresOf(circuit, wire)] as const)];
}

/** Moduli, counts and scalars. */
function header(circuit: PlonkCircuit, scalars: readonly bigint[]): Uint8Array {
  const { log, variables, publicSignals, additions, gates } = circuit;
  const moduli = [P, R].flatMap((modulus) => [numbers(bn254.coordinateBytes), element(modulus)]);
  const facts = numbers(variables + additions.length, publicSignals, 2 ** log, additions.length, gates.length);
  return joinBytes([...moduli, facts, ...scalars.map((value) => element(inMontgomery(value)))]);
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
