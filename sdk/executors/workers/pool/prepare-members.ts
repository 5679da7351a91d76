import type { PreparedBases } from '../../../bases/prepared.js';
import { hasCofactor } from '../../../curves/index.js';
import type { KernelPool } from './pool.js';
import { type PrepareRequest, prepareBases } from './prepare.js';
import { expectInSubgroup } from './subgroup-check.js';

/** The part of the work that is preparing, for progress, where points are also checked to lie in the subgroup. */
const SHARE_OF_PREPARING = 0.25;

/**
 * As `prepareBases`, and checks that all points lie in the subgroup of prime order (`INVALID_POINT`).
 *
 * @param what the points' name in the message.
 */
export async function prepareMembers(
  pool: KernelPool,
  request: PrepareRequest,
  what: string,
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress: (fraction: number) => void },
): Promise<PreparedBases> {
  const share = hasCofactor(request.curve, request.group) ? SHARE_OF_PREPARING : 1;
  const bases = await prepareBases(pool, request, { signal, onProgress: (fraction) => onProgress(share * fraction) });
  await expectInSubgroup(pool, bases, what, {
    signal,
    onProgress: (fraction) => onProgress(share + (1 - share) * fraction),
  });
  return bases;
}
