import type { BasesOutline } from '../../bases/prepared.js';
import type { GroupId } from '../../curves/index.js';
import { type Share, shareOut } from '../../executors/workers/pool/shares.js';
import type { Groth16Part } from './parts.js';
import { TRANSFORMS } from './work.js';

/** The cost of an addition in each group, in additions of G1. */
export const GROUP_COST: Readonly<Record<GroupId, number>> = { g1: 1, g2: 3 };

/** The cost of a transform for each element, relative to that of a G1 point in a sum. */
const TRANSFORM_COST = 0.1;

/**
 * The shares of the workers in the sums that start with the witness, when the workers compute all of these at the same time. Workers that
 * make the transforms get smaller shares. The sum over H comes alone, after the others, and is shared equally.
 */
export function workerShares(
  workers: number,
  vectors: Readonly<Record<Groth16Part, Pick<BasesOutline, 'kept' | 'group'>>>,
  domainSize: number,
): Partial<Record<Groth16Part, Share[]>> {
  const parts: readonly Groth16Part[] = ['A', 'B1', 'B2', 'C'];
  const loads = new Array<number>(workers).fill(0);
  for (let i = 0; i < TRANSFORMS; i++) loads[i % workers]! += TRANSFORM_COST * domainSize;
  const shares = shareOut(
    parts.map((part) => ({ count: vectors[part].kept, weight: GROUP_COST[vectors[part].group] })),
    loads,
  );
  return Object.fromEntries(parts.map((part, i) => [part, shares[i]]));
}
