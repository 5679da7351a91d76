import type { MapRow } from '../../api/index.js';
import type { CurveId, GroupId } from '../../curves/index.js';

/** The version of a map's form and of the kernels that it was measured with. Maps of another version are not used. */
export const MAP_FORMAT = 3;

/** MSMs of up to twice or half as many points as a row's are planned by it. */
const MOST_DOUBLINGS = 1;

/** The row for an MSM over `points` points: the nearest one, if there is one near enough. */
export function nearestRow(
  rows: readonly MapRow[],
  curve: CurveId,
  group: GroupId,
  points: number,
): MapRow | undefined {
  const distance = (row: MapRow): number => Math.abs(Math.log2(row.points / Math.max(1, points)));
  const [nearest] = rows
    .filter((row) => row.curve === curve && row.group === group && distance(row) <= MOST_DOUBLINGS)
    .sort((a, b) => distance(a) - distance(b));
  return nearest;
}
