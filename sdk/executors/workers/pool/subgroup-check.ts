import { joinBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { freeMemory } from '../../../base/free-memory.js';
import { type PreparedBases, pointForm, preparedPointBytes } from '../../../bases/prepared.js';
import { CURVES, type CurveId, type GroupId, hasCofactor, pointBytes } from '../../../curves/index.js';
import { encodePoint } from '../../../curves/point-bytes.js';
import { randomScalar } from '../../../curves/random.js';
import { retryOnDeadWorker } from '../../../recovery/attempt.js';
import { ROUNDS, subsetSumsOf } from '../kernel/subgroup-kernel.js';
import type { KernelPool } from './pool.js';
import { type PrepareRequest, prepareBases } from './prepare.js';
import { eachSlice, type SliceOptions } from './slices.js';

/** Points of one job: many for each bucket, few enough that other work soon has its turn. */
const SLICE_POINTS = 1 << 14;

/** How points are checked. */
interface CheckOptions extends SliceOptions {
  /** Rounds of labels: a point outside the subgroup passes with probability 2^(-8 rounds) at most. Default 5: 2^-40. */
  readonly rounds?: number | undefined;
}

/**
 * Checks that all points lie in the subgroup of prime order (docs/strategies/subgroup-check.md): `INVALID_POINT` if
 * not.
 *
 * @param what the points' name in the message.
 */
export async function expectInSubgroup(
  pool: KernelPool,
  { curve, group, form, kept, points, exceptional }: PreparedBases,
  what: string,
  options: CheckOptions = {},
): Promise<void> {
  if (!hasCofactor(curve, group)) return;
  // Exceptional points have an order of 2 or 4.
  if (exceptional.length > 0) throw outside(curve, group, what);
  if (kept === 0) return;
  const { signal, rounds = ROUNDS } = options;
  const bytes = preparedPointBytes(curve, group);
  const shift = form === 'edwards' ? await randomBase(pool, curve, signal) : undefined;
  const sums = new Array<Uint8Array>(Math.ceil(kept / SLICE_POINTS));
  const sum = async (from: number, to: number): Promise<void> => {
    sums[from / SLICE_POINTS] = await retryOnDeadWorker(() => {
      const own = points.slice(from * bytes, to * bytes);
      const args = { group, form, points: own, rounds, ...(shift === undefined ? {} : { shift: shift.slice() }) };
      return pool.call(curve, 'subsetSums', args, { signal, moved: true });
    });
  };
  await eachSlice(pool, kept, SLICE_POINTS, sum, options);
  const args = { group, points: bySubset(sums, subsetSumsOf(rounds), pointBytes(curve, group)), terms: sums.length };
  if (!(await pool.call(curve, 'sumsInSubgroup', args, { signal, urgent: true }))) throw outside(curve, group, what);
}

/** The subset sums of all slices: all sums for the first subset, then for the second, and so on. */
function bySubset(sums: readonly Uint8Array[], subsets: number, bytes: number): Uint8Array {
  const points = new Uint8Array(subsets * sums.length * bytes);
  for (let subset = 0; subset < subsets; subset++) {
    const own = sums.map((ofSlice) => ofSlice.subarray(subset * bytes, (subset + 1) * bytes));
    points.set(joinBytes(own), subset * sums.length * bytes);
  }
  freeMemory(...sums);
  return points;
}

/** A random point of the subgroup of G1, prepared. */
async function randomBase(pool: KernelPool, curve: CurveId, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const { g1 } = CURVES[curve];
  const generator = encodePoint(curve, 'g1', g1.generator);
  const scalars = randomScalar(curve);
  const group = 'g1';
  const point = await pool.call(curve, 'combine', { group, points: generator, scalars }, { signal, urgent: true });
  const args = { group, form: pointForm(curve, group), encoding: 'canonical', points: point } as const;
  return (await pool.call(curve, 'prepareBases', args, { signal, urgent: true })).points;
}

function outside(curve: CurveId, group: GroupId, what: string): PippinError {
  return new PippinError(
    'INVALID_POINT',
    `expected ${what} in the subgroup of prime order of ${CURVES[curve].name} ${group}, got at least one outside of it`,
  );
}

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
  { signal, onProgress, rounds }: CheckOptions & { readonly onProgress: (fraction: number) => void },
): Promise<PreparedBases> {
  const share = hasCofactor(request.curve, request.group) ? SHARE_OF_PREPARING : 1;
  const bases = await prepareBases(pool, request, { signal, onProgress: (fraction) => onProgress(share * fraction) });
  await expectInSubgroup(pool, bases, what, {
    signal,
    rounds,
    onProgress: (fraction) => onProgress(share + (1 - share) * fraction),
  });
  return bases;
}
