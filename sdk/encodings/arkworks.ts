import type { Groth16ProofJson, Groth16VerificationKeyJson } from '../api/index.js';
import { bigintToBytes, joinBytes } from '../base/bytes.js';
import { OptionReader } from '../base/option-reader.js';
import { bls12381, bn254, type Curve, SCALAR_BYTES } from '../curves/index.js';
import { ARKWORKS_FORMATS, PointWriter } from './compressed-points.js';
import { expectCurve, proofPoints, publicSignalValues, verificationKeyPoints } from './points.js';

/** Whether points are compressed. Default true. */
export interface CompressionOptions {
  readonly compressed?: boolean;
}

/** A proof and its public signals as bytes of another library. */
export interface EncodedProof {
  readonly proof: Uint8Array;
  /** The public signals, one after another in 32 bytes each. */
  readonly publicInputs: Uint8Array;
}

/**
 * A proof as arkworks' `CanonicalSerialize` writes `ark_groth16::Proof` (a, b, c), with `ark-bn254` or `ark-bls12-381` 0.4 and later: compressed, or
 * uncompressed. Compressed it has 128 bytes on BN254, 192 on BLS12-381. The public inputs are elements of Fr, little-endian, without the length that
 * arkworks writes before a `Vec`.
 *
 * `MALFORMED_FILE` and `CURVE_MISMATCH` for what is not a proof over one of these curves, `INVALID_POINT` for a coordinate that is not below p and a
 * point that is not on its curve, `INVALID_SCALAR` for a signal that is not from 0 to r - 1, `INVALID_ARGUMENT` for other options.
 */
export function toArkworks(
  proof: Groth16ProofJson,
  publicSignals: readonly string[],
  options?: CompressionOptions,
): EncodedProof {
  const { a, b, c, curve } = proofPoints(proof);
  const writer = arkworksWriter(curve, options);
  const signals = publicSignalValues(publicSignals, curve.id);
  return {
    proof: joinBytes([writer.g1(a), writer.g2(b), writer.g1(c)]),
    publicInputs: joinBytes(signals.map((signal) => bigintToBytes(signal, SCALAR_BYTES))),
  };
}

/**
 * A verification key as arkworks writes `ark_groth16::VerifyingKey`: alpha_g1, beta_g2, gamma_g2, delta_g2, and gamma_abc_g1 after its length (u64,
 * little-endian). Errors as in `toArkworks`.
 */
export function arkworksVerificationKey(
  verificationKey: Groth16VerificationKeyJson,
  options?: CompressionOptions,
): Uint8Array {
  const { alpha1, beta2, gamma2, delta2, ic, curve } = verificationKeyPoints(verificationKey);
  const writer = arkworksWriter(curve, options);
  return joinBytes([
    writer.g1(alpha1),
    ...[beta2, gamma2, delta2].map((point) => writer.g2(point)),
    bigintToBytes(BigInt(ic.length), 8),
    ...ic.map((point) => writer.g1(point)),
  ]);
}

/** Reads `CompressionOptions`; `INVALID_ARGUMENT` for other options. */
export function isCompressed(options: CompressionOptions | undefined): boolean {
  const reader = new OptionReader(options, 'the options');
  const compressed = reader.flag('compressed', true);
  reader.expectNoOthers();
  return compressed;
}

function arkworksWriter(curve: Curve, options: CompressionOptions | undefined): PointWriter {
  const compressed = isCompressed(options);
  expectCurve(curve, 'arkworks', [bn254.id, bls12381.id]);
  return new PointWriter(curve, ARKWORKS_FORMATS[curve.id]!, compressed);
}
