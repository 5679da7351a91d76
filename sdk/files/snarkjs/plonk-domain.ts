import { describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type CurveId } from '../../curves/index.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { malformed, parseNumber } from './json-values.js';
import { areDistinctCosets } from './plonk-arithmetization.js';

/** What a verification key of PLONK or FFLONK says besides its points. */
export interface DomainOfKey {
  readonly publicSignals: number;
  /** n = 2^power, the number of the domain's elements. */
  readonly domainSize: number;
  readonly k1: bigint;
  readonly k2: bigint;
}

/**
 * Reads `nPublic`, `power`, `k1`, `k2` and `w` of a verification key. `w` may be missing; `MALFORMED_FILE` if it is not
 * snarkjs' primitive n-th root of unity, or if the numbers contradict each other; `INVALID_SCALAR` for a scalar that is
 * not below r.
 */
export function parseDomain(curve: CurveId, key: Record<string, unknown>): DomainOfKey {
  const { twoAdicity } = CURVES[curve].fr;
  const power = parseNumber(key.power, 'power');
  if (power < 1n || power > BigInt(twoAdicity)) {
    throw malformed(`power from 1 to ${twoAdicity}`, describeValue(key.power));
  }
  const domainSize = 2 ** Number(power);
  const publicSignals = parseNumber(key.nPublic, 'nPublic');
  if (publicSignals > BigInt(domainSize)) {
    throw malformed(`nPublic of at most ${domainSize} (the domain)`, describeValue(key.nPublic));
  }
  const k1 = parseScalar(curve, key.k1, 'k1');
  const k2 = parseScalar(curve, key.k2, 'k2');
  if (!areDistinctCosets(CURVES[curve], domainSize, k1, k2)) {
    throw malformed("k1 and k2 in different cosets of the domain's roots of unity", `${k1} and ${k2}`);
  }
  expectRoot(curve, key.w, 'w', rootOfDomain(curve, domainSize));
  return { publicSignals: Number(publicSignals), domainSize, k1, k2 };
}

/** `MALFORMED_FILE` if a root of unity is given and is not the one that snarkjs takes. */
export function expectRoot(curve: CurveId, value: unknown, name: string, expected: bigint): void {
  if (value !== undefined && parseScalar(curve, value, name) !== expected) {
    throw malformed(`${name} as snarkjs' root of unity ${expected}`, describeValue(value));
  }
}

/** A scalar in decimal digits; `INVALID_SCALAR` if it is not below r. */
export function parseScalar(curve: CurveId, value: unknown, name: string): bigint {
  const scalar = parseNumber(value, name);
  if (scalar >= CURVES[curve].fr.modulus) {
    throw new PippinError('INVALID_SCALAR', `expected ${name} below r, got ${describeValue(value)}`);
  }
  return scalar;
}
