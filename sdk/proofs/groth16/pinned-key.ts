import { PippinError } from '../../base/errors.js';
import { parseVerificationKey, type VerificationKeyPoints } from '../../files/snarkjs/parse-proof.js';
import { verificationKeyToJson } from '../../files/snarkjs/proof-json.js';
import type { Zkey } from '../../files/snarkjs/zkey.js';

/** The points of a verification key, and how they are called in a message. */
const POINTS = { alpha1: 'alpha', beta2: 'beta', gamma2: 'gamma', delta2: 'delta', ic: 'IC' } as const;

/**
 * `KEY_MISMATCH` unless a proving key is that of a verification key in snarkjs' form, which the caller trusts. For anything else than a
 * verification key the errors of `parseVerificationKey`.
 */
export function expectVerificationKey({ curve, points }: Pick<Zkey, 'curve' | 'points'>, pinned: unknown): void {
  const expected = parseVerificationKey(pinned);
  if (expected.curve !== curve) throw mismatch(`a key over ${expected.curve}`, `one over ${curve}`);
  const own = parseVerificationKey(verificationKeyToJson(curve, points));
  if (own.ic.length !== expected.ic.length) {
    throw mismatch(`${expected.ic.length - 1} public signals`, `${own.ic.length - 1}`);
  }
  for (const [name, called] of Object.entries(POINTS) as [keyof typeof POINTS, string][]) {
    if (textOf(own[name]) !== textOf(expected[name]))
      throw mismatch(`the ${called} of the verification key`, 'another');
  }
}

function mismatch(expected: string, got: string): PippinError {
  return new PippinError('KEY_MISMATCH', `expected ${expected}, got ${got} in the proving key`, {
    hint: 'load the proving key that belongs to this verification key',
  });
}

/** Points that are equal have the same text. */
function textOf(points: VerificationKeyPoints[keyof typeof POINTS]): string {
  return JSON.stringify(points, (_, value) => (typeof value === 'bigint' ? `${value}` : value)) ?? 'infinity';
}
