import { describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/is-object.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { curveOfName, KEY_CURVE_NAMES, KEY_CURVES } from './known-curves.js';

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
  readonly curve: CurveId;
  readonly alpha1: G1Value;
  readonly beta2: G2Value;
  readonly gamma2: G2Value;
  readonly delta2: G2Value;
  readonly ic: readonly G1Value[];
}

/** The most characters of a number: several times what any coordinate has, but few enough to be parsed quickly. */
const MAX_DIGITS = 1000;

/**
 * The curve that a verification key in snarkjs' form names. If it names none, it is the first curve of the registry,
 * BN254, which is what provers that leave the name out use. Errors as in `parseVerificationKey`.
 */
export function curveOfVerificationKey(json: unknown): CurveId {
  return curveNamedIn(json, 'a verification key');
}

/** The same for a proof. */
export function curveOfProof(json: unknown): CurveId {
  return curveNamedIn(json, 'a proof');
}

function curveNamedIn(json: unknown, what: string): CurveId {
  const object = expectObject(json, what);
  expectProtocol(object, what);
  if (object.curve === undefined) return KEY_CURVES[0]!.id;
  const curve = typeof object.curve === 'string' ? curveOfName(object.curve) : undefined;
  if (curve === undefined) {
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected ${what} over ${KEY_CURVE_NAMES}, got ${describeValue(object.curve)}`,
    );
  }
  return curve.id;
}

/**
 * Reads a verification key in snarkjs' form, as `JSON.parse` or `plainCopy` gives it. `MALFORMED_FILE` for a member
 * that is missing or not a decimal number, `INVALID_POINT` for a coordinate that is not below p, `UNSUPPORTED_FORMAT`
 * and `CURVE_MISMATCH` for another protocol or curve.
 *
 * A point has three coordinates, where z is 0 (infinity) or 1, or two coordinates, which are both zero for infinity.
 * `vk_alphabeta_12` is not needed and not read.
 */
export function parseVerificationKey(json: unknown): VerificationKeyPoints {
  const curve = curveOfVerificationKey(json);
  const key = expectObject(json, 'a verification key');
  const ic = expectArray(key.IC, 'IC').map((point, i) => parseG1(curve, point, `IC[${i}]`));
  if (ic.length === 0 || (key.nPublic !== undefined && toInteger(key.nPublic, /^[0-9]+$/) !== BigInt(ic.length - 1))) {
    throw malformed(`IC of nPublic + 1 points (nPublic is ${describeValue(key.nPublic)})`, `${ic.length} points`);
  }
  return {
    curve,
    alpha1: parseG1(curve, key.vk_alpha_1, 'vk_alpha_1'),
    beta2: parseG2(curve, key.vk_beta_2, 'vk_beta_2'),
    gamma2: parseG2(curve, key.vk_gamma_2, 'vk_gamma_2'),
    delta2: parseG2(curve, key.vk_delta_2, 'vk_delta_2'),
    ic,
  };
}

/**
 * Reads a proof over `curve` in snarkjs' form; points and errors as in `parseVerificationKey`. The names of the
 * protocol and the curve may be missing, since some provers leave them out.
 */
export function parseProof(json: unknown, curve: CurveId): ProofPoints {
  const proof = expectObject(json, 'a proof');
  expectProtocol(proof, 'a proof');
  if (proof.curve !== undefined && (typeof proof.curve !== 'string' || curveOfName(proof.curve)?.id !== curve)) {
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a proof over ${CURVES[curve].name}, got ${describeValue(proof.curve)}`,
    );
  }
  return {
    a: parseG1(curve, proof.pi_a, 'pi_a'),
    b: parseG2(curve, proof.pi_b, 'pi_b'),
    c: parseG1(curve, proof.pi_c, 'pi_c'),
  };
}

/**
 * Reads public signals: integers as bigint, safe number, or string (decimal, or hexadecimal with 0x). undefined if one
 * of them is negative or not below r, because no proof holds for it; `MALFORMED_FILE` for a value that is not an
 * integer.
 */
export function parsePublicSignals(json: unknown, curve: CurveId): bigint[] | undefined {
  const r = CURVES[curve].fr.modulus;
  const signals = expectArray(json, 'public signals').map((value, i) => {
    const signal = toInteger(value, /^(-?[0-9]+|0x[0-9a-fA-F]+)$/);
    if (signal === undefined)
      throw malformed(`public signal ${i} as a decimal or hexadecimal string`, describeValue(value));
    return signal;
  });
  return signals.every((signal) => signal >= 0n && signal < r) ? signals : undefined;
}

function parseG1(curve: CurveId, json: unknown, name: string): G1Value {
  const coordinates = expectCoordinates(json, name).map((value, i) => parseCoordinate(curve, value, `${name}[${i}]`));
  const [x, y, z] = coordinates as [bigint, bigint, bigint | undefined];
  if (z === 0n || (z === undefined && x === 0n && y === 0n)) return undefined;
  if (z !== undefined && z !== 1n) throw malformed(`${name} as an affine point (z = 1)`, `z = ${z}`);
  return { x, y };
}

function parseG2(curve: CurveId, json: unknown, name: string): G2Value {
  const coordinates = expectCoordinates(json, name).map((pair, i) =>
    expectArray(pair, `${name}[${i}]`, 2).map((value, j) => parseCoordinate(curve, value, `${name}[${i}][${j}]`)),
  );
  const [x, y, z] = coordinates as [[bigint, bigint], [bigint, bigint], [bigint, bigint] | undefined];
  const isZero = (pair: readonly bigint[]): boolean => pair.every((value) => value === 0n);
  if (z === undefined ? isZero(x) && isZero(y) : isZero(z)) return undefined;
  if (z !== undefined && (z[0] !== 1n || z[1] !== 0n))
    throw malformed(`${name} as an affine point (z = 1)`, `z = ${z.join(' + ')} u`);
  return { x, y };
}

/** x, y and z, or x and y alone. */
function expectCoordinates(json: unknown, name: string): unknown[] {
  const coordinates = expectArray(json, name);
  if (coordinates.length !== 2 && coordinates.length !== 3)
    throw malformed(`${name} as an array of 2 or 3`, describeValue(json));
  return coordinates;
}

function parseCoordinate(curve: CurveId, value: unknown, name: string): bigint {
  const coordinate = toInteger(value, /^[0-9]+$/);
  if (coordinate === undefined || coordinate < 0n) throw malformed(`${name} as a decimal string`, describeValue(value));
  if (coordinate >= CURVES[curve].fq.modulus)
    throw new PippinError('INVALID_POINT', `expected ${name} below p, got ${describeValue(value)}`);
  return coordinate;
}

/** An integer given as a bigint, a safe number or a string that matches the pattern; undefined for anything else. */
function toInteger(value: unknown, pattern: RegExp): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && value.length <= MAX_DIGITS && pattern.test(value)) return BigInt(value);
  return undefined;
}

function expectObject(json: unknown, what: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw malformed(`${what} as a JSON object`, describeValue(json), JSON_HINT);
  return ownMembers(json) as Record<string, unknown>;
}

function expectArray(json: unknown, name: string, length?: number): unknown[] {
  if (!Array.isArray(json) || (length !== undefined && json.length !== length)) {
    throw malformed(`${name} as an array${length === undefined ? '' : ` of ${length}`}`, describeValue(json));
  }
  return json;
}

function expectProtocol(json: Record<string, unknown>, what: string): void {
  if (json.protocol !== undefined && json.protocol !== 'groth16') {
    throw new PippinError('UNSUPPORTED_FORMAT', `expected ${what} of groth16, got ${describeValue(json.protocol)}`);
  }
}

function malformed(expected: string, got: string, hint = FORM_HINT): PippinError {
  return new PippinError('MALFORMED_FILE', `expected ${expected}, got ${got}`, { hint });
}

const JSON_HINT =
  'give the parsed JSON; verify takes the verification key first, then the public signals, then the proof';
const FORM_HINT = `give the JSON as snarkjs writes it, with every number as a decimal string; ${JSON_HINT}`;
