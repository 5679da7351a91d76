import { pause, throwIfAborted } from '../../base/abort.js';
import { freeMemory } from '../../base/free-memory.js';
import { type Curve, type GroupId, pointBytes } from '../../curves/index.js';
import { eachSlice } from '../../executors/workers/pool/slices.js';
import type { ByteSource } from '../../files/byte-source.js';
import { generator } from '../../proofs/verified-points.js';
import { retryOnDeadWorker } from '../../recovery/attempt.js';
import { type BulkHash, type CeremonyWork, CHUNK_POINTS } from '../ceremony-work.js';
import { POINTS, pointsOf } from './powers-file.js';
import { blankHash, uncompressed } from './powers-history.js';

/** Points that a worker converts in one call, and points hashed between two pauses. */
const SLICE_POINTS = 1 << 12;
const STEP_POINTS = 1 << 13;

/** Adds a section's points to a hash, not compressed. All are finite, and their coordinates below p. */
export async function hashPoints(
  work: CeremonyWork,
  curve: Curve,
  points: { readonly group: GroupId; readonly bytes: ByteSource },
  hash: BulkHash,
): Promise<void> {
  for await (const part of uncompressedPoints(work, curve, points)) {
    hash.update(part);
    freeMemory(part);
  }
}

/**
 * Points of a .ptau or .zkey in the uncompressed form of ceremonies, part by part: canonical and big-endian, c1 before
 * c0, infinity all zero. Their coordinates are below p.
 */
export async function* uncompressedPoints(
  { pool, module: moduleOf, signal }: CeremonyWork,
  curve: Curve,
  { group, bytes }: { readonly group: GroupId; readonly bytes: ByteSource },
): AsyncGenerator<Uint8Array> {
  const module = await moduleOf(curve.id, 'roots');
  const size = pointBytes(curve.id, group);
  const count = bytes.size / size;
  for (let from = 0; from < count; from += CHUNK_POINTS) {
    const some = Math.min(CHUNK_POINTS, count - from);
    const parts: Uint8Array[] = [];
    const convert = async (begin: number, end: number): Promise<void> => {
      parts[begin / SLICE_POINTS] = await retryOnDeadWorker(async () => {
        const points = await bytes.read((from + begin) * size, (end - begin) * size);
        return pool.call(curve.id, 'writePoints', { group, points, to: 'hash', module }, { signal, moved: true });
      });
    };
    await eachSlice(pool, some, SLICE_POINTS, convert, { signal });
    yield* parts;
  }
}

/** The challenge of the first contribution: the hash of the hash of nothing, and of generators alone. */
export async function firstChallenge(
  { newHash, signal }: Pick<CeremonyWork, 'newHash' | 'signal'>,
  curve: Curve,
  power: number,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<Uint8Array> {
  const hash = newHash();
  hash.update(blankHash());
  for (const [i, { id, group }] of POINTS.entries()) {
    const point = uncompressed([generator(curve.id, group)]);
    const count = pointsOf(id, power);
    const step = new Uint8Array(Math.min(count, STEP_POINTS) * point.length);
    for (let at = 0; at < step.length; at += point.length) step.set(point, at);
    for (let at = 0; at < count; at += STEP_POINTS) {
      throwIfAborted(signal);
      hash.update(step.subarray(0, Math.min(STEP_POINTS, count - at) * point.length));
      onProgress((i + at / count) / POINTS.length);
      await pause(0, [signal]);
    }
  }
  return hash.digest();
}
