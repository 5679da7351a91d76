import type { CurveId } from '../../curves/index.js';
import { Transcript } from '../transcript.js';

/**
 * The challenge gamma that combines k openings at one point z, by the Fiat-Shamir transform: the hash of k, z, the k
 * commitments and the k values (see `Transcript`). The number comes first, so that no two statements hash the same
 * bytes.
 *
 * @param commitments affine points of G1 in the boundary form.
 * @param values from 0 to r - 1.
 */
export function batchChallenge(
  curve: CurveId,
  commitments: readonly Uint8Array[],
  point: bigint,
  values: readonly bigint[],
): bigint {
  const transcript = new Transcript(curve).scalar(BigInt(commitments.length)).scalar(point);
  for (const commitment of commitments) transcript.point(commitment);
  for (const value of values) transcript.scalar(value);
  return transcript.challenge();
}
