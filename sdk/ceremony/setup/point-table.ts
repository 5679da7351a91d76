import { preparedPointBytes } from '../../bases/prepared.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import type { CeremonyWork } from '../ceremony-work.js';

/** Checked points of a .ptau in memory, as the kernels take them. */
export interface PointTable {
  readonly group: GroupId;
  /** `pointWords` words for each finite point. */
  readonly words: Uint32Array;
  readonly pointWords: number;
  /** The place of each point among them, -1 for infinity; undefined if all are finite. */
  readonly places: Int32Array | undefined;
}

/**
 * Reads the first `count` points of a vector. `INVALID_POINT` for one that is not on its curve or not in the subgroup
 * of prime order.
 */
export async function loadTable(
  { pool, signal }: CeremonyWork,
  curve: CurveId,
  { group, bytes }: KeyVector,
  count: number,
  what: string,
): Promise<PointTable> {
  const request = { curve, group, encoding: 'montgomery', count, points: bytes } as const;
  const { points, indices } = await prepareMembers(pool, request, what, { signal, onProgress: () => undefined });
  const words = new Uint32Array(points.buffer, points.byteOffset, points.length / 4);
  const places = indices && new Int32Array(count).fill(-1);
  if (places !== undefined) for (const [place, index] of indices!.entries()) places[index] = place;
  return { group, words, pointWords: preparedPointBytes(curve, group) / 4, places };
}
