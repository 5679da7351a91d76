import { bigintToBytes, copyBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { freeMemory, wipe } from '../../base/free-memory.js';
import { preparedPointBytes } from '../../bases/prepared.js';
import { type Curve, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import type { PointEncoding } from '../../executors/workers/kernel/point-kernel.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import { partOf } from '../../files/byte-source.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import { type CeremonyWork, COST_OF_G2, SLICE_POINTS } from '../ceremony-work.js';
import { POINTS, type PowersSection, pointsOf, sectionName } from './powers-file.js';
import type { PowersKey } from './powers-key.js';

/** Bytes of points in memory at a time. The hash's state depends on it, and so it is snarkjs'. */
const CHUNK_BYTES = 2 ** 20;

/** Powers of tau that a contribution is made to. */
export interface PowersToScale {
  readonly curve: Curve;
  readonly power: number;
  readonly encoding: PointEncoding;
  vectorOf(section: PowersSection): KeyVector;
}

/** Some points of a section, from the point with the number `from` on, after a contribution. */
export interface ScaledChunk {
  readonly section: PowersSection;
  readonly from: number;
  /** As a .ptau file has them, and compressed. */
  readonly written: Uint8Array;
  readonly compressed: Uint8Array;
}

/**
 * All points times the powers of tau, and times alpha or beta, section by section and chunk by chunk. `INVALID_POINT`
 * for a point that is infinite, off its curve or outside of the subgroup of prime order.
 *
 * @param onProgress called with the done fraction.
 */
export async function* scaledPowers(
  work: CeremonyWork,
  powers: PowersToScale,
  { tau, alpha, beta }: PowersKey['secrets'],
  onProgress: (fraction: number) => void,
): AsyncGenerator<ScaledChunk> {
  const { curve, power, encoding } = powers;
  const one = bigintToBytes(1n, SCALAR_BYTES);
  const first = { 2: one, 3: one, 4: alpha, 5: beta, 6: beta };
  const cost = ({ id, group }: PowersSection): number => pointsOf(id, power) * (group === 'g2' ? COST_OF_G2 : 1);
  const all = POINTS.reduce((sum, section) => sum + cost(section), 0);
  let before = 0;
  for (const section of POINTS) {
    const scaling = {
      first: first[section.id],
      ratio: tau,
      what: sectionName(section),
      encoding,
      onProgress: (done: number): void => onProgress((before + done * cost(section)) / all),
    };
    for await (const chunk of scaledChunks(work, curve, powers.vectorOf(section), scaling)) yield { section, ...chunk };
    before += cost(section);
  }
}

interface PowersScaling {
  readonly first: Uint8Array;
  readonly ratio: Uint8Array;
  readonly what: string;
  readonly encoding: PointEncoding;
  /** Called with the done fraction. */
  readonly onProgress: (fraction: number) => void;
}

/** Point i of a section times first ratio^i, chunk by chunk. */
async function* scaledChunks(
  work: CeremonyWork,
  curve: Curve,
  { group, count, bytes }: KeyVector,
  { first, ratio, what, encoding, onProgress }: PowersScaling,
): AsyncGenerator<Omit<ScaledChunk, 'section'>> {
  const { pool, signal } = work;
  const [module, rows, elements] = await Promise.all([
    work.module(curve.id, 'roots'),
    work.module(curve.id, 'rows'),
    work.module(curve.id, 'elements'),
  ]);
  const size = pointBytes(curve.id, group);
  const packedBytes = preparedPointBytes(curve.id, group);
  const chunk = Math.floor(CHUNK_BYTES / size);
  for (let from = 0; from < count; from += chunk) {
    const some = Math.min(chunk, count - from);
    const points = await finiteMembers(
      work,
      curve,
      { group, count: some, bytes: partOf(bytes, from * size, some * size) },
      { what, from, encoding },
    );
    const [written, compressed] = [new Uint8Array(some * size), new Uint8Array((some * size) / 2)];
    const scale = async (begin: number, end: number): Promise<void> => {
      const result = await retryOnDeadWorker(() => {
        const own = points.slice(begin * packedBytes, end * packedBytes);
        const args = {
          group,
          points: own,
          first: copyBytes(first),
          ratio: copyBytes(ratio),
          from: from + begin,
          module,
          rows,
          elements,
        };
        const call = pool.call(curve.id, 'scalePointsByPowers', args, { signal, moved: true });
        return call.finally(() => wipe(args.first, args.ratio));
      });
      const end1 = (end - begin) * size;
      written.set(result.subarray(0, end1), begin * size);
      compressed.set(result.subarray(end1), (begin * size) / 2);
      freeMemory(result);
    };
    await eachSlice(pool, some, SLICE_POINTS, scale, {
      signal,
      onProgress: (fraction) => onProgress((from + some * fraction) / count),
    });
    freeMemory(points);
    yield { from, written, compressed };
  }
}

interface FiniteMembers {
  /** The points' name in messages, and the number of the first. */
  readonly what: string;
  readonly from: number;
  /** Default: as in a .ptau file. */
  readonly encoding?: PointEncoding;
}

/**
 * Points of a section, prepared. `INVALID_POINT` for one that is infinite, off its curve or outside of the subgroup of
 * prime order.
 */
export async function finiteMembers(
  { pool, signal }: CeremonyWork,
  curve: Curve,
  { group, count, bytes }: KeyVector,
  { what, from, encoding = 'montgomery' }: FiniteMembers,
): Promise<Uint8Array> {
  const request = { curve: curve.id, group, encoding, count, firstIndex: from, points: bytes } as const;
  const prepared = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined }).catch(
    (error: unknown) => {
      if (!(error instanceof PippinError) || error.code !== 'INVALID_POINT') throw error;
      throw new PippinError('INVALID_POINT', `expected ${what} to be valid: ${error.message}`, { cause: error });
    },
  );
  if (prepared.kept === count) return prepared.points;
  const kept = new Set(prepared.indices);
  let index = 0;
  while (kept.has(index)) index++;
  throw new PippinError('INVALID_POINT', `expected ${what} as finite points, got infinity at ${from + index}`);
}
