import type { GroupExports } from './exports.js';
import type { KernelMemory } from './memory.js';

/** Points that one call into WASM converts; on the Edwards form these also share one inversion. */
export const LOAD_CHUNK = 512;

export interface PreparedLoad {
  /** Prepared points of `bytes` each. */
  readonly points: Uint8Array;
  readonly bytes: number;
  /** Room for `LOAD_CHUNK` prepared points, or for all if they are fewer. */
  readonly packed: number;
  /** Room for the bases. */
  readonly target: number;
}

/** Brings prepared points to the form in which a module computes with bases. */
export function loadPrepared(
  memory: KernelMemory,
  group: Pick<GroupExports, 'baseSize' | 'loadBases'>,
  { points, bytes, packed, target }: PreparedLoad,
): void {
  const count = points.length / bytes;
  const baseSize = group.baseSize();
  for (let from = 0; from < count; from += LOAD_CHUNK) {
    const to = Math.min(count, from + LOAD_CHUNK);
    memory.write(packed, points.subarray(from * bytes, to * bytes));
    group.loadBases(packed, to - from, target + from * baseSize);
  }
}
