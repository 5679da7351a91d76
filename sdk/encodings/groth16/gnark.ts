import type { Groth16ProofJson } from '../../api/index.js';
import { joinBytes } from '../../base/bytes.js';
import { bls12381, bn254, SCALAR_BYTES } from '../../curves/index.js';
import { bigEndian, expectCurve, proofPoints, publicSignalValues } from '../points.js';
import { type CompressionOptions, isCompressed } from './arkworks.js';
import { GNARK_FORMATS, PointWriter } from './compressed-points.js';

/** A proof and its public signals as gnark reads them. */
export interface GnarkProof {
  /** For `Proof.ReadFrom`. */
  readonly proof: Uint8Array;
  /** For `witness.ReadFrom`, a witness of public values alone. */
  readonly publicWitness: Uint8Array;
}

/**
 * A proof as gnark 0.9 and later writes it: Ar, Bs, Krs, an empty list of commitments and their proof of knowledge,
 * which is infinity. `compressed` (the default) is `WriteTo`, otherwise it is `WriteRawTo`; `ReadFrom` takes both. On
 * BN254 it has 164 bytes, or 324. The points alone are the first 128, or 256.
 *
 * The public witness is the numbers of public and of secret values, then the length of the list (u32 each) and its
 * values, all big-endian.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals the public signals as decimal or hexadecimal strings.
 * @param options whether points are compressed.
 * @returns the bytes of the proof, and of the public witness.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal that is not from 0 to r - 1.
 * @throws {PippinError} INVALID_ARGUMENT for options other than `compressed`.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { toGnark } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof, publicSignals } = JSON.parse(await readFile('proved.json', 'utf8'));
 * const { proof: bytes, publicWitness } = toGnark(proof, publicSignals);
 * console.log(bytes.length, publicWitness.length);
 * ```
 */
export function toGnark(
  proof: Groth16ProofJson,
  publicSignals: readonly string[],
  options?: CompressionOptions,
): GnarkProof {
  const { a, b, c, curve } = proofPoints(proof);
  expectCurve(curve, 'gnark', [bn254.id, bls12381.id]);
  const writer = new PointWriter(curve, GNARK_FORMATS[curve.id]!, isCompressed(options));
  const signals = publicSignalValues(publicSignals, curve.id);
  const u32 = (value: number): Uint8Array => bigEndian(BigInt(value), 4);
  return {
    proof: joinBytes([writer.g1(a), writer.g2(b), writer.g1(c), u32(0), writer.g1(undefined)]),
    publicWitness: joinBytes([
      u32(signals.length),
      u32(0),
      u32(signals.length),
      ...signals.map((signal) => bigEndian(signal, SCALAR_BYTES)),
    ]),
  };
}
