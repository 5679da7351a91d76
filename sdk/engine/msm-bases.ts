import { PippinError } from '../base/errors.js';
import type { ComputedMsm } from '../bases/backend.js';
import { CachedPoints } from '../bases/cached-points.js';
import type { LoadedBases } from '../bases/loaded-bases.js';
import { MaskedMsm } from '../bases/masked-msm.js';
import type { Tuning } from '../bases/multiples.js';
import type { Precomputation } from '../bases/precompute.js';
import type { PreparedBases } from '../bases/prepared.js';
import { preparedFromRecord, preparedToRecord } from '../bases/prepared-record.js';
import type { BasesCall } from '../bases/record-cache.js';
import type { RenewableVectors } from '../bases/renewal.js';
import { ScalarCheck } from '../bases/scalar-bits.js';
import { poolMasks } from '../bases/scalar-masks.js';
import { hostScalars } from '../bases/scalar-vector.js';
import { fullWork } from '../bases/scalar-work.js';
import { CHECKED_AT_ONCE, checkScalarsEvenly } from '../bases/scalars.js';
import { CURVES, type CurveId, hasCofactor, pointBytes } from '../curves/index.js';
import { canonicalScalars } from '../executors/workers/pool/elementwise.js';
import type { KernelPool } from '../executors/workers/pool/pool.js';
import { type PrepareRequest, prepareBases } from '../executors/workers/pool/prepare.js';
import { prepareMembers } from '../executors/workers/pool/subgroup-check.js';
import type { LoadedSource } from '../files/cache/loaded-source.js';
import { MAX_KEY_BYTES } from '../files/downloads.js';
import type { Way } from '../recovery/attempt.js';
import { untilThere } from '../transport/shared-bytes.js';
import type { Call } from './call.js';
import { type EngineContext, proofContext } from './context.js';
import type { MsmRequest, PointsRequest } from './engine-api.js';
import { MsmPlacement } from './msm-placement.js';
import { loadKept } from './sources/kept-source.js';

// For what is loaded with this module: another chunk would hold their common modules.
export { checkByWeights } from './msm-placement.js';

/** Prepared points take as many bytes as the file's points, and half as many again on curves with an Edwards form. */
const ROOM_OF_POINTS = 2.5;

/** Scalars of which one nearly always has as many bits as there can be, where they are random. */
const FIRST_CHECKED = 1 << 10;

/** What the names of the arrays in a record of bases begin with. */
const RECORD_NAME = 'bases' as const;

/**
 * Reads points, checks and prepares them (or takes them from the cache), and copies them to where they will be used.
 * This module and what it imports are loaded with the first bases: proofs do without.
 */
export async function loadMsmBases(
  context: EngineContext,
  call: Call,
  request: PointsRequest,
): Promise<{ loaded: MsmBases; cached: boolean }> {
  const { curve, group, points, maxBytes = MAX_KEY_BYTES } = request;
  const file = { description: points, sha256: undefined, what: 'file of points', maxBytes, room: ROOM_OF_POINTS };
  return loadKept(context, call, file, async (source) => {
    const bytes = pointBytes(curve, group);
    if (source.size % bytes !== 0) {
      throw new PippinError(
        'INVALID_LENGTH',
        `expected points of ${bytes} bytes each (${curve} ${group}), got ${source.size} bytes`,
        { hint: 'a point is x and y one after the other; points of g2 have twice as many bytes as points of g1' },
      );
    }
    await context.backends.openCurve(curve, [group]);
    return loadPoints(source, context, call, request);
  });
}

/** Points to be loaded from a source that holds nothing else. */
export interface PointsToLoad
  extends Pick<PointsRequest, 'curve' | 'group' | 'pointsForm' | 'checkSubgroup' | 'tuning'> {
  /** What else they must be, which is checked once: their record has the mark. */
  readonly also?: { readonly mark: string; expect(loaded: MsmBases): Promise<void> };
}

/** Loads points whose curve is open. The bases close the source when they are released. */
export async function loadPoints(
  source: LoadedSource,
  context: EngineContext,
  call: Call,
  { curve, group, pointsForm, checkSubgroup = true, tuning: { precompute, ...tuning }, also }: PointsToLoad,
): Promise<{ loaded: MsmBases; cached: boolean }> {
  const { backends, cache, precomputations } = context;
  const progress = call.meter('prepare', 1);
  const count = source.size / pointBytes(curve, group);
  const isChecked = checkSubgroup && hasCofactor(curve, group);
  // The same bytes are other points in another form. Points that were checked have their own records, so that they are
  // checked once.
  const marks = [pointsForm === 'canonical' ? '' : pointsForm, isChecked ? 'members' : '', also?.mark ?? ''];
  const plan = ['bases', curve, group, ...marks.filter((mark) => mark !== '')].join('/');
  const request = { curve, group, encoding: pointsForm, count, points: source } as const;
  const known = await cache.load(call, plan, source, ({ facts, arrays }) =>
    preparedFromRecord(RECORD_NAME, facts, arrays, request),
  );
  const prepared = known ?? (await prepare(backends.pool, request, isChecked, call, progress));
  const placement = await MsmPlacement.of(context, prepared, request);
  const { bases } = placement;
  const vectors = { [RECORD_NAME]: bases };
  const precomputation = await precomputations.precompute({ ...tuning, precompute, plan, source, vectors });
  const renewable = renewableVectors({ plan, source, precomputation }, backends.pool, bases, request, isChecked);
  const cachedPoints = new CachedPoints(proofContext(context), renewable);
  const masks = poolMasks(backends.pool, curve);
  const masked = new MaskedMsm({ bases, masks, first: 0, check: 'random' }, backends.arithmeticFor);
  const parts = { pool: backends.pool, bases, placement, masked, precomputation, source, cachedPoints, tuning };
  const loaded = new MsmBases(parts);
  try {
    await bases.load({ signal: call.signal, observer: call.observer() });
    // While the points are at hand.
    await placement.mostWorkOnWorkers({ batchSize: 1, sharedBases: true });
    await precomputation?.load(call);
    if (known === undefined) await also?.expect(loaded);
  } catch (error) {
    loaded.release();
    throw error;
  }
  cachedPoints.keep({ [RECORD_NAME]: prepared });
  progress(1);
  return { loaded, cached: known !== undefined };
}

/** Loaded bases and what computes MSMs over them. */
interface MsmBasesParts {
  readonly pool: KernelPool;
  readonly bases: LoadedBases;
  readonly placement: MsmPlacement;
  /** MSMs of constant work. */
  readonly masked: MaskedMsm;
  /** What gives the bases multiples, if the caller wants any. */
  readonly precomputation: Precomputation | undefined;
  readonly source: LoadedSource;
  /** Replaces the points if the cache gave wrong ones. */
  readonly cachedPoints: CachedPoints<typeof RECORD_NAME>;
  /** The tuning of MSMs whose call names nothing else. */
  readonly tuning: Tuning;
}

/** Bases that a caller loaded for MSMs. */
export class MsmBases {
  constructor(private readonly parts: MsmBasesParts) {}

  get curve(): CurveId {
    return this.parts.bases.outline.curve;
  }

  /** The number of points that the caller gave. */
  get count(): number {
    return this.parts.bases.outline.count;
  }

  /** The results of the request's MSMs. The scalars are brought to canonical form in place. */
  async multiplyBatch(call: Call, scalars: Uint8Array, request: MsmRequest): Promise<Uint8Array[]> {
    const { bases, placement, masked, cachedPoints, precomputation, tuning } = this.parts;
    const { batchSize, sharedBases, check = 'random', constantWork = false } = request;
    const most = await placement.mostWorkOnWorkers(request);
    const reading = await this.readScalars(call, scalars, request, most);
    // Masked scalars are of full length.
    const isForWorkers =
      reading === undefined
        ? fullWork(bases.outline.curve, batchSize * bases.outline.count) <= most
        : !reading.isMoreWork;
    const { scalarBytes } = CURVES[bases.outline.curve];
    const available = async (bytes: number): Promise<void> => {
      await untilThere(scalars.subarray(0, bytes));
      reading?.upTo(Math.ceil(bytes / scalarBytes));
    };
    const onProgress = call.meter('msm', 1);
    // A random linear combination is an MSM over all bases, and each run of them would need its own.
    const how = check === 'random' && !sharedBases ? 'recompute' : check;
    const asked = { ...tuning, ...request.tuning, scalarBits: reading?.bits, sharedBases, check: how };
    const options = { ...asked, signal: call.signal, onProgress, observer: call.observer() };
    const multiply = ({ by }: Way): Promise<ComputedMsm[]> => {
      const multiplying = { ...options, trustedOnly: isForWorkers || by === 'workers' };
      return constantWork
        ? masked.multiplyBatch(scalars, batchSize, multiplying)
        : bases.multiplyBatch(hostScalars(scalars, available), batchSize, multiplying);
    };
    const results = await cachedPoints.use(call, multiply);
    reading?.upTo();
    call.computedBy('msm', [...new Set(results.flatMap(({ executors }) => executors))]);
    onProgress(1);
    precomputation?.begin();
    return results.map(({ point }) => point);
  }

  release(): void {
    const { precomputation, bases, source } = this.parts;
    precomputation?.release();
    bases.release();
    void source.close();
  }

  /**
   * Brings the scalars of a request to canonical form in place, and checks them: all, or as many as show that they are
   * more than the most work that is for the workers, and have as many bits as there can be. Then a GPU can begin with
   * them while later ones are checked. undefined where the work must not depend on the scalars; then all were checked.
   */
  private async readScalars(
    { signal }: Call,
    scalars: Uint8Array,
    { batchSize, sharedBases, bitSize, scalarsForm, constantWork }: MsmRequest,
    mostWork: number,
  ): Promise<ScalarCheck | undefined> {
    const { pool, bases } = this.parts;
    const { curve, count } = bases.outline;
    const { scalarBytes } = CURVES[curve];
    const expected = sharedBases ? batchSize * count : count;
    if (scalarsForm === 'montgomery' || constantWork) await untilThere(scalars);
    if (scalarsForm === 'montgomery') {
      checkScalarsEvenly(curve, scalars, expected);
      await canonicalScalars(pool, curve, scalars, signal);
    }
    if (constantWork) {
      checkScalarsEvenly(curve, scalars, expected, bitSize);
      return undefined;
    }
    const reading = new ScalarCheck(curve, scalars, expected, bitSize, mostWork);
    for (let end = FIRST_CHECKED; ; end += CHECKED_AT_ONCE) {
      const checked = Math.min(expected, end);
      await untilThere(scalars.subarray(0, checked * scalarBytes));
      reading.upTo(checked);
      if (checked === expected || (reading.isFullLength && reading.isMoreWork)) return reading;
    }
  }
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

/**
 * The bases, and how they are prepared again. It is made here so that its closures do not keep the first points in
 * memory.
 */
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
