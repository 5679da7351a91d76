/** Log of the most elements in a tile, which a workgroup holds: 16 KiB of workgroup memory, which every device has. */
export const MAX_TILE_LOG = 9;

/** How NTTs are cut into passes. */
export interface TransformShape {
  /** A tile has 2^tileLog elements, at most 2^9. */
  readonly tileLog: number;
  /** In passes over distant elements a tile takes at least 2^leastColumns adjacent elements, for coalesced reads. */
  readonly leastColumns: number;
}

/** Four adjacent elements are 128 bytes: a cache line of most GPUs. */
export const TRANSFORM_SHAPE: TransformShape = { tileLog: MAX_TILE_LOG, leastColumns: 2 };

/**
 * Consecutive levels of an NTT that one pass computes. Level h has butterflies over elements at a distance of 2^h. A
 * tile has 2^levels rows at a distance of 2^low, each of 2^columns adjacent elements.
 */
export interface TransformPass {
  /** The lowest level. */
  readonly low: number;
  readonly levels: number;
  readonly columns: number;
}

/** The passes of an NTT of 2^log elements, from the lowest level up. */
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
