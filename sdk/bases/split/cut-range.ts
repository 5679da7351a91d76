import type { BasesRange } from '../backend.js';

/** Fewer points than this are not worth a member's own passes over its buckets. */
const LEAST_POINTS = 64;

/** Cuts lie at multiples of about this fraction of the points, so that executors meet few different sizes, whose plans they keep. */
const GRAIN = 1 / 128;

/**
 * Divides a range of points among members by their rates. Returns the range of each member in their order, without gaps; it is empty for members that
 * are too slow to be worth a share of so few points. At least one member gets a share: of too few points the fastest gets all.
 */
export function cutRange({ from, to }: BasesRange, rates: readonly number[]): BasesRange[] {
  const points = to - from;
  const weights = [...rates];
  for (;;) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const sharing = weights.filter((weight) => weight > 0);
    const least = Math.min(...sharing);
    if (sharing.length > 1 && points * (least / total) < LEAST_POINTS) {
      weights[weights.indexOf(least)] = 0;
      continue;
    }
    const grain = Math.max(1, Math.floor(points * GRAIN));
    const last = weights.findLastIndex((weight) => weight > 0);
    let before = 0;
    let end = from;
    return weights.map((weight, member) => {
      before += weight;
      const start = end;
      const cut = from + grain * Math.round((points * (before / total)) / grain);
      end = member >= last ? to : Math.min(to, cut);
      return { from: start, to: end };
    });
  }
}
