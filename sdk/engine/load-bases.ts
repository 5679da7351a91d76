import { PippinError } from '../base/errors.js';
import { CachedPoints } from '../bases/cached-points.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import { MaskedSums } from '../bases/masked-sums.js';
import type { PreparedBases } from '../bases/prepared.js';
import { preparedFromRecord, preparedToRecord } from '../bases/prepared-record.js';
import type { BasesCall } from '../bases/record-cache.js';
import type { RenewableVectors } from '../bases/renewal.js';
import { poolMasks } from '../bases/scalar-masks.js';
import { hasCofactor, pointBytes } from '../curves/index.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import { type PrepareRequest, prepareBases } from '../executors/workers/pool/prepare.js';
import { prepareMembers } from '../executors/workers/pool/prepare-members.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import { MAX_KEY_BYTES } from '../files/downloads.js';
import { BasesForSums, RECORD_NAME } from './bases-for-sums.js';
import type { Call } from './call.js';
import { type EngineContext, proofContext } from './context.js';
import type { PointsRequest } from './engine-api.js';
import { holdForSums } from './hold-for-sums.js';
import { loadKept } from './kept-source.js';

/** Prepared points take as many bytes as those of the file, on curves with an Edwards form half as many again. */
const ROOM_OF_POINTS = 2.5;

/**
 * Reads points, checks and prepares them (or takes them from the cache), and copies them to where they will be used. This module and what it
 * imports are loaded with the first bases: proofs do without.
 */
export async function loadBases(
  context: EngineContext,
  call: Call,
  request: PointsRequest,
): Promise<{ loaded: BasesForSums; cached: boolean }> {
  const { curve, group, points, maxBytes = MAX_KEY_BYTES } = request;
  const file = { description: points, sha256: undefined, what: 'file of points', maxBytes, room: ROOM_OF_POINTS };
  return loadKept(context, call, file, async (source) => {
    const bytes = pointBytes(curve, group);
    if (source.size % bytes !== 0) {
      throw new PippinError(
        'INVALID_LENGTH',
        `expected points of ${bytes} bytes each (${curve} ${group}), got ${source.size} bytes`,
        { hint: 'a point is x and y one after the other; points of g2 have twice as many bytes as those of g1' },
      );
    }
    await context.backends.openCurve(curve, [group]);
    return loadFrom(source, context, call, request);
  });
}

async function loadFrom(
  source: LoadedSource,
  context: EngineContext,
  call: Call,
  { curve, group, pointsForm, checkSubgroup = true, tuning: { precompute, ...tuning } }: PointsRequest,
): Promise<{ loaded: BasesForSums; cached: boolean }> {
  const { backends, cache, precomputations } = context;
  const progress = call.meter('prepare', 1);
  const count = source.size / pointBytes(curve, group);
  const isChecked = checkSubgroup && hasCofactor(curve, group);
  // The same bytes are other points in another form. Points that were checked have records of their own, so that they are checked once.
  const marks = [...(pointsForm === 'canonical' ? [] : [pointsForm]), ...(isChecked ? ['members'] : [])];
  const plan = ['bases', curve, group, ...marks].join('/');
  const request = { curve, group, encoding: pointsForm, count, points: source } as const;
  const known = await cache.load(call, plan, source, ({ facts, arrays }) =>
    preparedFromRecord(RECORD_NAME, facts, arrays, request),
  );
  const prepared = known ?? (await prepare(backends.pool, request, isChecked, call, progress));
  const bases = await holdForSums(context, prepared, request);
  const vectors = { [RECORD_NAME]: bases };
  const precomputation = await precomputations.precompute({ ...tuning, precompute, plan, source, vectors });
  const renewable = renewableVectors({ plan, source, precomputation }, backends.pool, bases, request, isChecked);
  const cachedPoints = new CachedPoints(proofContext(context), renewable);
  const masks = poolMasks(backends.pool, curve);
  const masked = new MaskedSums({ bases, masks, first: 0, check: 'random' }, backends.arithmeticFor);
  const loaded = new BasesForSums(backends.pool, bases, masked, precomputation, source, cachedPoints, tuning);
  try {
    await bases.load({ signal: call.signal, observer: call.observer() });
    await precomputation?.load(call);
  } catch (error) {
    loaded.release();
    throw error;
  }
  cachedPoints.keep({ [RECORD_NAME]: prepared });
  progress(1);
  return { loaded, cached: known !== undefined };
}

/** @param isChecked whether it is checked that the points lie in the subgroup of prime order. */
function prepare(
  pool: KernelPool,
  request: PrepareRequest,
  isChecked: boolean,
  call: BasesCall,
  onProgress: (fraction: number) => void,
): Promise<PreparedBases> {
  const options = { signal: call.signal, onProgress };
  return call.span('prepare', 'wasm', () =>
    isChecked ? prepareMembers(pool, request, 'all bases', options) : prepareBases(pool, request, options),
  );
}

/** The bases, and how they are prepared again. It is made here so that its closures do not keep the first points in memory. */
function renewableVectors(
  loaded: Pick<RenewableVectors<typeof RECORD_NAME>, 'plan' | 'source' | 'precomputation'>,
  pool: KernelPool,
  bases: LoadedBases,
  request: PrepareRequest,
  isChecked: boolean,
): RenewableVectors<typeof RECORD_NAME> {
  return {
    ...loaded,
    bases: { [RECORD_NAME]: bases },
    requests: { [RECORD_NAME]: request },
    prepare: async (call) => ({
      [RECORD_NAME]: await prepare(pool, request, isChecked, call, call.meter('prepare', 1)),
    }),
    toRecord: (prepared) => preparedToRecord(RECORD_NAME, prepared[RECORD_NAME]),
  };
}
