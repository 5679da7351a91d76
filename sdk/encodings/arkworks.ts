import type { Groth16ProofJson, Groth16VerificationKeyJson } from '../api/index.js';
import { bigintToBytes, joinBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
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
 * A proof as arkworks' `CanonicalSerialize` writes `ark_groth16::Proof` (a, b, c), with `ark-bn254` or `ark-bls12-381`
 * 0.4 and later: compressed, or uncompressed. Compressed it has 128 bytes on BN254, 192 on BLS12-381. The public inputs
 * are elements of Fr, little-endian, without the length that arkworks writes before a `Vec`.
 *
 * `MALFORMED_FILE` and `CURVE_MISMATCH` for what is not a proof over one of these curves, `INVALID_POINT` for a
 * coordinate that is not below p and a point that is not on its curve, `INVALID_SCALAR` for a signal that is not from 0
 * to r - 1, `INVALID_ARGUMENT` for other options.
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
 * A verification key as arkworks writes `ark_groth16::VerifyingKey`: alpha_g1, beta_g2, gamma_g2, delta_g2, and
 * gamma_abc_g1 after its length (u64, little-endian). Errors as in `toArkworks`.
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

/** Sui's `public_proof_inputs_from_bytes` refuses more. */
const MOST_SIGNALS = 8;

/**
 * A proof and its public signals as the Move module `sui::groth16` takes them: `proof` for `proof_points_from_bytes`,
 * `publicInputs` for `public_proof_inputs_from_bytes`; over BN254 or BLS12-381. Errors as in `toArkworks`;
 * `INVALID_LENGTH` for more than 8 public signals.
 */
export function toSui(proof: Groth16ProofJson, publicSignals: readonly string[]): EncodedProof {
  if (Array.isArray(publicSignals) && publicSignals.length > MOST_SIGNALS) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected at most ${MOST_SIGNALS} public signals for Sui, got ${publicSignals.length}`,
      { hint: 'let the circuit hash its public signals to one' },
    );
  }
  return toArkworks(proof, publicSignals);
}

/** A verification key as `sui::groth16::prepare_verifying_key` takes it. Errors as in `toArkworks`. */
export function suiVerificationKey(verificationKey: Groth16VerificationKeyJson): Uint8Array {
  return arkworksVerificationKey(verificationKey);
}
