/** Elements of a tile, the most that a workgroup holds: 16 KiB of workgroup memory, which every device has. */
export const MAX_TILE_LOG = 9;

/** How transforms are cut into passes. */
export interface TransformShape {
  /** A tile has 2^tileLog elements, at most 2^9. */
  readonly tileLog: number;
  /** In passes over distant elements a tile takes at least 2^leastColumns neighbours together, so that they are read as one. */
  readonly leastColumns: number;
}

/** Four neighbours are 128 bytes: a line of the caches of most GPUs. */
export const TRANSFORM_SHAPE: TransformShape = { tileLog: MAX_TILE_LOG, leastColumns: 2 };

/**
 * Neighbouring levels of a transform that are worked on together. Level h combines elements at a distance of 2^h. A tile has 2^levels rows
 * at a distance of 2^low, each of 2^columns neighbours.
 */
export interface TransformPass {
  /** The lowest level. */
  readonly low: number;
  readonly levels: number;
  readonly columns: number;
}

/** The passes of a transform of 2^log elements, from the lowest level up. */
export function transformPasses(log: number, { tileLog, leastColumns }: TransformShape): TransformPass[] {
  const passes: TransformPass[] = [{ low: 0, levels: Math.min(log, tileLog), columns: 0 }];
  const count = Math.ceil((log - tileLog) / (tileLog - leastColumns));
  for (let low = tileLog, left = count; left > 0; left--) {
    const levels = Math.ceil((log - low) / left);
    passes.push({ low, levels, columns: tileLog - levels });
    low += levels;
  }
  return passes;
}
