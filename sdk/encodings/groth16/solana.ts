import type { Groth16ProofJson, Groth16VerificationKeyJson } from '../../api/index.js';
import { bn254, SCALAR_BYTES } from '../../curves/index.js';
import type { G1Value } from '../../files/snarkjs/json-values.js';
import { evmPoint, evmTwistPoint } from '../ethereum.js';
import { bigEndian, expectCurve, proofPoints, publicSignalValues, verificationKeyPoints } from '../points.js';

/** A proof as the crate `groth16-solana` takes it. */
export interface SolanaProof {
  /** -A: 64 bytes. */
  readonly proofA: Uint8Array;
  /** 128 bytes. */
  readonly proofB: Uint8Array;
  /** 64 bytes. */
  readonly proofC: Uint8Array;
  /** 32 bytes each. */
  readonly publicInputs: readonly Uint8Array[];
}

/** A verification key by the names of `Groth16Verifyingkey` of that crate. */
export interface SolanaVerificationKey {
  /** 64 bytes. */
  readonly vkAlphaG1: Uint8Array;
  /** 128 bytes. */
  readonly vkBetaG2: Uint8Array;
  /** 128 bytes. */
  readonly vkGammaG2: Uint8Array;
  /** 128 bytes. */
  readonly vkDeltaG2: Uint8Array;
  /** 64 bytes each: one for the constant 1, and one for each public signal. */
  readonly vkIc: readonly Uint8Array[];
}

/**
 * A proof as Solana's alt_bn128 calls and the crate `groth16-solana` 0.2 take it: coordinates big-endian, the
 * coefficient of u first, and A negated, so that the verifier multiplies four pairings. Infinity is all zero.
 *
 * @param proof the proof in snarkjs' JSON form.
 * @param publicSignals the public signals as decimal or hexadecimal strings.
 * @returns the points and the public inputs.
 * @throws {PippinError} MALFORMED_FILE for what is not a proof in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @throws {PippinError} INVALID_SCALAR for a public signal that is not from 0 to r - 1.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { toSolana } from 'pippin-prover/encodings';
 *
 * // What fullProve gave, as JSON.
 * const { proof, publicSignals } = JSON.parse(await readFile('proved.json', 'utf8'));
 * const { proofA, proofB, proofC, publicInputs } = toSolana(proof, publicSignals);
 * console.log(proofA.length, proofB.length, proofC.length, publicInputs.length);
 * ```
 */
export function toSolana(proof: Groth16ProofJson, publicSignals: readonly string[]): SolanaProof {
  const { a, b, c, curve } = proofPoints(proof);
  expectCurve(curve, 'Solana', [bn254.id]);
  const signals = publicSignalValues(publicSignals, curve.id);
  return {
    proofA: evmPoint(curve, opposite(a)),
    proofB: evmTwistPoint(curve, b),
    proofC: evmPoint(curve, c),
    publicInputs: signals.map((signal) => bigEndian(signal, SCALAR_BYTES)),
  };
}

/**
 * A verification key by the names of `Groth16Verifyingkey` of the crate `groth16-solana`.
 *
 * @param verificationKey the key in snarkjs' JSON form.
 * @returns its points.
 * @throws {PippinError} MALFORMED_FILE for what is not a verification key in snarkjs' form.
 * @throws {PippinError} CURVE_MISMATCH for another curve than BN254.
 * @throws {PippinError} INVALID_POINT for a coordinate that is not below p, or a point that is not on its curve.
 * @example
 * ```js run
 * import { readFile } from 'node:fs/promises';
 * import { solanaVerificationKey } from 'pippin-prover/encodings';
 *
 * const verificationKey = JSON.parse(await readFile('note.vkey.json', 'utf8'));
 * const { vkAlphaG1, vkIc } = solanaVerificationKey(verificationKey);
 * console.log(vkAlphaG1.length, vkIc.length);
 * ```
 */
export function solanaVerificationKey(verificationKey: Groth16VerificationKeyJson): SolanaVerificationKey {
  const { alpha1, beta2, gamma2, delta2, ic, curve } = verificationKeyPoints(verificationKey);
  expectCurve(curve, 'Solana', [bn254.id]);
  return {
    vkAlphaG1: evmPoint(curve, alpha1),
    vkBetaG2: evmTwistPoint(curve, beta2),
    vkGammaG2: evmTwistPoint(curve, gamma2),
    vkDeltaG2: evmTwistPoint(curve, delta2),
    vkIc: ic.map((point) => evmPoint(curve, point)),
  };
}

/** The negation of a point: the curve has no point with y = 0. */
function opposite(point: G1Value): G1Value {
  return point && { x: point.x, y: bn254.fq.modulus - point.y };
}
