import { describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { type CoordinateValue, decodePoint } from '../../curves/point-bytes.js';
import type { Protocol } from '../../proofs/parts.js';
import { curveOfName, KEY_CURVE_NAMES, KEY_CURVES } from './known-curves.js';

/**
 * Readers and writers of the values in snarkjs' JSON: points, scalars, public signals, names of curves and proof
 * systems. Readers take hostile input, as `JSON.parse` or `plainCopy` gives it.
 */

/** An affine point of G1 or G2; undefined is infinity. */
export type G1Value = { readonly x: bigint; readonly y: bigint } | undefined;
export type G2Value = { readonly x: readonly [bigint, bigint]; readonly y: readonly [bigint, bigint] } | undefined;

/** The most characters of a number: several times what any coordinate has, but few enough to be parsed quickly. */
const MAX_DIGITS = 1000;

/**
 * The curve that JSON of a proof system names. If it names none, it is the first curve of the registry, BN254, which is
 * what provers that leave the name out use. `CURVE_MISMATCH` for another curve, `UNSUPPORTED_FORMAT` for another proof
 * system, `MALFORMED_FILE` for anything else than an object.
 *
 * @param what how messages call it, such as "a proof".
 */
export function curveNamedIn(json: unknown, protocol: Protocol, what: string): CurveId {
  const object = expectObject(json, what);
  expectProtocol(object, protocol, what);
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
 * The members of a proof over `curve`. The names of the proof system and the curve may be missing, since some provers
 * leave them out; errors as in `curveNamedIn`.
 */
export function expectProof(json: unknown, protocol: Protocol, curve: CurveId): Record<string, unknown> {
  const proof = expectObject(json, 'a proof');
  expectProtocol(proof, protocol, 'a proof');
  if (proof.curve !== undefined && (typeof proof.curve !== 'string' || curveOfName(proof.curve)?.id !== curve)) {
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a proof over ${CURVES[curve].name}, got ${describeValue(proof.curve)}`,
    );
  }
  return proof;
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

/**
 * A point of G1: three coordinates, where z is 0 (infinity) or 1, or two coordinates, which are both zero for infinity.
 * `MALFORMED_FILE` for anything else, `INVALID_POINT` for a coordinate that is not below p.
 */
export function parseG1(curve: CurveId, json: unknown, name: string): G1Value {
  const coordinates = expectCoordinates(json, name).map((value, i) => parseCoordinate(curve, value, `${name}[${i}]`));
  const [x, y, z] = coordinates as [bigint, bigint, bigint | undefined];
  if (z === 0n || (z === undefined && x === 0n && y === 0n)) return undefined;
  if (z !== undefined && z !== 1n) throw malformed(`${name} as an affine point (z = 1)`, `z = ${z}`);
  return { x, y };
}

/** The same for G2, where each coordinate is a pair [c0, c1]. */
export function parseG2(curve: CurveId, json: unknown, name: string): G2Value {
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
  const coordinate = parseNumber(value, name);
  if (coordinate >= CURVES[curve].fq.modulus)
    throw new PippinError('INVALID_POINT', `expected ${name} below p, got ${describeValue(value)}`);
  return coordinate;
}

/** A number in decimal digits, such as an evaluation, of any size; `MALFORMED_FILE` for anything else. */
export function parseNumber(value: unknown, name: string): bigint {
  const number = toInteger(value, /^[0-9]+$/);
  if (number === undefined || number < 0n) throw malformed(`${name} as a decimal string`, describeValue(value));
  return number;
}

/** An integer given as a bigint, a safe number or a string that matches the pattern; undefined for anything else. */
export function toInteger(value: unknown, pattern: RegExp): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && value.length <= MAX_DIGITS && pattern.test(value)) return BigInt(value);
  return undefined;
}

export function expectObject(json: unknown, what: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw malformed(`${what} as a JSON object`, describeValue(json), JSON_HINT);
  return ownMembers(json) as Record<string, unknown>;
}

export function expectArray(json: unknown, name: string, length?: number): unknown[] {
  if (!Array.isArray(json) || (length !== undefined && json.length !== length)) {
    throw malformed(`${name} as an array${length === undefined ? '' : ` of ${length}`}`, describeValue(json));
  }
  return json;
}

function expectProtocol(json: Record<string, unknown>, protocol: Protocol, what: string): void {
  if (json.protocol !== undefined && json.protocol !== protocol) {
    throw new PippinError('UNSUPPORTED_FORMAT', `expected ${what} of ${protocol}, got ${describeValue(json.protocol)}`);
  }
}

/** The error for JSON of another form. */
export function malformed(expected: string, got: string, hint = FORM_HINT): PippinError {
  return new PippinError('MALFORMED_FILE', `expected ${expected}, got ${got}`, { hint });
}

const JSON_HINT =
  'give the parsed JSON; verify takes the verification key first, then the public signals, then the proof';
const FORM_HINT = `give the JSON as snarkjs writes it, with every number as a decimal string; ${JSON_HINT}`;

/** An affine point of the boundary form in snarkjs' projective decimals: [x, y, "1"], infinity ["0", "1", "0"]. */
export function pointToJson(curve: CurveId, bytes: Uint8Array): string[] {
  const { x, y, infinity } = decodePoint(curve, 'g1', bytes);
  return infinity ? ['0', '1', '0'] : [String(x), String(y), '1'];
}

/** The same for G2, where each coordinate is a pair [c0, c1]. */
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

/** The curve's name in snarkjs. */
export function snarkjsName(curve: CurveId): string {
  const { snarkjs, name } = CURVES[curve];
  if (snarkjs === undefined) throw new PippinError('CURVE_MISMATCH', `expected a curve that snarkjs has, got ${name}`);
  return snarkjs.name;
}
