import { joinBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { ownMembers } from '../base/is-object.js';
import { pointBytes } from '../curves/index.js';
import {
  type BasesRange,
  type MsmBackend,
  type MsmExecutor,
  type MsmSum,
  type PartialSums,
  type ResidentBases,
  type SumBackend,
  wholeRange,
} from './backend.js';
import { type MultiplyRange, multiplyRuns } from './distinct-bases.js';
import { keptScalars } from './kept-scalars.js';
import type { ArithmeticFor, PointArithmetic } from './point-arithmetic.js';
import type { BasesOutline } from './prepared.js';
import { type ScalarVector, wipeCopy } from './scalar-vector.js';

/** Bases on a backend, and what describes them. */
interface FinishedBases<Bases extends ResidentBases> extends ResidentBases {
  readonly resident: Bases;
  readonly outline: BasesOutline;
  readonly range: BasesRange;
}

/**
 * Makes finished sums of a backend's parts. It gives the backend the scalars of the points that it keeps, at most `maxBatch` multiplications
 * at a time, or one where each has bases of its own. It combines the parts of each, and checks that the result is on the curve
 * (`RESULT_INVALID`). The sums do not include exceptional points; `LoadedBases` adds these.
 */
export function finishing<Bases extends ResidentBases>(
  backend: MsmBackend<Bases>,
  arithmeticFor: ArithmeticFor,
): SumBackend<FinishedBases<Bases>> {
  const { executor, maxBatch } = backend.capabilities;
  return {
    capabilities: backend.capabilities,

    async load(bases, range, options) {
      const { points: _, multiples: __, checksSums: ___, ...outline } = bases;
      const resident = await backend.load(bases, range, options);
      const release = (): void => resident.release();
      return { count: outline.count, resident, outline, range: wholeRange(outline, range), release };
    },

    async multiplyBatch({ resident, outline, range }, scalars, batch, options = {}) {
      const { onProgress } = options;
      const summed = options.range ?? { from: 0, to: range.to - range.from };
      const numbers = { from: range.from + summed.from, to: range.from + summed.to };
      const arithmetic = arithmeticFor(outline.curve, outline.group, options.signal);
      if (options.sharedBases === false) {
        const one = { first: 0, count: 1, batch: 1 };
        const multiply: MultiplyRange<MsmSum> = async (kept, tell) => {
          const own = { from: kept.from - range.from, to: kept.to - range.from };
          const given = keptScalars(outline, scalars, one, kept);
          const [parts] = await untilUsed(given, scalars, () =>
            backend.multiplyBatch(resident, given, 1, ownMembers({ ...options, range: own, onProgress: tell })),
          );
          return finish(parts!, outline, arithmetic, executor);
        };
        const sums = await multiplyRuns(outline, numbers, batch, multiply, onProgress);
        options.onComputed?.();
        return sums;
      }
      const results: MsmSum[] = [];
      for (let from = 0; from < batch; from += maxBatch) {
        const count = Math.min(batch - from, maxBatch);
        const kept = keptScalars(outline, scalars, { first: from, count, batch }, numbers);
        const parts = await untilUsed(kept, scalars, () =>
          backend.multiplyBatch(
            resident,
            kept,
            count,
            ownMembers({
              ...options,
              onProgress: onProgress && ((fraction: number) => onProgress((from + fraction * count) / batch)),
            }),
          ),
        );
        if (from + count === batch) options.onComputed?.();
        results.push(...(await Promise.all(parts.map((part) => finish(part, outline, arithmetic, executor)))));
      }
      return results;
    },
  };
}

/** What `work` makes of some scalars. Copies that were made of the caller's for it are then overwritten. */
async function untilUsed<T>(kept: ScalarVector, given: ScalarVector, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    if (kept.kind === 'host') wipeCopy(kept.bytes, given);
  }
}

/** The result of a multiplication from its parts. */
async function finish(
  parts: PartialSums,
  { curve, group }: BasesOutline,
  arithmetic: PointArithmetic,
  executor: MsmExecutor,
): Promise<MsmSum> {
  const isEmpty = parts.kind === 'points' && parts.points.length === 0;
  if (isEmpty) return { point: new Uint8Array(pointBytes(curve, group)), executors: [executor] };
  const point = await sumOf(parts, arithmetic);
  if (!(await arithmetic.isOnCurve(point))) {
    throw new PippinError('RESULT_INVALID', `expected a point of ${curve} from ${executor}, got one off the curve`);
  }
  return { point, executors: [executor] };
}

async function sumOf(parts: PartialSums, arithmetic: PointArithmetic): Promise<Uint8Array> {
  if (parts.kind === 'windows') return arithmetic.reduceWindows(parts.sums, parts.windowBits);
  const { points } = parts;
  return points.length === 1 ? points[0]! : arithmetic.combine(joinBytes(points));
}
