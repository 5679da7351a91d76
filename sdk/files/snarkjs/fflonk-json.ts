import type { FflonkProof, FflonkVerificationKey } from '../../api/fflonk.js';
import { record } from '../../base/records.js';
import type { CurveId } from '../../curves/index.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { FFLONK_PARTS, type FflonkPart } from '../../proofs/universal/parts.js';
import { FFLONK_ROOTS, type FflonkRoots, wrongRoot } from './fflonk-roots.js';
import type { FflonkZkey } from './fflonk-zkey.js';
import {
  curveNamedIn,
  expectObject,
  expectProof,
  type G1Value,
  type G2Value,
  g2PointToJson,
  malformed,
  parseG1,
  parseG2,
  parseNumber,
  pointToJson,
  snarkjsName,
} from './json-values.js';
import { type DomainOfKey, parseDomain, parseScalar } from './plonk-domain.js';

/** A proof's commitments in snarkjs' order: the wires, the permutation, and the openings. */
export const FFLONK_COMMITMENTS = FFLONK_PARTS;
export type FflonkCommitment = FflonkPart;

/**
 * A proof's evaluations in the order in which the transcript takes them: all at xi, but the last three, of the grand
 * product and its quotients, at xi w.
 */
export const FFLONK_EVALUATIONS = [
  ...(['ql', 'qr', 'qm', 'qo', 'qc', 's1', 's2', 's3', 'a', 'b', 'c', 'z'] as const),
  ...(['zw', 't1w', 't2w'] as const),
] as const;
export type FflonkEvaluation = (typeof FFLONK_EVALUATIONS)[number];

/** A proof: affine points in the boundary form, and integers below r. */
export interface FflonkProofParts {
  readonly commitments: Readonly<Record<FflonkCommitment, Uint8Array>>;
  readonly evaluations: Readonly<Record<FflonkEvaluation, bigint>>;
}

/** A parsed proof. Its evaluations may be above r. */
export interface FflonkProofValues {
  readonly commitments: Readonly<Record<FflonkCommitment, G1Value>>;
  readonly evaluations: Readonly<Record<FflonkEvaluation, bigint>>;
}

/** A parsed verification key. */
export interface FflonkVerificationKeyValues extends DomainOfKey {
  readonly curve: CurveId;
  readonly roots: FflonkRoots;
  /** tau in G2. */
  readonly X_2: G2Value;
  /** The commitment to the selectors and the permutation. */
  readonly C0: G1Value;
}

/**
 * A proof as snarkjs writes it.
 *
 * @param inverse the member `inv`, for verifiers in Solidity (see `solidityInverse`).
 */
export function fflonkProofToJson(
  curve: CurveId,
  { commitments, evaluations }: FflonkProofParts,
  inverse: bigint,
): FflonkProof {
  return {
    polynomials: record(FFLONK_COMMITMENTS, (name) => pointToJson(curve, commitments[name])),
    evaluations: { ...record(FFLONK_EVALUATIONS, (name) => String(evaluations[name])), inv: String(inverse) },
    protocol: 'fflonk',
    curve: snarkjsName(curve),
  };
}

/** The verification key that belongs to a proving key, as snarkjs exports it. */
export function fflonkVerificationKeyToJson({
  curve,
  facts,
  k1,
  k2,
  roots,
  points,
}: Pick<FflonkZkey, 'curve' | 'facts' | 'k1' | 'k2' | 'roots' | 'points'>): FflonkVerificationKey {
  return {
    protocol: 'fflonk',
    curve: snarkjsName(curve),
    nPublic: facts.publicSignals,
    power: Math.log2(facts.domainSize),
    k1: String(k1),
    k2: String(k2),
    w: String(rootOfDomain(curve, facts.domainSize)),
    ...record(FFLONK_ROOTS, (name) => String(roots[name])),
    X_2: g2PointToJson(curve, points.X_2),
    C0: pointToJson(curve, points.C0),
  };
}

/** The curve that a verification key names; BN254 if it names none. Errors as in `parseFflonkVerificationKey`. */
export function curveOfFflonkVerificationKey(json: unknown): CurveId {
  return curveNamedIn(json, 'fflonk', 'a verification key');
}

/**
 * Reads a verification key in snarkjs' form, as `JSON.parse` or `plainCopy` gives it. Errors as in
 * `parsePlonkVerificationKey`; `MALFORMED_FILE` also for a root of unity of another order than its name says.
 */
export function parseFflonkVerificationKey(json: unknown): FflonkVerificationKeyValues {
  const curve = curveOfFflonkVerificationKey(json);
  const key = expectObject(json, 'a verification key');
  const domain = parseDomain(curve, key);
  const roots = record(FFLONK_ROOTS, (name) => parseScalar(curve, key[name], name));
  const wrong = wrongRoot(curve, domain.domainSize, roots);
  if (wrong !== undefined) throw malformed(wrong.expected, String(roots[wrong.name]));
  return {
    curve,
    ...domain,
    roots,
    X_2: parseG2(curve, key.X_2, 'X_2'),
    C0: parseG1(curve, key.C0, 'C0'),
  };
}

/** The member `inv` of a proof (see `FflonkProof`), of any size; errors as in `parseFflonkProof`. */
export function fflonkInverse(json: unknown): bigint {
  const { evaluations } = expectObject(json, 'a proof');
  return parseNumber(expectObject(evaluations, 'evaluations').inv, 'inv');
}

/**
 * Reads a proof over `curve` in snarkjs' form; errors as in `parseFflonkVerificationKey`. `inv` is not needed and not
 * read.
 */
export function parseFflonkProof(json: unknown, curve: CurveId): FflonkProofValues {
  const proof = expectProof(json, 'fflonk', curve);
  const polynomials = expectObject(proof.polynomials, 'polynomials');
  const evaluations = expectObject(proof.evaluations, 'evaluations');
  return {
    commitments: record(FFLONK_COMMITMENTS, (name) => parseG1(curve, polynomials[name], name)),
    evaluations: record(FFLONK_EVALUATIONS, (name) => parseNumber(evaluations[name], name)),
  };
}
