import { throwIfAborted } from '../../base/abort.js';
import { type Curve, pointBytes } from '../../curves/index.js';
import { sectionHead, words } from '../../files/snarkjs/section-file.js';
import { generator } from '../../proofs/verified-points.js';
import type { ToldWork } from '../ceremony-work.js';
import { toMontgomery } from '../contributions.js';
import { firstChallenge } from './hash-points.js';
import { fileHead, POINTS, PTAU_SECTIONS, pointsOf } from './powers-file.js';
import { HISTORY } from './powers-history.js';

/** Points that are written at a time. */
const STEP_POINTS = 1 << 13;
/** The part of the work that is writing; the rest is the hash. */
const SHARE_OF_WRITING = 0.2;

/**
 * Writes powers of tau without a contribution: tau, alpha and beta are 1.
 *
 * @returns the challenge of the first contribution.
 */
export async function writeNewPowers(
  curve: Curve,
  power: number,
  write: (bytes: Uint8Array) => Promise<void>,
  { signal, newHash, onProgress }: Pick<ToldWork, 'signal' | 'newHash' | 'onProgress'>,
): Promise<Uint8Array> {
  for (const part of fileHead(curve, power, PTAU_SECTIONS.plain)) await write(part);
  for (const [i, { id, group }] of POINTS.entries()) {
    const size = pointBytes(curve.id, group);
    const point = toMontgomery(curve, generator(curve.id, group));
    const count = pointsOf(id, power);
    await write(sectionHead(id, count * size));
    for (let at = 0; at < count; at += STEP_POINTS) {
      throwIfAborted(signal);
      const step = new Uint8Array(Math.min(STEP_POINTS, count - at) * size);
      for (let to = 0; to < step.length; to += size) step.set(point, to);
      await write(step);
      onProgress((SHARE_OF_WRITING * (i + at / count)) / POINTS.length);
    }
  }
  await write(sectionHead(HISTORY, 4));
  await write(words(0));
  const tell = (done: number): void => onProgress(SHARE_OF_WRITING + (1 - SHARE_OF_WRITING) * done);
  return firstChallenge({ signal, newHash }, curve, power, tell);
}
