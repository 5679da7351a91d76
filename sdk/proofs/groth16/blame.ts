import { PippinError } from '../../base/errors.js';
import type { CurveId } from '../../curves/index.js';
import type { KeyPoints } from '../../files/snarkjs/zkey.js';
import type { PairingArithmetic } from '../pairings.js';
import { isSameMultiple } from '../verified-points.js';
import type { MsmsOfB } from './prove.js';

/**
 * The error `PROOF_INVALID` for a proof that does not verify, with what is known of the cause.
 *
 * A key has some values in both groups, as the same multiple of both generators: beta, delta, and each element of B. If
 * such a pair does not match, which a pairing tells, the key is wrong whatever the witness. Otherwise either may be: a
 * .zkey has no matrix C, so that A w * B w = C w cannot be checked, and its other points have no counterpart to compare
 * with.
 */
export async function blame(
  arithmetic: PairingArithmetic,
  curve: CurveId,
  { beta1, beta2, delta1, delta2 }: KeyPoints,
  { B1, B2 }: MsmsOfB,
): Promise<PippinError> {
  const pairs = [
    ['beta', beta1, beta2],
    ['delta', delta1, delta2],
    ['the points of B', B1, B2],
  ] as const;
  const fits = await Promise.all(pairs.map(([, inG1, inG2]) => isSameMultiple(arithmetic, curve, inG1, inG2)));
  const misfits = pairs.filter((_, i) => !fits[i]).map(([name]) => name);
  if (misfits.length === 0) {
    return new PippinError(
      'PROOF_INVALID',
      'expected a proof that verifies, got one that does not: the witness does not satisfy the circuit of this key, or the key is wrong',
      {
        hint: 'snarkjs wtns check tells whether the witness satisfies the circuit, snarkjs zkey verify whether the key is right',
      },
    );
  }
  return new PippinError(
    'PROOF_INVALID',
    `expected a key whose points fit each other, got one that differs between G1 and G2 in ${misfits.join(' and ')}: no witness gives a proof`,
    {
      hint: 'get the key again from where it was published',
    },
  );
}
