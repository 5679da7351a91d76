import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 as nobleBn254 } from '@noble/curves/bn254.js';
import { bytesToBigint } from '../../sdk/base/bytes.js';
import { bls12381, bn254, type CurveParameters } from '../../sdk/curves/index.js';

/** A point of G1 or G2 in snarkjs' JSON form. */
export type JsonG1 = string[];
export type JsonG2 = string[][];

export const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * Reads compressed points as arkworks writes them, by noble's square roots: little-endian on BN254, in Zcash's form on
 * BLS12-381.
 */
export function arkworksReader(curve: CurveParameters) {
  const { coordinateBytes: size, fq, g1: group1, g2: group2 } = curve;
  const { Fp, Fp2 } = curve.id === bls12381.id ? bls12_381.fields : nobleBn254.fields;
  const isZcash = curve.id !== bn254.id;
  const p = fq.modulus;

  /** The coefficients of x, and whether y is the larger root. */
  const readX = (bytes: Uint8Array): { x: bigint[]; isLarger: boolean } => {
    const plain = isZcash ? bytes.slice().reverse() : bytes.slice();
    const flags = plain.at(-1)!;
    plain[plain.length - 1]! &= isZcash ? 0x1f : 0x3f;
    const x = Array.from({ length: bytes.length / size }, (_, i) => bytesToBigint(plain, i * size, size));
    return { x, isLarger: (flags & (isZcash ? 0x20 : 0x80)) !== 0 };
  };
  const isLargerRoot = (y: readonly bigint[]): boolean => 2n * ([...y].reverse().find((c) => c !== 0n) ?? 0n) > p;

  return {
    g1(bytes: Uint8Array): JsonG1 {
      const { x, isLarger } = readX(bytes);
      const y = Fp.sqrt(Fp.add(Fp.pow(x[0]!, 3n), group1.b));
      return [String(x[0]), String(isLargerRoot([y]) === isLarger ? y : p - y), '1'];
    },
    g2(bytes: Uint8Array): JsonG2 {
      const { x, isLarger } = readX(bytes);
      const [c0, c1] = x as [bigint, bigint];
      const [b0, b1] = group2!.b;
      const root = Fp2.sqrt(Fp2.add(Fp2.pow({ c0, c1 }, 3n), { c0: b0, c1: b1 }));
      const y = isLargerRoot([root.c0, root.c1]) === isLarger ? root : Fp2.neg(root);
      return [[c0, c1].map(String), [y.c0, y.c1].map(String), ['1', '0']];
    },
  };
}

/** Cuts bytes into pieces of these lengths. */
export function cut(bytes: Uint8Array, ...lengths: number[]): Uint8Array[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return bytes.slice(at - length, at);
  });
}
