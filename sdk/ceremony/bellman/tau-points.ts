import { bigintToBytes, newBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { inverse, mod, power } from '../../curves/modular.js';
import type { PointEncoding } from '../../executors/workers/kernel/point-kernel.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { rootOfDomain } from '../../polynomials/domain.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import { type CeremonyWork, CHUNK_POINTS } from '../ceremony-work.js';
import { transformPoints } from '../powers/point-transform.js';
import { partOfVector } from '../ratio-check.js';

/**
 * The points H of a key in two forms. A .zkey has L_j, which belong to the odd powers w^(2 j + 1) of a
 * primitive 2n-th root of unity w; bellman has T_i = tau^i Z(tau) / delta for i < n. With the n-th root w^2:
 *
 *     T_i = -2 w^i sum_j w^(2 i j) L_j,    L_j = -1 / (2 n) sum_i w^(-2 i j) w^-i T_i.
 */

/** Points of one job, which share inversions. */
const SLICE_POINTS = 1 << 9;
/** The part of the work that is the transform. */
const SHARE_OF_TRANSFORM = 0.9;

/** All T_i, as a .zkey has points; the last one, which no quotient polynomial needs, is left out. */
export async function tauPointsOf(
  work: CeremonyWork,
  curve: Curve,
  h: KeyVector,
  onProgress: (fraction: number) => void,
): Promise<Uint8Array> {
  const n = h.count;
  const points = await preparedPoints(work, curve, h, { count: n, encoding: 'montgomery', what: 'the points H' });
  const vector = { curve, group: 'g1', points } as const;
  await transformPoints(work, vector, (done) => onProgress(SHARE_OF_TRANSFORM * done));
  reverseOrder(points, preparedPointBytes(curve.id, 'g1'));
  await scaleByPowers(work, curve, points, { first: -2n, ratio: rootOfDomain(curve.id, 2 * n) });
  onProgress(1);
  return writtenPoints(work, curve, points.subarray(0, (n - 1) * preparedPointBytes(curve.id, 'g1')));
}

/** All L_j, as a .zkey has points, from n - 1 points T_i; the last one counts as infinite. */
export async function hPointsOf(
  work: CeremonyWork,
  curve: Curve,
  tau: KeyVector,
  onProgress: (fraction: number) => void,
): Promise<Uint8Array> {
  const n = tau.count + 1;
  const points = await preparedPoints(work, curve, tau, { count: n, encoding: 'canonical', what: 'the points H' });
  const r = curve.fr.modulus;
  const factors = { first: -inverse(BigInt(2 * n), r), ratio: inverse(rootOfDomain(curve.id, 2 * n), r) };
  await scaleByPowers(work, curve, points, factors);
  const vector = { curve, group: 'g1', points } as const;
  await transformPoints(work, vector, (done) => onProgress(1 - SHARE_OF_TRANSFORM + SHARE_OF_TRANSFORM * done));
  return writtenPoints(work, curve, points);
}

/** Points of the subgroup of prime order, prepared; zeros for infinite ones, and for those behind the vector's end. */
async function preparedPoints(
  { pool, signal }: CeremonyWork,
  curve: Curve,
  vector: KeyVector,
  { count, encoding, what }: { readonly count: number; readonly encoding: PointEncoding; readonly what: string },
): Promise<Uint8Array> {
  const size = preparedPointBytes(curve.id, 'g1');
  const points = newBytes(count * size);
  for (let from = 0; from < vector.count; from += CHUNK_POINTS) {
    const some = partOfVector(curve.id, vector, from, Math.min(CHUNK_POINTS, vector.count - from));
    const { group, bytes } = some;
    const request = { curve: curve.id, group, encoding, count: some.count, firstIndex: from, points: bytes } as const;
    const prepared = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined });
    for (let i = 0; i < prepared.kept; i++) {
      const to = from + (prepared.indices?.[i] ?? i);
      points.set(prepared.points.subarray(i * size, (i + 1) * size), to * size);
    }
    freeMemory(prepared.points);
  }
  return points;
}

/** The points P_0, P_(n-1), .., P_1 in the place of P_0, P_1, .., P_(n-1). */
function reverseOrder(points: Uint8Array, size: number): void {
  const n = points.length / size;
  for (let i = 1, j = n - 1; i < j; i++, j--) {
    const kept = points.slice(i * size, (i + 1) * size);
    points.copyWithin(i * size, j * size, (j + 1) * size);
    points.set(kept, j * size);
  }
}

/** Multiplies point i by first ratio^i, in place: by butterflies whose other operands are infinite. */
async function scaleByPowers(
  { pool, module: moduleOf, signal }: CeremonyWork,
  curve: Curve,
  points: Uint8Array,
  { first, ratio }: { readonly first: bigint; readonly ratio: bigint },
): Promise<void> {
  const { id, fr } = curve;
  const [module, rows] = await Promise.all([moduleOf(id, 'roots'), moduleOf(id, 'rows')]);
  const size = preparedPointBytes(id, 'g1');
  const scale = async (from: number, to: number): Promise<void> => {
    const made = await retryOnDeadWorker(() => {
      const pairs = newBytes(2 * (to - from) * size);
      pairs.set(points.subarray(from * size, to * size), (to - from) * size);
      const factors = newBytes((to - from) * SCALAR_BYTES);
      let factor = mod(first * power(ratio, BigInt(from), fr.modulus), fr.modulus);
      for (let at = 0; at < factors.length; at += SCALAR_BYTES, factor = (factor * ratio) % fr.modulus) {
        factors.set(bigintToBytes(factor, SCALAR_BYTES), at);
      }
      const args = { group: 'g1', points: pairs, factors, module, rows } as const;
      return pool.call(id, 'pointButterflies', args, { signal, moved: true });
    });
    points.set(made.subarray(0, (to - from) * size), from * size);
    freeMemory(made);
  };
  await eachSlice(pool, points.length / size, SLICE_POINTS, scale, { signal });
}

/** Prepared points, or zeros, as a .zkey has them. */
async function writtenPoints({ pool, module: moduleOf, signal }: CeremonyWork, curve: Curve, points: Uint8Array) {
  const module = await moduleOf(curve.id, 'roots');
  const size = preparedPointBytes(curve.id, 'g1');
  const written = newBytes((points.length / size) * pointBytes(curve.id, 'g1'));
  const write = async (from: number, to: number): Promise<void> => {
    const made = await retryOnDeadWorker(() => {
      const args = { group: 'g1', points: points.slice(from * size, to * size), to: 'ptau', module } as const;
      return pool.call(curve.id, 'writePoints', args, { signal, moved: true });
    });
    written.set(made, from * pointBytes(curve.id, 'g1'));
    freeMemory(made);
  };
  await eachSlice(pool, points.length / size, SLICE_POINTS, write, { signal });
  return written;
}
