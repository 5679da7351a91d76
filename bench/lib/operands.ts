import { type PreparedBases, pointForm } from '../../sdk/bases/prepared.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../sdk/curves/index.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { consecutiveG2Multiples } from './g2-points.js';
import { loadKernel } from './kernel.js';
import { consecutiveMultiples, type KnownPoints } from './points.js';

/** The number of different points. It takes long to make them, so a larger multiplication repeats them. */
const DISTINCT_POINTS = 2 ** 18;

/** A curve with points whose discrete logarithms are known, so that the result of any multiplication is known. */
export interface Operands {
  readonly curve: CurveId;
  readonly kernel: Kernel;
  readonly points: KnownPoints;
  /** `count` prepared points: the first `distinct` ones differ, and the others repeat them. */
  prepared(count: number): PreparedBases;
  readonly distinct: number;
}

/** Points of a group, of which at most `most` are asked for. */
export async function makeOperands(curve: CurveId, group: GroupId, most: number): Promise<Operands> {
  const kernel = await loadKernel(curve);
  const distinct = Math.min(most, DISTINCT_POINTS);
  const points = await multiplesOf(kernel, curve, group, distinct, 3n ** 150n);
  const part = await preparePoints(kernel, curve, group, points);
  const size = part.points.length / distinct;
  const all = new Uint8Array(most * size);
  for (let at = 0; at < all.length; at += part.points.length) {
    all.set(part.points.subarray(0, Math.min(part.points.length, all.length - at)), at);
  }
  const prepared = (count: number) => ({ ...part, count, kept: count, points: all.subarray(0, count * size) });
  return { curve, kernel, points, prepared, distinct };
}

/** `count` multiples of the group's generator, from the `first`-th on. */
export async function multiplesOf(
  kernel: Kernel,
  curve: CurveId,
  group: GroupId,
  count: number,
  first: bigint,
): Promise<KnownPoints> {
  if (group === 'g2') return consecutiveG2Multiples(kernel, CURVES[curve], count, first);
  return consecutiveMultiples(CURVES[curve], count, first);
}

export async function preparePoints(
  kernel: Kernel,
  curve: CurveId,
  group: GroupId,
  points: KnownPoints,
): Promise<PreparedBases> {
  const count = points.bytes.length / pointBytes(curve, group);
  const form = pointForm(curve, group);
  const request = { group, form, encoding: 'canonical', points: points.bytes } as const;
  return { curve, group, form, count, ...(await kernel.prepareBases(request)) };
}
