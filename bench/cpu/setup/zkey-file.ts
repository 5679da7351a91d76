import { bytesToBigint, joinBytes, writeBigint } from '../../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { COEFFICIENT_BYTES } from '../../../sdk/files/snarkjs/zkey.js';
import type { R1cs } from './r1cs.js';
import { sectionFile } from './section-writer.js';

/** What a .zkey holds. Points are in boundary form. */
export interface KeyParts {
  readonly circuit: R1cs;
  readonly domainSize: number;
  readonly alpha1: Uint8Array;
  readonly beta1: Uint8Array;
  readonly beta2: Uint8Array;
  readonly gamma2: Uint8Array;
  readonly delta1: Uint8Array;
  readonly delta2: Uint8Array;
  readonly ic: Uint8Array;
  readonly a: Uint8Array;
  readonly b1: Uint8Array;
  readonly b2: Uint8Array;
  readonly c: Uint8Array;
  readonly h: Uint8Array;
}

const GROTH16 = 1;
const P = bn254.fq.modulus;
const R = bn254.fr.modulus;
/** Bytes of the section on contributions: a circuit hash of 64 bytes, and the number 0 of contributions (u32). */
const EMPTY_HISTORY = 68;

/** A Groth16 .zkey as snarkjs writes it. sdk/files/snarkjs/zkey.ts reads the same sections. */
export function zkeyFile(parts: KeyParts): Uint8Array {
  return sectionFile('zkey', [
    [1, numbers(GROTH16)],
    [2, header(parts)],
    [3, montgomery(parts.ic)],
    [4, coefficients(parts.circuit)],
    [5, montgomery(parts.a)],
    [6, montgomery(parts.b1)],
    [7, montgomery(parts.b2)],
    [8, montgomery(parts.c)],
    [9, montgomery(parts.h)],
    [10, new Uint8Array(EMPTY_HISTORY)],
  ]);
}

function header({ circuit, domainSize, alpha1, beta1, beta2, gamma2, delta1, delta2 }: KeyParts): Uint8Array {
  const points = [alpha1, beta1, beta2, gamma2, delta1, delta2].map(montgomery);
  const moduli = [P, R].flatMap((modulus) => [numbers(bn254.coordinateBytes), element(modulus)]);
  return joinBytes([...moduli, numbers(circuit.variables, circuit.publicSignals, domainSize), ...points]);
}

/** The entries of A and B, row after row, and then the rows of 1 and of the public signals (qap.ts). */
function coefficients({ constraints, publicSignals }: R1cs): Uint8Array {
  const count = constraints.reduce((total, { a, b }) => total + a.length + b.length, publicSignals + 1);
  const bytes = new Uint8Array(4 + count * COEFFICIENT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, count, true);
  let at = 4;
  const put = (matrix: 0 | 1, row: number, signal: number, coefficient: bigint): void => {
    for (const [i, value] of [matrix, row, signal].entries()) view.setUint32(at + 4 * i, value, true);
    writeBigint(bytes, at + 12, SCALAR_BYTES, (coefficient << 512n) % R);
    at += COEFFICIENT_BYTES;
  };
  for (const [row, { a, b }] of constraints.entries()) {
    for (const { signal, coefficient } of a) put(0, row, signal, coefficient);
    for (const { signal, coefficient } of b) put(1, row, signal, coefficient);
  }
  for (let s = 0; s <= publicSignals; s++) put(0, constraints.length + s, s, 1n);
  return bytes;
}

/** The points with each coordinate x as x 2^256 mod p. */
export function montgomery(points: Uint8Array): Uint8Array {
  const result = new Uint8Array(points.length);
  for (let at = 0; at < points.length; at += bn254.coordinateBytes) {
    const value = bytesToBigint(points, at, bn254.coordinateBytes);
    writeBigint(result, at, bn254.coordinateBytes, (value << 256n) % P);
  }
  return result;
}

/** Numbers of 32 bits. */
export function numbers(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

/** A scalar or a coordinate as it is. */
export function element(value: bigint): Uint8Array {
  const bytes = new Uint8Array(SCALAR_BYTES);
  writeBigint(bytes, 0, SCALAR_BYTES, value);
  return bytes;
}
