import { joinBytes } from '../../base/bytes.js';
import { freeMemory } from '../../base/free-memory.js';
import { CURVES, type Curve } from '../../curves/index.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import { type ByteSource, memorySource } from '../../files/byte-source.js';
import type { Zkey } from '../../files/snarkjs/zkey.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { type CeremonyWork, CHUNK_POINTS, type ToldWork } from '../ceremony-work.js';
import { openKey } from '../contribute.js';
import { toUncompressed } from '../contributions.js';
import { uncompressedPoints } from '../powers/hash-points.js';
import { partOfVector } from '../ratio-check.js';
import type { WriteKey } from '../section-writer.js';
import { bellmanHistory, countBytes, VECTORS, type VectorName } from './params-file.js';
import { tauPointsOf } from './tau-points.js';

/** The section of a .zkey with the points of the public signals. */
const IC_SECTION = 3;
const HEADER_POINTS = ['alpha1', 'beta1', 'beta2', 'gamma2', 'delta1', 'delta2'] as const;

/**
 * Writes a key as the parameters of bellman's ceremonies, byte for byte as snarkjs 0.7.6. `INVALID_POINT` for a
 * point that is not in the group of prime order; further errors as of the readers of a .zkey.
 */
export async function writeBellman(work: ToldWork, source: ByteSource, write: WriteKey): Promise<void> {
  const { file, key, history } = await openKey(source);
  const curve = CURVES[key.curve];
  await work.open(key.curve);
  await write(joinBytes(HEADER_POINTS.map((name) => toUncompressed(key.points[name]))));
  for (const [i, { name }] of VECTORS.entries()) {
    const tell = (done: number): void => work.onProgress((i + done) / VECTORS.length);
    const vector =
      name === 'H' ? await tauVector(work, curve, key, tell) : vectorOf(key, file.section(IC_SECTION), name);
    await write(countBytes(vector.count));
    for (let from = 0; from < vector.count; from += CHUNK_POINTS) {
      const part = partOfVector(key.curve, vector, from, Math.min(CHUNK_POINTS, vector.count - from));
      if (name !== 'H') await expectMembers(work, curve, part, { what: `the points ${name}`, from });
      for await (const points of uncompressedPoints(work, curve, part)) await write(points);
    }
    tell(1);
  }
  await write(bellmanHistory(history));
}

async function tauVector(work: CeremonyWork, curve: Curve, { vectors }: Zkey, onProgress: (fraction: number) => void) {
  const points = await tauPointsOf(work, curve, vectors.H, onProgress);
  return { group: 'g1', count: vectors.H.count - 1, bytes: memorySource(points) } as const;
}

function vectorOf({ vectors, facts }: Zkey, ic: ByteSource, name: Exclude<VectorName, 'H'>): KeyVector {
  if (name === 'IC') return { group: 'g1', count: facts.publicSignals + 1, bytes: ic };
  return vectors[name === 'L' ? 'C' : name];
}

async function expectMembers(
  { pool, signal }: CeremonyWork,
  curve: Curve,
  { group, count, bytes }: KeyVector,
  { what, from }: { readonly what: string; readonly from: number },
): Promise<void> {
  const request = { curve: curve.id, group, encoding: 'montgomery', count, firstIndex: from, points: bytes } as const;
  freeMemory((await prepareMembers(pool, request, what, { signal, onProgress: () => undefined })).points);
}
