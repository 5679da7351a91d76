import type { Random } from '../support/random.js';
import type { KnownPoint, KnownPoints } from './known-points.js';

/** Draws the bases of a sum. */
type Draw = (random: Random, points: KnownPoints, count: number) => KnownPoint[];

const list = (count: number, make: (i: number) => KnownPoint): KnownPoint[] =>
  Array.from({ length: count }, (_, i) => make(i));

const any = (random: Random, points: KnownPoints): KnownPoint => points.at(random.integer(points.count));

/** All bases different, where there are enough. */
const different: Draw = (random, points, count) => {
  const first = random.integer(points.count);
  return list(count, (i) => points.at(first + i));
};

const equal: Draw = (random, points, count) => {
  const point = any(random, points);
  return list(count, () => point);
};

const opposite: Draw = (random, points, count) => {
  const [line, factor] = [random.integer(points.lines), 1 + random.integer(points.length)];
  return list(count, () => points.on(line, random.integer(2) === 0 ? factor : -factor));
};

/** P, Q and P + Q, or its opposite. */
const meeting: Draw = (random, points, count) => {
  const all: KnownPoint[] = [];
  while (all.length < count) {
    const line = random.integer(points.lines);
    const half = points.length >> 1;
    const [p, q] = [1 + random.integer(half), 1 + random.integer(half)];
    all.push(points.on(line, p), points.on(line, q), points.on(line, random.integer(2) === 0 ? p + q : -p - q));
  }
  return all.slice(0, count);
};

/** P, 2 P, 4 P, ..., begun again where the line ends. */
const doubled: Draw = (random, points, count) => {
  const line = random.integer(points.lines);
  const start = 1 + random.integer(8);
  let factor = start;
  return list(count, () => {
    const point = points.on(line, factor);
    factor = 2 * factor > points.length ? start : 2 * factor;
    return point;
  });
};

/** Of a few points only. */
const few: Draw = (random, points, count) => {
  const pool = list(1 + random.integer(6), () => points.on(random.integer(points.lines), random.integer(7) - 3));
  return list(count, () => pool[random.integer(pool.length)]!);
};

const generators: Draw = (random, points, count) => list(count, () => points.on(0, random.integer(65) - 32));

/** P and lambda P. */
const images: Draw = (random, points, count) => {
  const last = points.lines - 1;
  let factor = 1;
  return list(count, (i) => {
    if (i % 2 === 0) factor = 1 + random.integer(points.length);
    return points.on(last - (i % 2), random.integer(4) === 0 ? -factor : factor);
  });
};

const withInfinity: Draw = (random, points, count) =>
  list(count, () => (random.integer(3) === 0 ? points.infinity() : any(random, points)));

const infinities: Draw = (_, points, count) => list(count, () => points.infinity());

const withOrderTwo: Draw = (random, points, count) =>
  list(count, () => {
    const kind = random.integer(6);
    return kind === 0 ? points.infinity() : kind < 3 ? points.ofOrderTwo() : any(random, points);
  });

const KINDS: Readonly<Record<string, Draw>> = {
  different,
  'drawn with repetitions': (random, points, count) => list(count, () => any(random, points)),
  equal,
  'P and -P': opposite,
  'P, Q and P + Q': meeting,
  'P, 2 P, 4 P': doubled,
  'of a few': few,
  'small multiples of G': generators,
  'P and lambda P': images,
  'with infinity': withInfinity,
  'infinity alone': infinities,
};

export interface DrawnBases {
  readonly kind: string;
  readonly points: readonly KnownPoint[];
}

/** `count` bases of a kind at which sums are likely to go wrong, or of no such kind. */
export function drawBases(random: Random, points: KnownPoints, count: number): DrawnBases {
  if (points.hasOrderTwo() && random.integer(6) === 0) {
    return { kind: 'with a point of order 2', points: withOrderTwo(random, points, count) };
  }
  const kinds = Object.keys(KINDS);
  const kind = random.integer(3) === 0 ? 'different' : kinds[random.integer(kinds.length)]!;
  return { kind, points: KINDS[kind]!(random, points, count) };
}
