import { PippinError } from '../base/errors.js';
import type { CurveId } from '../curves/index.js';

/** The error for a proving key that does not belong to the verification key which the caller trusts. */
function keyMismatch(expected: string, got: string): PippinError {
  return new PippinError('KEY_MISMATCH', `expected ${expected}, got ${got} in the proving key`, {
    hint: 'load the proving key that belongs to this verification key',
  });
}

/** A text of parsed points and numbers; equal values have the same. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member)) ?? 'infinity';
}

/**
 * `KEY_MISMATCH` for the first member that two parsed verification keys do not have in common.
 *
 * @param members how messages call them, by their names.
 */
export function expectSameMembers<Values extends object>(
  own: Values,
  expected: Values,
  members: Readonly<Partial<Record<keyof Values, string>>>,
): void {
  for (const [name, called] of Object.entries(members) as [keyof Values, string][]) {
    if (textOf(own[name]) !== textOf(expected[name])) {
      throw keyMismatch(`the ${called} of the verification key`, 'another');
    }
  }
}

/**
 * The parsed verification key of a proving key. `KEY_MISMATCH` unless its curve, number of public signals and `members`
 * are the expected ones.
 *
 * @param ownOver parses it, over the curve of the proving key.
 */
export function expectSameKey<Key extends { readonly curve: CurveId; readonly publicSignals: number }>(
  curve: CurveId,
  ownOver: () => Key,
  expected: Key,
  members: Readonly<Partial<Record<keyof Key, string>>>,
): Key {
  if (expected.curve !== curve) throw keyMismatch(`a key over ${expected.curve}`, `one over ${curve}`);
  const own = ownOver();
  if (own.publicSignals !== expected.publicSignals) {
    throw keyMismatch(`${expected.publicSignals} public signals`, `${own.publicSignals}`);
  }
  expectSameMembers(own, expected, members);
  return own;
}
