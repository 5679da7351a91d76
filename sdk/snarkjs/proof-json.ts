import type { Groth16Proof, Groth16VerificationKey } from '../api.js';
import { bn254, CURVES, type CurveId } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { type CoordinateValue, decodePoint } from '../field/point-bytes.js';
import type { KeyPoints } from './zkey.js';

/** An affine point of G1 or G2; undefined is infinity. */
export type G1Value = { readonly x: bigint; readonly y: bigint } | undefined;
export type G2Value = { readonly x: readonly [bigint, bigint]; readonly y: readonly [bigint, bigint] } | undefined;

/** A parsed proof. */
export interface ProofPoints {
  readonly a: G1Value;
  readonly b: G2Value;
  readonly c: G1Value;
}

/** A parsed verification key. */
export interface VerificationKeyPoints {
  readonly alpha1: G1Value;
  readonly beta2: G2Value;
  readonly gamma2: G2Value;
  readonly delta2: G2Value;
  readonly ic: readonly G1Value[];
}

/** An affine point of the boundary form in snarkjs' projective decimals: [x, y, "1"], infinity ["0", "1", "0"]. */
export function pointToJson(curve: CurveId, bytes: Uint8Array): string[] {
  const { x, y, infinity } = decodePoint(curve, 'g1', bytes);
  return infinity ? ['0', '1', '0'] : [String(x), String(y), '1'];
}

/** The same for G2: pairs [c0, c1]. */
export function g2PointToJson(curve: CurveId, bytes: Uint8Array): string[][] {
  const { x, y, infinity } = decodePoint(curve, 'g2', bytes);
  const pair = (value: CoordinateValue): string[] => (value as readonly bigint[]).map(String);
  if (infinity) {
    return [
      ['0', '0'],
      ['1', '0'],
      ['0', '0'],
    ];
  }
  return [pair(x), pair(y), ['1', '0']];
}

export function proofToJson(curve: CurveId, a: Uint8Array, b: Uint8Array, c: Uint8Array): Groth16Proof {
  return {
    pi_a: pointToJson(curve, a),
    pi_b: g2PointToJson(curve, b),
    pi_c: pointToJson(curve, c),
    protocol: 'groth16',
    curve: snarkjsName(curve),
  };
}

/** The verification key that belongs to a proving key. */
export function verificationKeyToJson(curve: CurveId, points: KeyPoints): Groth16VerificationKey {
  return {
    protocol: 'groth16',
    curve: snarkjsName(curve),
    nPublic: points.ic.length - 1,
    vk_alpha_1: pointToJson(curve, points.alpha1),
    vk_beta_2: g2PointToJson(curve, points.beta2),
    vk_gamma_2: g2PointToJson(curve, points.gamma2),
    vk_delta_2: g2PointToJson(curve, points.delta2),
    IC: points.ic.map((point) => pointToJson(curve, point)),
  };
}

function snarkjsName(curve: CurveId): string {
  return CURVES[curve].snarkjs?.name ?? curve;
}

/**
 * Reads a proof in snarkjs' form: `MALFORMED_FILE` for what is missing or no decimal number, `INVALID_POINT` for a coordinate that
 * is not below p, `UNSUPPORTED_FORMAT` and `CURVE_MISMATCH` for another protocol or curve. Other provers leave the names of
 * protocol and curve out.
 */
export function parseProof(json: unknown): ProofPoints {
  const proof = expectObject(json, 'a proof');
  expectProtocol(proof, 'a proof');
  return {
    a: parseG1(proof.pi_a, 'pi_a'),
    b: parseG2(proof.pi_b, 'pi_b'),
    c: parseG1(proof.pi_c, 'pi_c'),
  };
}

/**
 * Reads a verification key in snarkjs' form; errors as for a proof. What snarkjs adds beside the points (vk_alphabeta_12) is not
 * needed and not read.
 */
export function parseVerificationKey(json: unknown): VerificationKeyPoints {
  const key = expectObject(json, 'a verification key');
  expectProtocol(key, 'a verification key');
  const ic = expectArray(key.IC, 'IC').map((point, i) => parseG1(point, `IC[${i}]`));
  if (ic.length === 0 || (key.nPublic !== undefined && Number(key.nPublic) !== ic.length - 1)) {
    throw malformed(`IC of nPublic + 1 points (nPublic is ${String(key.nPublic)})`, `${ic.length} points`);
  }
  return {
    alpha1: parseG1(key.vk_alpha_1, 'vk_alpha_1'),
    beta2: parseG2(key.vk_beta_2, 'vk_beta_2'),
    gamma2: parseG2(key.vk_gamma_2, 'vk_gamma_2'),
    delta2: parseG2(key.vk_delta_2, 'vk_delta_2'),
    ic,
  };
}

/** Reads public signals: decimal strings (or numbers) below r. */
export function parsePublicSignals(json: unknown): bigint[] {
  return expectArray(json, 'public signals').map((value, i) => {
    const signal = parseInteger(value, `public signal ${i}`);
    if (signal >= bn254.fr.modulus)
      throw new PippinError('INVALID_SCALAR', `expected public signal ${i} below r, got ${signal}`);
    return signal;
  });
}

function parseG1(json: unknown, name: string): G1Value {
  const [x, y, z] = expectArray(json, name, 3).map((value, i) => parseCoordinate(value, `${name}[${i}]`)) as [
    bigint,
    bigint,
    bigint,
  ];
  if (z === 0n) return undefined;
  if (z !== 1n) throw malformed(`${name} as an affine point (z = 1)`, `z = ${z}`);
  return { x, y };
}

function parseG2(json: unknown, name: string): G2Value {
  const [x, y, z] = expectArray(json, name, 3).map((pair, i) =>
    expectArray(pair, `${name}[${i}]`, 2).map((value, j) => parseCoordinate(value, `${name}[${i}][${j}]`)),
  ) as [[bigint, bigint], [bigint, bigint], [bigint, bigint]];
  if (z[0] === 0n && z[1] === 0n) return undefined;
  if (z[0] !== 1n || z[1] !== 0n) throw malformed(`${name} as an affine point (z = 1)`, `z = ${z.join(' + ')} u`);
  return { x, y };
}

function parseCoordinate(value: unknown, name: string): bigint {
  const coordinate = parseInteger(value, name);
  if (coordinate >= bn254.fq.modulus)
    throw new PippinError('INVALID_POINT', `expected ${name} below p, got ${coordinate}`);
  return coordinate;
}

function parseInteger(value: unknown, name: string): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^[0-9]{1,90}$/.test(value)) return BigInt(value);
  throw malformed(`${name} as a decimal string`, show(value));
}

function expectObject(json: unknown, what: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw malformed(`${what} as a JSON object`, show(json));
  return json as Record<string, unknown>;
}

function expectArray(json: unknown, name: string, length?: number): unknown[] {
  if (!Array.isArray(json) || (length !== undefined && json.length !== length)) {
    throw malformed(`${name} as an array${length === undefined ? '' : ` of ${length}`}`, show(json));
  }
  return json;
}

function expectProtocol(json: Record<string, unknown>, what: string): void {
  if (json.protocol !== undefined && json.protocol !== 'groth16') {
    throw new PippinError('UNSUPPORTED_FORMAT', `expected ${what} of groth16, got ${show(json.protocol)}`);
  }
  if (json.curve !== undefined && json.curve !== 'bn128' && json.curve !== 'bn254') {
    throw new PippinError('CURVE_MISMATCH', `expected ${what} over bn128 (BN254), got ${show(json.curve)}`);
  }
}

function malformed(expected: string, got: string): PippinError {
  return new PippinError('MALFORMED_FILE', `expected ${expected}, got ${got}`);
}

/** A value in a few characters. */
function show(value: unknown): string {
  const text = Array.isArray(value)
    ? `an array of ${value.length}`
    : typeof value === 'object' && value !== null
      ? 'an object'
      : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
