import { onAbort } from '../base/abort.js';
import { bigintToBytes, equalBytes, joinBytes, newBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { ownMembers } from '../base/records.js';
import { CURVES } from '../curves/index.js';
import { isGathered } from '../executors/workers/pool/slices.js';
import {
  type BasesRange,
  type MsmBackend,
  type MultiplyOptions,
  type PartialSums,
  type PlannedBackend,
  type PreparedPoints,
  type ResidentBases,
  wholeRange,
  withPoints,
} from './backend.js';
import type { CheckArithmetic } from './check-arithmetic.js';
import { drawWeights, SHORT_CHECK_BITS } from './check-arithmetic.js';
import { type ArithmeticFor, type PointArithmetic, resultOf } from './point-arithmetic.js';
import { type BasesOutline, preparedPointBytes } from './prepared.js';
import { newMaskKey } from './scalar-masks.js';
import { bytesOfScalars, type ScalarVector, wipeCopy } from './scalar-vector.js';

/** The share of a checked MSM's work that is done before its check begins, for progress. */
const SHARE_OF_SUM = 0.7;

/** The masks of bases: the key from which they are derived, and the MSM of points and masks. */
interface Masks {
  readonly key: Uint8Array;
  readonly sum: Uint8Array;
}

interface CheckedBases<Bases extends ResidentBases> extends ResidentBases {
  readonly resident: Bases;
  /** The number of points that the backend holds. */
  readonly held: number;
  readonly outline: BasesOutline;
  /** undefined if the bases were loaded for MSMs that are not checked. */
  readonly masks: Masks | undefined;
}

/** What checked MSMs are computed with. */
interface Tools<Bases extends ResidentBases> {
  readonly backend: PlannedBackend<Bases>;
  readonly checks: CheckArithmetic;
  readonly arithmeticFor: ArithmeticFor;
}

/**
 * Checks MSMs by a random linear combination, with the option `check: 'random'`: a wrong result is returned with
 * probability 2^-40 at most, under the conditions that docs/strategies/checked-msm.md states. `RESULT_INVALID` when a
 * check fails; `INTERNAL` for bases that were not loaded with `checksResults`. All other calls go to the backend
 * unchanged.
 */
export function randomlyChecked<Bases extends ResidentBases>(
  backend: PlannedBackend<Bases>,
  checks: CheckArithmetic,
  arithmeticFor: ArithmeticFor,
): MsmBackend<CheckedBases<Bases>> {
  const tools = { backend, checks, arithmeticFor };
  return {
    capabilities: backend.capabilities,

    async load(bases, range, options) {
      const { points, multiples: _, checksResults = false, ...outline } = bases;
      const stop = new AbortController();
      const stopListening = onAbort(options?.signal, () => stop.abort());
      const masking = checksResults
        ? makeMasks(checks, outline, points, wholeRange(outline, range), stop.signal)
        : undefined;
      // Awaited below; its failure must not count as unhandled while the bases are loaded.
      masking?.catch(() => undefined);
      let resident: Bases | undefined;
      try {
        const { from, to } = wholeRange(outline, range);
        const copy = await backend.load(bases, range, options);
        resident = copy;
        const release = (): void => copy.release();
        return { count: copy.count, held: to - from, resident: copy, outline, masks: await masking, release };
      } catch (error) {
        stop.abort();
        resident?.release();
        throw error;
      } finally {
        stopListening();
      }
    },

    async multiplyBatch(bases, scalars, batch, options = {}) {
      const { from, to } = options.range ?? { from: 0, to: bases.held };
      const isChecked = options.check === 'random' && from < to;
      return isChecked
        ? multiplyChecked(tools, bases, scalars, batch, options)
        : backend.multiplyBatch(bases.resident, scalars, batch, options);
    },
  };
}

async function makeMasks(
  checks: CheckArithmetic,
  outline: BasesOutline,
  points: PreparedPoints,
  { from, to }: BasesRange,
  signal: AbortSignal | undefined,
): Promise<Masks> {
  const key = newMaskKey();
  const bytes = preparedPointBytes(outline.curve, outline.group);
  return withPoints(points, async (all) => {
    const own = all.subarray(from * bytes, to * bytes);
    // Bytes whose memory was freed meanwhile have no length any more.
    if (own.length !== (to - from) * bytes) {
      throw new PippinError(
        'INTERNAL',
        `expected ${(to - from) * bytes} bytes of points to be masked, got ${own.length}`,
      );
    }
    return { key, sum: await checks.maskSum(outline, own, key, signal) };
  });
}

async function multiplyChecked<Bases extends ResidentBases>(
  tools: Tools<Bases>,
  { resident, held, outline, masks }: CheckedBases<Bases>,
  scalars: ScalarVector,
  batch: number,
  options: MultiplyOptions,
): Promise<PartialSums[]> {
  if (masks === undefined) throw new PippinError('INTERNAL', 'expected bases for checked MSMs, got others');
  const { backend, checks } = tools;
  const { signal, onProgress, range } = options;
  const plan = backend.rowPlan(resident, batch, options);
  const weights = drawWeights(outline.curve, plan, batch);
  const summed = bytesOfScalars(scalars);
  const available = scalars.kind === 'host' ? scalars.available : undefined;
  const isPart = range !== undefined && range.to - range.from < held;
  // Workers wait for their scalars, but not for the whole of what is copied here.
  if (isPart || isGathered({ scalars: summed, batch })) await available?.(summed.length);
  const { scalarBytes } = CURVES[outline.curve];
  const all = isPart ? withZeros(summed, batch, range, held, scalarBytes) : summed;
  const making = checks.checkScalars(
    { curve: outline.curve, scalars: all, batch, plan, weights, key: masks.key },
    signal,
  );
  // Awaited below; its failure must not count as unhandled while the MSMs are computed.
  making.catch(() => undefined);
  try {
    const own = ownMembers<MultiplyOptions>({
      ...options,
      windowBits: plan.windowBits,
      onProgress: onProgress && ((fraction) => onProgress(SHARE_OF_SUM * fraction)),
    });
    const sums = await backend.multiplyBatch(resident, scalars, batch, own);
    const arithmetic = tools.arithmeticFor(outline.curve, outline.group, signal);
    const { executor } = backend.capabilities;
    // While the backend computes the check MSM.
    const finishing = Promise.all(sums.map((parts) => resultOf(parts, outline, arithmetic, executor)));
    finishing.catch(() => undefined);
    const rows = { sums: sums.map(bitSums), bits: plan.windowBits, weights: weights.ofRows };
    const expecting = expectedCheckSum(checks, arithmetic, { outline, masks, rows, finishing }, signal);
    // Awaited below; its failure must not count as unhandled while the check MSM is computed.
    expecting.catch(() => undefined);
    // Only now that its results are here does the backend get what depends on the weights: so errors in them cannot
    // depend on the weights.
    const checking = ownMembers<MultiplyOptions>({
      signal,
      scalarBits: weights.reduced ? undefined : SHORT_CHECK_BITS,
      onProgress: onProgress && ((fraction) => onProgress(SHARE_OF_SUM + (1 - SHARE_OF_SUM) * fraction)),
    });
    const [checkSum] = await backend.multiplyBatch(resident, await making, 1, checking);
    const found = await arithmetic.reduceWindows(bitSums(checkSum!), 1);
    const expected = await expecting;
    if (expected === undefined || !equalBytes(expected, found)) {
      throw new PippinError(
        'RESULT_INVALID',
        `expected right MSMs over ${outline.curve} from ${executor}, got a wrong one`,
      );
    }
    return (await finishing).map((point) => ({ kind: 'points', points: [point], isResult: true }));
  } finally {
    // When the check has failed, work on it that is under way goes on with zeros, and nobody takes its result.
    // After the answer, since there may be megabytes of them.
    making.then(
      ({ pieces }) => setTimeout(wipe, 0, ...pieces),
      () => undefined,
    );
    wipe(weights.ofRows, weights.ofWindows);
    wipeCopy(all, scalars);
    wipeCopy(summed, scalars);
  }
}

/** MSMs to be checked, and what checks them. */
interface CheckedSums {
  readonly outline: BasesOutline;
  readonly masks: Masks;
  readonly rows: { readonly sums: readonly Uint8Array[]; readonly bits: number; readonly weights: Uint8Array };
  /** The results of the MSMs. */
  readonly finishing: Promise<readonly Uint8Array[]>;
}

/**
 * The MSM of points and masks, plus the random linear combination of all rows of all MSMs. undefined if a bit sum is
 * off the curve, or a result outside the subgroup of prime order: a weight could hide an error of small order.
 */
async function expectedCheckSum(
  checks: CheckArithmetic,
  arithmetic: PointArithmetic,
  { outline, masks, rows, finishing }: CheckedSums,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const { sums } = rows;
  const weightBytes = rows.weights.length / sums.length;
  const combined = await Promise.all(
    sums.map(async (bits, m) => {
      const weights = rows.weights.subarray(m * weightBytes, (m + 1) * weightBytes);
      const point = await checks.combineRows(outline, bits, rows.bits, weights, signal);
      return point !== undefined && (await isInSubgroup(arithmetic, outline, finishing, m)) ? point : undefined;
    }),
  );
  const points = combined.filter((point) => point !== undefined);
  return points.length < combined.length ? undefined : arithmetic.combine(joinBytes([masks.sum, ...points]));
}

/** Whether result number m is in the subgroup of prime order r: whether r times it is infinity. */
async function isInSubgroup(
  arithmetic: PointArithmetic,
  { curve, group }: BasesOutline,
  results: Promise<readonly Uint8Array[]>,
  m: number,
): Promise<boolean> {
  const { fr, g1, scalarBytes } = CURVES[curve];
  if (group === 'g1' && g1.cofactor === 1n) return true;
  const multiple = await arithmetic.combine((await results)[m]!, bigintToBytes(fr.modulus, scalarBytes));
  return multiple.every((byte) => byte === 0);
}

/** The scalars of a range, with 0 for all other points: in the check MSM these have their masks alone. */
function withZeros(
  scalars: Uint8Array,
  batch: number,
  { from, to }: BasesRange,
  count: number,
  scalarBytes: number,
): Uint8Array {
  const all = newBytes(batch * count * scalarBytes);
  const size = (to - from) * scalarBytes;
  for (let m = 0; m < batch; m++) {
    all.set(scalars.subarray(m * size, (m + 1) * size), (m * count + from) * scalarBytes);
  }
  return all;
}

/** The bit sums of an MSM. `INTERNAL` if the backend does not keep what `PlannedBackend` promises. */
function bitSums(parts: PartialSums): Uint8Array {
  if (parts.kind === 'windows' && parts.windowBits === 1) return parts.sums;
  throw new PippinError('INTERNAL', `expected bit sums, got ${parts.kind}`);
}
