import { equalBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import {
  parseVerificationKey,
  type VerificationKeyPoints,
  verificationKeyToJson,
} from '../../files/snarkjs/groth16-json.js';
import type { Zkey } from '../../files/snarkjs/zkey.js';
import { expectSameKey } from '../key-mismatch.js';

/** What the caller says about a key. */
export interface KeyExpectations {
  /** The verification key that it must have, as plain JSON; any if it is left out. */
  readonly verificationKey?: unknown;
  /** Whether it may lack a contribution in phase 2 of its set-up. */
  readonly allowUnfinished?: boolean;
}

/** The points of a verification key, and how they are called in a message. */
const POINTS = { alpha1: 'alpha', beta2: 'beta', gamma2: 'gamma', delta2: 'delta', ic: 'IC' } as const;

/**
 * `KEY_MISMATCH` unless a proving key belongs to a verification key in snarkjs' form, which the caller trusts. For
 * anything else than a verification key the errors of `parseVerificationKey`.
 */
export function expectVerificationKey({ curve, points }: Pick<Zkey, 'curve' | 'points'>, pinned: unknown): void {
  expectSameKey(curve, () => parsed(verificationKeyToJson(curve, points)), parsed(pinned), POINTS);
}

function parsed(verificationKey: unknown): VerificationKeyPoints & { readonly publicSignals: number } {
  const key = parseVerificationKey(verificationKey);
  return { ...key, publicSignals: key.ic.length - 1 };
}

/**
 * `KEY_UNFINISHED` if gamma and delta of a key are the same point, given by equal bytes if they are equal.
 *
 * The second phase of the set-up multiplies delta, which begins as gamma, by secrets of those who contribute (Bowe,
 * Gabizon, Miers, "Scalable Multi-party Computation for zk-SNARK Parameters in the Random Beacon Model", 2017/1050).
 * Without a contribution the equation of a proof, e(A, B) = e(alpha, beta) e(input + C, gamma), holds for A = alpha, B
 * = beta and C = -input, whatever the input: anyone can forge.
 */
export function expectFinished(gamma2: Uint8Array, delta2: Uint8Array): void {
  if (!equalBytes(gamma2, delta2)) return;
  throw new PippinError(
    'KEY_UNFINISHED',
    'expected a key with a contribution in phase 2 of its set-up, got one whose gamma and delta are equal: anyone can forge proofs for it',
    {
      hint: 'get the key that the ceremony ended with; for a key of your own run snarkjs zkey contribute. allowUnfinished: true takes it, for tests',
    },
  );
}
