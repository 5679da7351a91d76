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
import { scaledSection } from '../scaled-section.js';
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
  await work.open(curve.id);
  const copy = async (from: number, to: number): Promise<void> => {
    // A slice is freed after it was used: the file takes a copy.
    for await (const slice of slicesOf(partOf(source, from, to - from))) await write(slice.slice());
  };
  const stream = new ChaCha(seed);
  const scalars = new SecretScalars(curve.id);
  let secret: Secret | undefined;
  try {
    const arithmetic = pairings(work.pool, curve.id, work.signal);
    await expectMembers(arithmetic, 'g1', [params.delta1], () => 'delta1');
    await expectMembers(arithmetic, 'g2', [params.delta2], () => 'delta2');
    const draw = { stream, scalars, curve, delta: params, history, arithmetic };
    secret = await drawSecret(draw, { name: undefined, beacon: undefined });
    await copy(0, deltaAt);
    await write(joinBytes([secret.record.points.deltaAfter, secret.delta2].map(toUncompressed)));
    await copy(params.vectorsAt, starts.H);
    const all = vectors.H.count + vectors.L.count;
    let before = 0;
    for (const name of ['H', 'L'] as const) {
      await write(countBytes(vectors[name].count));
      const parts = scaledSection(work, curve.id, vectors[name], {
        scalar: secret.inverse,
        what: `the points ${name}`,
        encoding: 'canonical',
        onProgress: (points) => work.onProgress((before + points) / all),
      });
      for await (const part of parts) {
        const scaled = { group: 'g1', bytes: memorySource(part) } as const;
        for await (const points of uncompressedPoints(work, curve, scaled)) await write(points);
      }
      before += vectors[name].count;
    }
    await copy(starts.A, historyAt);
    await write(bellmanHistory({ ...history, contributions: [...history.contributions, secret.record] }));
    return hashOfContribution(secret.record);
  } finally {
    stream.wipe();
    scalars.wipe();
    if (secret !== undefined) wipe(secret.inverse);
  }
}
