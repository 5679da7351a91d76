/**
 * The pairs of points that one run of the kernels multiplies and adds, and their places. A stage of an NTT takes blocks
 * of 2 `distance` points; the pairs of a block are its i-th points and those `distance` behind them, and have the i-th
 * factor.
 */
export interface PairRun {
  readonly distance: number;
  /** The blocks that are computed, and the number of the first. */
  readonly blocks: number;
  readonly firstBlock: number;
  /** The place of the first block's first point. */
  readonly skipped: number;
  /** Every so many factors one is used. */
  readonly step: number;
  /** Where the factors of blocks begin that are the first of their domain; `NOT_DIVIDED` if they are as all others. */
  readonly divided: number;
  /** 1 if factor 0 is 1. */
  readonly areRoots: 0 | 1;
  /** The pairs of this run, of all of the stage, pair by pair of all blocks. */
  readonly offset: number;
  readonly rows: number;
}

/** No results are divided by the size of a domain. */
export const NOT_DIVIDED = 0xffff_ffff;

/** The products of points one after another, with a factor each or, by `step` 0, all with the same. */
export function productsRun(count: number, step: 0 | 1): PairRun {
  const place = { distance: 0, blocks: 1, firstBlock: 0, skipped: 0 };
  return { ...place, step, divided: NOT_DIVIDED, areRoots: 0, offset: 0, rows: count };
}

/** Butterflies: all points a, and behind them all points b, with a factor each. */
export function butterfliesRun(count: number): PairRun {
  return { ...productsRun(count, 1), distance: count };
}

/** NTTs over points, over the domains of 2^from, .. 2^to points together. */
export interface PointDomains {
  readonly from: number;
  readonly to: number;
  /**
   * Whether results are divided, by some d for each domain. Its factors are the powers of a root of unity w, from which
   * other domains' follow; for the blocks that are the first of their domain the powers times 1 / d.
   */
  readonly isDivided: boolean;
}

/** Points of all domains, one domain behind another. */
export function pointsOfTransform({ from, to }: PointDomains): number {
  return 2 ** (to + 1) - 2 ** from;
}

/** n / 2 factors of the largest domain of n points; where results are divided, the first blocks' own behind them. */
export function factorsOfTransform({ from, to, isDivided }: PointDomains): number {
  const roots = 2 ** (to - 1);
  return isDivided ? 2 * roots + roots - firstFactor(from) : roots;
}

/** Factors of first blocks would begin at n / 2 for domains of n points; the smallest's, of two points or more, do. */
function firstFactor(from: number): number {
  return Math.max(1, 2 ** (from - 1));
}

/**
 * The runs of an NTT, of at most `mostRows` pairs each. Points are numbered so that a domain of n points has the
 * numbers from n to 2 n - 1: then all domains' blocks of a stage lie one behind another, and the number of a domain's
 * first block is a power of two.
 */
export function* transformRuns({ from, to, isDivided }: PointDomains, mostRows: number): Generator<PairRun> {
  const roots = 2 ** (to - 1);
  for (let stage = 0; stage < to; stage++) {
    const distance = 2 ** stage;
    const firstBlock = Math.max(1, 2 ** (from - stage - 1));
    const blocks = 2 ** (to - stage) - firstBlock;
    for (let offset = 0; offset < distance * blocks; offset += mostRows) {
      yield {
        distance,
        blocks,
        firstBlock,
        skipped: firstBlock * 2 * distance - 2 ** from,
        step: roots / distance,
        divided: isDivided ? roots - firstFactor(from) : NOT_DIVIDED,
        areRoots: 1,
        offset,
        rows: Math.min(mostRows, distance * blocks - offset),
      };
    }
  }
}

/** How many of a run's pairs have the factor 1: the first pair of each block, with a few exceptions. */
export function onesOf({ areRoots, blocks, offset, rows }: PairRun): number {
  return areRoots === 1 ? Math.min(rows, Math.max(0, blocks - offset)) : 0;
}
