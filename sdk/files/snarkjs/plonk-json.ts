import type { PlonkProof, PlonkVerificationKey } from '../../api/plonk.js';
import { record } from '../../base/records.js';
import type { CurveId } from '../../curves/index.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { PLONK_PARTS, type PlonkPart } from '../../proofs/universal/parts.js';
import {
  curveNamedIn,
  expectObject,
  expectProof,
  type G1Value,
  type G2Value,
  g2PointToJson,
  parseG1,
  parseG2,
  parseNumber,
  pointToJson,
  snarkjsName,
} from './json-values.js';
import { type DomainOfKey, parseDomain } from './plonk-domain.js';
import { PLONK_POLYNOMIALS, type PlonkPolynomial, type PlonkZkey } from './plonk-zkey.js';

/**
 * A proof's commitments in snarkjs' order: the wires, the grand product, the quotient's three parts, and the openings
 * at xi and xi w.
 */
export const PLONK_COMMITMENTS = PLONK_PARTS;
export type PlonkCommitment = PlonkPart;

/** A proof's evaluations in snarkjs' order: all at xi, but the last, the grand product's, at xi w. */
export const PLONK_EVALUATIONS = ['eval_a', 'eval_b', 'eval_c', 'eval_s1', 'eval_s2', 'eval_zw'] as const;
export type PlonkEvaluation = (typeof PLONK_EVALUATIONS)[number];

/** A proof: affine points in the boundary form, and integers below r. */
export interface PlonkProofParts {
  readonly commitments: Readonly<Record<PlonkCommitment, Uint8Array>>;
  readonly evaluations: Readonly<Record<PlonkEvaluation, bigint>>;
}

/** A parsed proof. Its evaluations may be above r. */
export interface PlonkProofValues {
  readonly commitments: Readonly<Record<PlonkCommitment, G1Value>>;
  readonly evaluations: Readonly<Record<PlonkEvaluation, bigint>>;
}

/** A parsed verification key. */
export interface PlonkVerificationKeyValues extends DomainOfKey {
  readonly curve: CurveId;
  readonly commitments: Readonly<Record<PlonkPolynomial, G1Value>>;
  /** tau in G2. */
  readonly X_2: G2Value;
}

/** A proof as snarkjs writes it. */
export function plonkProofToJson(curve: CurveId, { commitments, evaluations }: PlonkProofParts): PlonkProof {
  return {
    ...record(PLONK_COMMITMENTS, (name) => pointToJson(curve, commitments[name])),
    ...record(PLONK_EVALUATIONS, (name) => String(evaluations[name])),
    protocol: 'plonk',
    curve: snarkjsName(curve),
  };
}

/** The verification key that belongs to a proving key, as snarkjs exports it. */
export function plonkVerificationKeyToJson({
  curve,
  facts,
  k1,
  k2,
  points,
}: Pick<PlonkZkey, 'curve' | 'facts' | 'k1' | 'k2' | 'points'>): PlonkVerificationKey {
  return {
    protocol: 'plonk',
    curve: snarkjsName(curve),
    nPublic: facts.publicSignals,
    power: Math.log2(facts.domainSize),
    k1: String(k1),
    k2: String(k2),
    ...record(PLONK_POLYNOMIALS, (name) => pointToJson(curve, points[name])),
    X_2: g2PointToJson(curve, points.X_2),
    w: String(rootOfDomain(curve, facts.domainSize)),
  };
}

/** The curve that a verification key names; BN254 if it names none. Errors as in `parsePlonkVerificationKey`. */
export function curveOfPlonkVerificationKey(json: unknown): CurveId {
  return curveNamedIn(json, 'plonk', 'a verification key');
}

/**
 * Reads a verification key in snarkjs' form, as `JSON.parse` or `plainCopy` gives it. `MALFORMED_FILE` for a member
 * that is missing or not a decimal number, and for numbers of a domain that contradict each other; `INVALID_POINT` and
 * `INVALID_SCALAR` for a coordinate not below p and a scalar not below r; `UNSUPPORTED_FORMAT` and `CURVE_MISMATCH` for
 * another protocol or curve. Points as in `parseG1`.
 */
export function parsePlonkVerificationKey(json: unknown): PlonkVerificationKeyValues {
  const curve = curveOfPlonkVerificationKey(json);
  const key = expectObject(json, 'a verification key');
  return {
    curve,
    ...parseDomain(curve, key),
    commitments: record(PLONK_POLYNOMIALS, (name) => parseG1(curve, key[name], name)),
    X_2: parseG2(curve, key.X_2, 'X_2'),
  };
}

/** Reads a proof over `curve` in snarkjs' form; errors as in `parsePlonkVerificationKey`. */
export function parsePlonkProof(json: unknown, curve: CurveId): PlonkProofValues {
  const proof = expectProof(json, 'plonk', curve);
  return {
    commitments: record(PLONK_COMMITMENTS, (name) => parseG1(curve, proof[name], name)),
    evaluations: record(PLONK_EVALUATIONS, (name) => parseNumber(proof[name], name)),
  };
}
