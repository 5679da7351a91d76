import { joinBytes } from '../../base/bytes.js';
import { wipe } from '../../base/free-memory.js';
import type { Curve } from '../../curves/index.js';
import { type ByteSource, memorySource, partOf, slicesOf } from '../../files/byte-source.js';
import { pairings } from '../../proofs/pairings.js';
import { expectMembers } from '../../proofs/verified-points.js';
import type { ToldWork } from '../ceremony-work.js';
import { ChaCha } from '../chacha.js';
import { drawSecret, type Secret } from '../contribute.js';
import { hashOfContribution, toUncompressed } from '../contributions.js';
import { uncompressedPoints } from '../powers/hash-points.js';
import { ScaledVectors } from '../scaled-section.js';
import { SecretScalars } from '../secret-scalars.js';
import type { WriteKey } from '../section-writer.js';
import { bellmanHistory, countBytes, openBellman } from './params-file.js';

/**
 * Writes bellman's parameters with one contribution more, as snarkjs 0.7.6: delta times the secret that the seed
 * determines, H and L divided by it, and the record of the contribution. What was drawn is overwritten when it is no
 * longer needed.
 *
 * @returns the hash of the contribution.
 */
export async function contributeToBellman(
  work: ToldWork,
  source: ByteSource,
  { curve, seed }: { readonly curve: Curve; readonly seed: Uint8Array },
  write: WriteKey,
): Promise<Uint8Array> {
  const params = await openBellman(source, curve);
  const { vectors, history, starts, deltaAt, historyAt } = params;
  const toScale = (['H', 'L'] as const).map((name) => ({ ...vectors[name], what: `the points ${name}` }));
  work.gpu.expect(curve.id, 'g1', Math.max(...toScale.map(({ count }) => count)));
  await work.open(curve.id);
  const copy = async (from: number, to: number): Promise<void> => {
    // A slice is freed after it was used: the file takes a copy.
    for await (const slice of slicesOf(partOf(source, from, to - from))) await write(slice.slice());
  };
  const stream = new ChaCha(seed);
  const scalars = new SecretScalars(curve.id);
  let secret: Secret | undefined;
  let scaled: ScaledVectors | undefined;
  try {
    const arithmetic = pairings(work.pool, curve.id, work.signal);
    await expectMembers(arithmetic, 'g1', [params.delta1], () => 'delta1');
    await expectMembers(arithmetic, 'g2', [params.delta2], () => 'delta2');
    const draw = { stream, scalars, curve, delta: params, history, arithmetic };
    secret = await drawSecret(draw, { name: undefined, beacon: undefined });
    const { onProgress } = work;
    scaled = new ScaledVectors(work, curve.id, toScale, { scalar: secret.inverse, encoding: 'canonical', onProgress });
    await copy(0, deltaAt);
    await write(joinBytes([secret.record.points.deltaAfter, secret.delta2].map(toUncompressed)));
    await copy(params.vectorsAt, starts.H);
    for (const vector of toScale) {
      await write(countBytes(vector.count));
      for await (const part of scaled.points(vector)) {
        const written = { group: 'g1', bytes: memorySource(part) } as const;
        for await (const points of uncompressedPoints(work, curve, written)) await write(points);
      }
    }
    await copy(starts.A, historyAt);
    await write(bellmanHistory({ ...history, contributions: [...history.contributions, secret.record] }));
    return hashOfContribution(secret.record);
  } finally {
    await scaled?.close();
    stream.wipe();
    scalars.wipe();
    if (secret !== undefined) wipe(secret.inverse);
  }
}
