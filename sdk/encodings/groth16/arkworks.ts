import type { Groth16ProofJson, Groth16VerificationKeyJson } from '../../api/index.js';
import { bigintToBytes, joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { OptionReader } from '../../base/option-reader.js';
import { bls12381, bn254, type Curve, SCALAR_BYTES } from '../../curves/index.js';
import { expectCurve, proofPoints, publicSignalValues, verificationKeyPoints } from '../points.js';
import { ARKWORKS_FORMATS, PointWriter } from './compressed-points.js';

/** Whether points are compressed. Default true. */
export interface CompressionOptions {
  /**
   * Whether points are compressed.
   *
   * @defaultValue true
   */
  readonly compressed?: boolean;
}

/** A proof and its public signals as bytes of another library. */
export interface EncodedProof {
  /** The points of the proof. */
  readonly proof: Uint8Array;
  /** The public signals, one after another in 32 bytes each. */
  readonly publicInputs: Uint8Array;
}

/**
 * A proof as arkworks' `CanonicalSerialize` writes `ark_groth16::Proof` (a, b, c), with `ark-bn254` or `ark-bls12-381`
 * 0.4 and later. Compressed it has 128 bytes on BN254, and 192 on BLS12-381. The public inputs are elements of Fr,
 * little-endian, without the length that arkworks writes before a `Vec`.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals the public signals as decimal or hexadecimal strings.
 * @param options whether points are compressed.
 * @returns the bytes of the proof, and of its public inputs.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal that is not from 0 to r - 1.
 * @throws {PippinError} INVALID_ARGUMENT for options other than `compressed`.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { toArkworks } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof, publicSignals } = JSON.parse(await readFile('proved.json', 'utf8'));
 * const { proof: bytes, publicInputs } = toArkworks(proof, publicSignals);
 * console.log(bytes.length, publicInputs.length);
 * ```
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
 * gamma_abc_g1 after its length (u64, little-endian).
 *
 * @param verificationKey the key in snarkjs' JSON form.
 * @param options whether points are compressed.
 * @returns the bytes of the key.
 * @throws {PippinError} MALFORMED_FILE for what is not a verification key in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_ARGUMENT for options other than `compressed`.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { arkworksVerificationKey } from 'pippin-prover/encodings';
 *
 * const verificationKey = JSON.parse(await readFile('note.vkey.json', 'utf8'));
 * const bytes = arkworksVerificationKey(verificationKey, { compressed: false });
 * console.log(bytes.length);
 * ```
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
 * `publicInputs` for `public_proof_inputs_from_bytes`, over BN254 or BLS12-381.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals at most 8 public signals, as decimal or hexadecimal strings.
 * @returns the bytes of the proof, and of its public inputs.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal that is not from 0 to r - 1.
 * @throws {PippinError} INVALID_LENGTH for more than 8 public signals.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { toSui } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof, publicSignals } = JSON.parse(await readFile('proved.json', 'utf8'));
 * const { proof: bytes, publicInputs } = toSui(proof, publicSignals.slice(0, 8));
 * console.log(bytes.length, publicInputs.length);
 * ```
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

/**
 * A verification key as `sui::groth16::prepare_verifying_key` takes it.
 *
 * @param verificationKey the key in snarkjs' JSON form.
 * @returns the bytes of the key.
 * @throws {PippinError} MALFORMED_FILE for what is not a verification key in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254 and BLS12-381.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { suiVerificationKey } from 'pippin-prover/encodings';
 *
 * const verificationKey = JSON.parse(await readFile('note.vkey.json', 'utf8'));
 * console.log(suiVerificationKey(verificationKey).length);
 * ```
 */
export function suiVerificationKey(verificationKey: Groth16VerificationKeyJson): Uint8Array {
  return arkworksVerificationKey(verificationKey);
}
