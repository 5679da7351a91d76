import { joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type Curve, type GroupId, pointBytes } from '../../curves/index.js';
import { type ByteSource, partOf } from '../../files/byte-source.js';
import { viewOf, words } from '../../files/snarkjs/section-file.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { type ContributionRecord, HASH_BYTES, type History, recordOf, toUncompressed } from '../contributions.js';
import { fromUncompressed, readUncompressed } from '../uncompressed-points.js';

/**
 * The parameters of bellman's ceremonies, as snarkjs reads and writes them: all points uncompressed, all numbers u32,
 * big-endian.
 *
 * - alpha1, beta1, beta2, gamma2, delta1, delta2.
 * - The number of points and the points of IC, H, L (of the private signals; C of a .zkey), A, B in G1, B in G2. H are
 *   powers of tau times Z(tau) / delta, one fewer than the domain has elements.
 * - The hash of the circuit, and the number of contributions. Each has delta afterwards, s and s x in G1, x times a
 *   point of G2, and the transcript; no name, and not what a beacon was made from.
 */
export const VECTORS = [
  { name: 'IC', group: 'g1' },
  { name: 'H', group: 'g1' },
  { name: 'L', group: 'g1' },
  { name: 'A', group: 'g1' },
  { name: 'B1', group: 'g1' },
  { name: 'B2', group: 'g2' },
] as const;
export type VectorName = (typeof VECTORS)[number]['name'];

/** Room for some 50 000 contributions, as in a .zkey. */
const MOST_HISTORY_BYTES = 2 ** 25;

export interface BellmanParams {
  readonly curve: Curve;
  /** In the boundary form. */
  readonly delta1: Uint8Array;
  readonly delta2: Uint8Array;
  /** Where delta1 begins, and where the points after delta2 do. */
  readonly deltaAt: number;
  readonly vectorsAt: number;
  /** The vectors; their bytes are in the boundary form. */
  readonly vectors: Readonly<Record<VectorName, KeyVector>>;
  /** Where each vector's number is, and where the history begins. */
  readonly starts: Readonly<Record<VectorName, number>>;
  readonly historyAt: number;
  readonly history: History;
}

/**
 * Reads all but the vectors. `MALFORMED_FILE` for a file that ends early or goes on, `INVALID_POINT` for a point of the
 * header or the history that is infinite or not on its curve.
 */
export async function openBellman(source: ByteSource, curve: Curve): Promise<BellmanParams> {
  const [g1, g2] = [pointBytes(curve.id, 'g1'), pointBytes(curve.id, 'g2')];
  const deltaAt = 2 * g1 + 2 * g2;
  const vectorsAt = deltaAt + g1 + g2;
  const delta1 = readUncompressed(await source.read(deltaAt, g1), curve, 'g1', 'delta1');
  const delta2 = readUncompressed(await source.read(deltaAt + g1, g2), curve, 'g2', 'delta2');
  const vectors: Partial<Record<VectorName, KeyVector>> = {};
  const starts: Partial<Record<VectorName, number>> = {};
  let at = vectorsAt;
  for (const { name, group } of VECTORS) {
    const size = pointBytes(curve.id, group);
    const count = await readCount(source, at);
    starts[name] = at;
    if (at + 4 + count * size > source.size)
      throw malformed(`${count} points ${name}`, `a file of ${source.size} bytes`);
    vectors[name] = { group, count, bytes: fromUncompressed(partOf(source, at + 4, count * size), size) };
    at += 4 + count * size;
  }
  return {
    curve,
    delta1,
    delta2,
    deltaAt,
    vectorsAt,
    vectors: vectors as BellmanParams['vectors'],
    starts: starts as BellmanParams['starts'],
    historyAt: at,
    history: await readHistory(partOf(source, at, source.size - at), curve),
  };
}

async function readCount(source: ByteSource, at: number): Promise<number> {
  return viewOf(await source.read(at, 4)).getUint32(0);
}

const POINT_NAMES = ['deltaAfter', 'g1s', 'g1sx', 'g2spx'] as const;

function groupOf(name: (typeof POINT_NAMES)[number]): GroupId {
  return name === 'g2spx' ? 'g2' : 'g1';
}

async function readHistory(source: ByteSource, curve: Curve): Promise<History> {
  if (source.size > MOST_HISTORY_BYTES) {
    throw malformed(`a history of at most ${MOST_HISTORY_BYTES} bytes`, `${source.size}`);
  }
  const circuitHash = await source.read(0, HASH_BYTES);
  const count = await readCount(source, HASH_BYTES);
  const each = POINT_NAMES.reduce((sum, name) => sum + pointBytes(curve.id, groupOf(name)), HASH_BYTES);
  const expected = HASH_BYTES + 4 + count * each;
  if (source.size !== expected) throw malformed(`${count} contributions in ${expected} bytes`, `${source.size} bytes`);
  const bytes = await source.read(0, source.size);
  const contributions: ContributionRecord[] = [];
  let at = HASH_BYTES + 4;
  const take = (length: number): Uint8Array => {
    at += length;
    return bytes.slice(at - length, at);
  };
  for (let i = 1; i <= count; i++) {
    const [deltaAfter, g1s, g1sx, g2spx] = POINT_NAMES.map((name) => {
      const group = groupOf(name);
      return readUncompressed(take(pointBytes(curve.id, group)), curve, group, `${name} of contribution ${i}`);
    });
    const points = { deltaAfter: deltaAfter!, g1s: g1s!, g1sx: g1sx!, g2spx: g2spx! };
    const rest = { transcript: take(HASH_BYTES), name: undefined, beacon: undefined };
    contributions.push(recordOf(curve, points, rest));
  }
  return { circuitHash, contributions };
}

/** What such a file ends with. */
export function bellmanHistory({ circuitHash, contributions }: History): Uint8Array {
  const records = contributions.flatMap(({ points, transcript }) => [
    ...POINT_NAMES.map((name) => toUncompressed(points[name])),
    transcript,
  ]);
  return joinBytes([circuitHash, countBytes(contributions.length), ...records]);
}

/** A number of points or contributions. */
export function countBytes(count: number): Uint8Array {
  return words(count).reverse();
}

function malformed(expected: string, got: string): PippinError {
  return new PippinError('MALFORMED_FILE', `expected ${expected} in bellman's parameters, got ${got}`, {
    hint: 'the curve must be the one of the key',
  });
}
