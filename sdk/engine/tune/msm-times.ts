import type { MapRow } from '../../api/index.js';
import type { CurveId, GroupId } from '../../curves/index.js';

/** MSMs of up to so many times as many points as were measured are predicted. */
const MOST_BEYOND = 2;

/**
 * A measured value of MSMs by their points, interpolated from the rows of a group that have it; undefined for more
 * points than can be predicted. Fewer points than were measured have the value of the fewest.
 */
export function valueBy(
  rows: readonly MapRow[],
  curve: CurveId,
  group: GroupId,
  take: (row: MapRow) => number | undefined,
): (points: number) => number | undefined {
  const known = rows
    .filter((row) => row.curve === curve && row.group === group)
    .map((row) => ({ points: row.points, value: take(row) ?? Number.NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => a.points - b.points);
  return (points) => {
    const [first] = known;
    const last = known.at(-1);
    if (first === undefined || last === undefined || points > MOST_BEYOND * last.points) return undefined;
    if (points <= first.points) return first.value;
    if (points >= last.points) return (last.value * points) / last.points;
    const next = known.findIndex((row) => row.points >= points);
    const [a, b] = [known[next - 1]!, known[next]!];
    return a.value + ((b.value - a.value) * (points - a.points)) / (b.points - a.points);
  };
}
